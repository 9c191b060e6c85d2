import { appendToPointer, isObject, mapMembers, toList, toObject } from "@hasp/base/json";
import { type Diagnostic, printVisibleText } from "@hasp/base/diagnostics";
import type { PlanInput } from "@hasp/compiler";
import { type LoadedDocument, redactSecrets } from "@hasp/compiler/model";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Environment } from "@hasp/project";
import { isWebAddress, readOrReason, type Read, type Unread } from "../sources/read-import-source.js";
import type { ImportKind } from "../importers/index.js";
import type { ImportRequest } from "../sources/import-request.js";
import type { McpServerAddress } from "../sources/read-mcp-server.js";
import { sourceDiagnostics } from "../sources/source-diagnostics.js";

export interface CheckRequest extends Pick<ImportRequest, "session" | "folder" | "onReading"> {
  readonly file: string;
  readonly plan: PlanInput;
  /** True to start the servers of an `.mcp.json`, or to connect to them. */
  readonly mayStart: boolean;
}

/** Tools of a source; `server` is the name of the server that lists them. */
type ListRead = Read & { readonly kind: ImportKind; readonly server?: string };

export type ReadLists = Unread & { readonly reads: readonly ListRead[] };

/**
 * Asks the servers that the configuration of an MCP client names for their tools, if servers may be started; otherwise
 * says what would be. Returns `undefined` for another document.
 */
export async function readServers(
  document: LoadedDocument,
  { session, folder, mayStart, onReading }: CheckRequest,
): Promise<ReadLists | undefined> {
  const { mcpServers, servers = mcpServers } = toObject(document.value);
  if (!isObject(servers)) return undefined;
  const home = servers === mcpServers ? "/mcpServers" : "/servers";
  const diagnostics: Diagnostic[] = [];
  const reads: ListRead[] = [];
  for (const [server, value] of Object.entries(servers)) {
    const settings = toObject(value);
    const at = document.locate(appendToPointer(home, server), "key");
    const name = printVisibleText(server);
    const unset = new Set<string>();
    const address = readAddress(settings, folder, createFill(session.environment, unset));
    // As written: what comes from the environment may be secret.
    const { url, command = url, args } = settings;
    const words = [command, ...toList(args)].join(" ").replaceAll(NAMED_SECRET, "[removed]");
    const shown = printVisibleText(redactSecrets(words, () => "[removed]"));
    if (address === undefined) diagnostics.push(sourceDiagnostics("bad-server", at, { name }));
    else if (!mayStart) diagnostics.push(sourceDiagnostics("not-started", at, { name, command: shown }));
    else if (unset.size > 0) {
      diagnostics.push(sourceDiagnostics("unset-variables", at, { name, variables: [...unset] }));
    } else {
      onReading(shown);
      const { readMcpServer } = await import("../sources/read-mcp-server.js");
      const read = readOrReason(await readMcpServer(address, 60), server);
      if ("source" in read) reads.push({ ...read, kind: "mcp", server });
      else diagnostics.push(...read.diagnostics);
    }
  }
  return { diagnostics, reads, sources: new Map([[document.uri, document.text]]) };
}

/** A secret that a name such as `--api-key` announces. */
const NAMED_SECRET = /(?<=(?:key|token|secret|password)[= ])[^\s&]+/giu;

/** Reads the address of a server; `undefined` if it has none. */
function readAddress(
  { command, args, url, env, headers }: JsonObject,
  folder: string,
  fill: (text: JsonValue) => string,
): McpServerAddress | undefined {
  if (typeof command === "string" && command !== "") {
    return { command: [command, ...toList(args)].map(fill), folder, environment: mapMembers(toObject(env), fill) };
  }
  const address = fill(url ?? "");
  return isWebAddress(address) ? { url: new URL(address), headers: mapMembers(toObject(headers), fill) } : undefined;
}

/** Replaces `${NAME}` and `${NAME:-default}` by the environment, and notes the names that have no value. */
function createFill(environment: Environment, unset: Set<string>): (text: JsonValue) => string {
  return (text) =>
    String(text).replaceAll(/\$\{(?:env:)?(\w+)(?::-([^}]*))?\}/gu, (written, name: string, fallback?: string) => {
      const value = environment[name] ?? fallback;
      if (value === undefined) unset.add(name);
      return value ?? written;
    });
}
