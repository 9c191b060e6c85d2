import { resolve } from "node:path";
import { findForeignFolder } from "@hasp/compiler/model";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { LEDGER_FOLDER } from "@hasp/compiler/claims";
import { placeWithin } from "../fs/read-inside.js";
import { toSlashPath } from "../fs/slash-path.js";
import { sessionDiagnostics } from "./diagnostics.js";

export function findEditorSchemaPath(projectFolder: string, specFolder: string): string {
  const up = toSlashPath(specFolder, projectFolder);
  return `${up === "" ? "." : up}/node_modules/hasp/schema/tool-spec.schema.json`;
}

const DEFAULT_FOLDER = "specs";

export function findSpecFolder(
  root: string,
  folder: string,
  named: string | undefined,
): { readonly path: string } | { readonly finding: Diagnostic } {
  const out = named ?? DEFAULT_FOLDER;
  const path = resolve(named === undefined ? root : folder, out);
  const inside = placeWithin(root, path);
  if (inside === undefined) return { finding: sessionDiagnostics("out-outside", undefined, { out }) };
  const foreign = findForeignFolder(inside);
  if (foreign !== undefined) return { finding: sessionDiagnostics("out-in-foreign", undefined, { out, ...foreign }) };
  if (inside === LEDGER_FOLDER || inside.startsWith(`${LEDGER_FOLDER}/`)) {
    return { finding: sessionDiagnostics("out-in-ledger", undefined, { out }) };
  }
  return { path };
}
