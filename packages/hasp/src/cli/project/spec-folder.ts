import { resolve } from "node:path";
import { foreignFolder } from "../../config/paths.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { placeWithin } from "../../host/fs/read-inside.js";
import { LEDGER_FOLDER } from "../../ledger/ledger-file.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

/** The absolute path of the folder that `--out` names for specs, or why none may be put there. */
export function specFolder(folder: string, out: string): { readonly path: string } | { readonly finding: Diagnostic } {
  const path = resolve(folder, out);
  const inside = placeWithin(folder, path);
  if (inside === undefined) return { finding: cliDiagnostics("out-outside", undefined, { out }) };
  const foreign = foreignFolder(inside);
  if (foreign !== undefined) return { finding: cliDiagnostics("out-in-foreign", undefined, { out, ...foreign }) };
  if (inside === LEDGER_FOLDER || inside.startsWith(`${LEDGER_FOLDER}/`)) {
    return { finding: cliDiagnostics("out-in-ledger", undefined, { out }) };
  }
  return { path };
}
