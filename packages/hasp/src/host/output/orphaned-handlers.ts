import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { OutputFile } from "../../model/output.js";
import type { WriteOptions } from "./plan-writes.js";
import type { PreviousManifest } from "./previous-manifest.js";
import { writeDiagnostics } from "./output-diagnostics.js";

/**
 * Handlers whose tools are gone since the last build. Whether a tool was renamed or dropped, only its author knows:
 * nothing is moved or deleted, and what to do in either case is said. `created` are the files that this build makes.
 */
export function findOrphanedHandlers(
  files: readonly OutputFile[],
  created: readonly OutputFile[],
  { handlers }: PreviousManifest,
  { root, excluded = [] }: Pick<WriteOptions, "root" | "excluded">,
): readonly Diagnostic[] {
  const wanted = new Set(files.filter(({ owner }) => owner === "user").map(({ path }) => path));
  const stubs = created.filter(({ owner }) => owner === "user").map(({ path }) => path);
  const [stub] = stubs;
  const target = stubs.length === 1 && stub !== undefined ? stub : "the new tool's handler";
  return [...handlers]
    .filter(([tool]) => !excluded.includes(tool))
    .filter(([, path]) => !wanted.has(path) && !path.split("/").includes("..") && existsSync(join(root, path)))
    .map(([tool, path]) => writeDiagnostics("handler-without-tool", undefined, { path, tool, target }));
}
