import { resolve } from "node:path";
import type { JsonObject } from "@hasp/schema";
import { builtInPlugins } from "@hasp/project/built-in";
import { listPrivateAddresses, findPeerPackage, listPeers } from "@hasp/compiler/handlers";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { isObject } from "@hasp/base/json";
import { type AddedConnection, addConnection } from "../importers/specs/add-connection.js";
import { importDiagnostics } from "../importers/source/diagnostics.js";
import type { ImportedConnection } from "../importers/source/importer.js";
import { toSlashPath } from "@hasp/project";
import { listImportablePackages } from "@hasp/project/modules";
import { editUserFile } from "@hasp/project/output";
import { CONFIG_NAMES, findConfigs } from "@hasp/project/read";
import { sessionDiagnostics } from "@hasp/project/session";

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

export interface WrittenConnections {
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
    const edited =
      hasPrivateAddress(settings) || /\.[cm]?[jt]s$/u.test(uri)
        ? ({ state: "unchanged" } as const)
        : await editUserFile(root, path, (text) => {
            outcome = addConnection(uri, text, connection);
            return outcome.kind === "added" && !isCheck ? outcome.text : undefined;
          });
    const result = outcome as AddedConnection;
    if (edited.state === "failed") {
      diagnostics.push(sessionDiagnostics("cannot-write", undefined, { path: shown, reason: edited.reason }));
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
  const needed = await listPeers(
    added.map(({ settings }) => settings),
    builtInPlugins.handlerKinds,
  );
  const found = listImportablePackages(root, needed);
  const missingPackages = [...new Set(needed.filter((name) => !found.includes(name)).map(findPeerPackage))];
  return { added, path: shown, missingPackages, diagnostics };
}
