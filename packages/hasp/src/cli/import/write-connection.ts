import { resolve } from "node:path";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { listPrivateAddresses, findPeerPackage, listPeers } from "@hasp/compiler/handlers";
import { type Diagnostic, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import { isObject } from "@hasp/base/json";
import { type AddedConnection, importDiagnostics, type ImportedConnection } from "@hasp/import";
import { toSlashPath } from "@hasp/project";
import { listImportablePackages } from "@hasp/project/modules";
import { editUserFile } from "@hasp/project/output";
import { CONFIG_NAMES, findConfigs } from "@hasp/project/read";
import { printTable } from "@hasp/report";
import { cliDiagnostics } from "../shell/diagnostics.js";
import type { ImportedSpec } from "./put-settings.js";

interface SummarySettings {
  readonly out: string;
  readonly isCheck: boolean;
  /** Refused tools whose specs stay as they were. */
  readonly kept: readonly string[];
  /** True if the configuration does not cover the folder. */
  readonly isUnseen: boolean;
  readonly connections: WrittenConnections;
  readonly handlers: readonly string[];
  readonly notes: number;
  /** Options that further commands need for the same project. */
  readonly place: string;
  /** Open inputs that nobody has approved, and the command that asks about them. */
  readonly approval: { readonly claims: number; readonly command: string };
}

export function importSummary(
  states: readonly ImportedSpec[],
  refused: readonly string[],
  settings: SummarySettings,
): string {
  const { out, isCheck, isUnseen, kept, notes, place, connections, handlers, approval } = settings;
  const total = states.length + refused.length;
  const same = states.filter(({ state }) => state === "unchanged").length;
  if (isCheck) {
    return `${same} of ${pluralize(total, "tool")} in ${out} ${same === 1 ? "matches" : "match"} the source.\n`;
  }
  const lines = [
    `${states.length} of ${pluralize(total, "tool")} imported into ${out}${same === 0 ? "" : ` (${same} unchanged)`}`,
  ];
  if (notes > 0) {
    lines.push(
      `${pluralize(notes, "word")} of the source rewritten in JSON Schema, with the same meaning; --format json lists them`,
    );
  }
  const suggesting = states.filter(({ suggests }) => suggests).map(({ tool }) => tool);
  const claims = countClaims(suggesting.map(({ spec }) => spec["suggested"]));
  if (claims.length > 0) {
    lines.push("", "The source makes claims that no spec adopts yet (see `suggested` in each):");
    lines.push(
      ...printTable([{ title: "" }, { title: "" }], claims)
        .slice(1)
        .map((line) => `  ${line}`),
    );
  }
  const written = new Set([...kept, ...states.map(({ tool }) => tool.name)]);
  const missing = refused.filter((name) => !written.has(name));
  if (missing.length > 0) lines.push("", `Not imported: ${missing.map(printVisibleText).join(", ")}`);
  if (kept.length > 0) lines.push("", `Not updated: ${kept.map(printVisibleText).join(", ")}`);
  if (isUnseen) {
    lines.push(
      "",
      `No build will include them: "specs" in the configuration does not cover ${out}. Add it there, or import with another --out.`,
    );
  }
  lines.push(...connectionLines(connections));
  if (handlers.length > 0) {
    lines.push("", `Handlers that call the module: ${handlers.join(", ")}`);
  }
  if (states.length > 0) {
    lines.push(
      "",
      "Next: read the specs, commit them with hasp-imports, which later updates need, and run `hasp check`, then `hasp build`.",
    );
    if (approval.claims > 0) {
      const wait = approval.claims === 1 ? "waits" : "wait";
      lines.push(
        `${pluralize(approval.claims, "place")} that the source leaves open ${wait} for an approval before a build: \`${approval.command}\`.`,
      );
    }
    const first = suggesting.find(({ spec }) => spec["suggested"] !== undefined);
    if (first !== undefined) {
      lines.push(
        `Approve the claims that you believe, tool by tool: \`hasp approve ${first.name} --suggested --yes --reason "why you believe it"${place}\`.`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

function connectionLines({ added, path, missingPackages }: WrittenConnections): readonly string[] {
  if (added.length === 0) return [];
  const variables = new Map(
    added.flatMap(({ variables: own }) => own.map(({ name, holds }) => [name, holds] as const)),
  );
  const names = added.map(({ name }) => printVisibleText(name)).join(", ");
  return [
    "",
    `Added to ${path}: ${added.length === 1 ? "the connection" : "the connections"} ${names}.`,
    ...(variables.size === 0
      ? []
      : ["Set these variables in the environment of calls, or in a file: hasp call … --env-file .env"]),
    ...[...variables].map(([name, holds]) => `  ${name}: ${printVisibleText(holds)}`),
    ...(missingPackages.length === 0 ? [] : [`Install what calls need: npm install ${missingPackages.join(" ")}`]),
  ];
}

function countClaims(suggested: readonly (JsonValue | undefined)[]): readonly (readonly [string, string])[] {
  const counts = new Map<string, number>();
  for (const claims of suggested) {
    if (typeof claims !== "object" || claims === null) continue;
    for (const [name, value] of Object.entries(claims)) {
      if (name === "from") continue;
      const claim = `${name}: ${String(value)}`;
      counts.set(claim, (counts.get(claim) ?? 0) + 1);
    }
  }
  const width = String(Math.max(...counts.values())).length;
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([claim, count]) => [claim, `${" ".repeat(width - String(count).length)}${pluralize(count, "tool")}`]);
}

function hasPrivateAddress({ http, mcp }: JsonObject): boolean {
  return (
    [
      [http, "baseUrl"],
      [mcp, "url"],
    ] as const
  ).some(
    ([own, setting]) =>
      isObject(own) && own["allowPrivateAddresses"] !== true && listPrivateAddresses(own, setting).length > 0,
  );
}

interface ConnectionSettings {
  readonly root: string;
  readonly config?: string | undefined;
  readonly isCheck: boolean;
}

interface WrittenConnections {
  readonly added: readonly ImportedConnection[];
  readonly path: string;
  /** Packages that calls through these connections need and the project lacks. */
  readonly missingPackages: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Adds connections to the project's configuration, and creates it if missing. Never changes an existing connection, and
 * never edits a configuration that is a program: the finding tells what to add.
 */
export async function writeConnections(
  connections: readonly ImportedConnection[],
  { root, config, isCheck }: ConnectionSettings,
): Promise<WrittenConnections> {
  const { addConnection } = await import("@hasp/import");
  const [uri = CONFIG_NAMES[0]] = config === undefined ? findConfigs(root) : [config];
  const path = resolve(root, uri);
  const shown = toSlashPath(root, path);
  const added: ImportedConnection[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const connection of connections) {
    const { name, settings } = connection;
    const about = { name, path: shown, text: JSON.stringify({ [name]: settings }) };
    let outcome: AddedConnection = { kind: "refused" };
    // No importer of ours states an address that no build accepts.
    const { state, reason } =
      hasPrivateAddress(settings) || /\.[cm]?[jt]s$/u.test(uri)
        ? { state: "unchanged" as const }
        : await editUserFile(path, (text) => {
            outcome = addConnection(uri, text, connection);
            return outcome.kind === "added" && !isCheck ? outcome.text : undefined;
          });
    const result = outcome as AddedConnection;
    if (state === "failed") {
      diagnostics.push(cliDiagnostics("cannot-write", undefined, { path: shown, reason: reason ?? "" }));
    } else if (result.kind === "refused" || (result.kind === "added" && isCheck)) {
      diagnostics.push(importDiagnostics("connection-missing", undefined, about));
    } else if (result.kind === "added") added.push(connection);
    else if (!result.isSameKind) diagnostics.push(importDiagnostics("connection-taken", undefined, about));
    else if (!result.isSame) diagnostics.push(importDiagnostics("connection-kept", undefined, about));
  }
  for (const { name, unreachable: url } of added) {
    if (url === undefined) continue;
    diagnostics.push(importDiagnostics("unreachable-address", undefined, { name, path: shown, url }));
  }
  const needed = [...new Set(added.flatMap(({ settings }) => listPeers(settings)))];
  const found = listImportablePackages(root, needed);
  const missingPackages = [...new Set(needed.filter((name) => !found.includes(name)).map(findPeerPackage))];
  return { added, path: shown, missingPackages, diagnostics };
}
