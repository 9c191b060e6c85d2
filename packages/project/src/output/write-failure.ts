import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import { errorCode } from "../fs/entries.js";
import { writeDiagnostics } from "./output-diagnostics.js";
import { slashPath } from "../fs/slash-path.js";

const noPermission: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);
const diskFull: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/**
 * Turns a system error into a finding. `path` is the file that was refused, relative to the root; without it, the error
 * names the file. Throws any other error.
 */
export function describeFailure(error: unknown, root: string, path?: string): Diagnostic {
  const code = errorCode(error);
  if (code === undefined) throw error;
  const ownPath = error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : root;
  const place = path ?? (slashPath(root, ownPath) || ".");
  if (noPermission.has(code)) return writeDiagnostics("no-permission", undefined, { path: place });
  if (diskFull.has(code)) return writeDiagnostics("disk-full", undefined, { path: place });
  if (code === "EISDIR") return writeDiagnostics("not-a-file", undefined, { path: place });
  return writeDiagnostics("failed", undefined, { path: place, reason: code });
}
