import type { JsonObject } from "@hasp/schema";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { splitCommand } from "../../../../import/src/sources/split-command.js";
import { importDiagnostics } from "../../../../import/src/importers/source/diagnostics.js";
import { findSecret } from "../../../../compiler/src/builtin/rules/reading/secret-forms.js";
import { isPrivateHost } from "../../../../compiler/src/builtin/handlers/base/check-address.js";
import type { ImportOptions } from "./import-options.js";

interface McpConnection {
  /** Settings under `connections.<name>.mcp`; `undefined` if no server is named. */
  readonly settings: JsonObject | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the connection from `--command` and `--env`, or from `--url` and `--header`. Secrets stay in the environment.
 */
export function mcpConnection({ command, env = [], url, header = [] }: ImportOptions): McpConnection {
  const source = [command, url].find((text) => text !== undefined && findSecret(text) !== undefined);
  if (source !== undefined) {
    const option = source === command ? "--command" : "--url";
    return { settings: undefined, diagnostics: [importDiagnostics("secret-in-source", undefined, { option })] };
  }
  if (command !== undefined) {
    const settings = { command: [...(splitCommand(command) ?? [])], ...(env.length === 0 ? {} : { env: [...env] }) };
    return { settings, diagnostics: [] };
  }
  if (url === undefined || !URL.canParse(url)) return { settings: undefined, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const address = new URL(url);
  if (address.username !== "" || address.search !== "") {
    diagnostics.push(importDiagnostics("address-cut", undefined, { part: address.search === "" ? "user" : "query" }));
  }
  const headers: { [name: string]: JsonObject } = {};
  let auth: JsonObject | undefined;
  for (const text of header) {
    const [, name = "", value = ""] = /^([^=\s]+)=(.*)$/u.exec(text) ?? [];
    const [, scheme = "", variable] = /^(Bearer +)?\$([A-Za-z_][A-Za-z0-9_]*)$/u.exec(value) ?? [];
    if (variable === undefined) diagnostics.push(importDiagnostics("header-left-out", undefined, { header: name }));
    else if (scheme === "") headers[name] = { env: variable };
    else if (name.toLowerCase() === "authorization") auth = { bearer: { env: variable } };
    else diagnostics.push(importDiagnostics("header-left-out", undefined, { header: name }));
  }
  const settings: JsonObject = {
    url: `${address.origin}${address.pathname === "/" ? "" : address.pathname}`,
    ...(isPrivateHost(url) ? { allowPrivateAddresses: true } : {}),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(auth === undefined ? {} : { auth }),
  };
  return { settings, diagnostics };
}
