import { resolve } from "node:path";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { CONFIG_NAMES, configsIn } from "../../../../project/src/read/config-names.js";
import { slashPath } from "../../../../project/src/fs/slash-path.js";
import { listPeers } from "../../../../compiler/src/builtin/handlers/base/peers.js";
import { checkAddress } from "../../../../compiler/src/builtin/handlers/base/check-address.js";
import { importablePackages } from "../../../../project/src/modules/importable-packages.js";
import { editUserFile } from "../../../../project/src/output/user-files.js";
import type { AddedConnection } from "../../../../import/src/importers/connections/add-connection.js";
import { importDiagnostics } from "../../../../import/src/importers/source/diagnostics.js";
import { isObject } from "../../../../compiler/src/model/json-kind.js";
import type { ImportedConnection } from "../../../../import/src/importers/specs/imported-source.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

interface ConnectionSettings {
  readonly root: string;
  /** Relative to the root; from the command line. */
  readonly config?: string | undefined;
  readonly isCheck: boolean;
}

export interface WrittenConnections {
  readonly added: readonly ImportedConnection[];
  /** Relative to the root. */
  readonly path: string;
  /** Packages that calls through these connections need and the project lacks. */
  readonly missingPackages: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Adds connections to the project's configuration, and creates it if missing. Never changes an existing connection,
 * and never edits a configuration that is a program: the finding tells what to add.
 */
export async function writeConnections(
  connections: readonly ImportedConnection[],
  { root, config, isCheck }: ConnectionSettings,
): Promise<WrittenConnections> {
  const { addConnection } = await import("../../../../import/src/importers/connections/add-connection.js");
  const [uri = CONFIG_NAMES[0]] = config === undefined ? configsIn(root) : [config];
  const path = resolve(root, uri);
  const shown = slashPath(root, path);
  const added: ImportedConnection[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const connection of connections) {
    const { name, settings } = connection;
    const about = { name, path: shown, text: JSON.stringify({ [name]: settings }) };
    let outcome: AddedConnection = { kind: "refused" };
    const { state, reason } = /\.[cm]?[jt]s$/u.test(uri)
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
  for (const { name, settings } of added) {
    for (const [kind, setting] of [
      ["http", "baseUrl"],
      ["mcp", "url"],
    ] as const) {
      const own = settings[kind];
      if (!isObject(own) || own[setting] === undefined) continue;
      checkAddress(name, own, setting, (_code, problem) => {
        const url = problem !== undefined && "url" in problem ? problem.url : String(own[setting]);
        diagnostics.push(importDiagnostics("unreachable-address", undefined, { name, path: shown, url }));
      });
    }
  }
  const needed = [...new Set(added.flatMap(({ settings }) => listPeers(settings)))];
  const found = importablePackages(root, needed);
  return { added, path: shown, missingPackages: needed.filter((name) => !found.includes(name)), diagnostics };
}
