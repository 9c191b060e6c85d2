import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { OutputFile } from "../../../compiler/src/model/output.js";
import type { WriteOptions } from "./plan-writes.js";
import { handlersIn, type PreviousManifest } from "./previous-manifest.js";
import { writeDiagnostics } from "./output-diagnostics.js";

/**
 * Finds handlers that no longer belong to their tools since the last build. Only the author knows if a tool was renamed
 * or dropped: nothing is moved or deleted, and the finding covers both cases. `created` are this build's new files; a
 * stub among them that takes the place of a handler is reported as well.
 */
export function findOrphanedHandlers(
  files: readonly OutputFile[],
  created: readonly OutputFile[],
  { handlers }: PreviousManifest,
  { root, outDir, handlersDir, excluded = [] }: Pick<WriteOptions, "root" | "outDir" | "handlersDir" | "excluded">,
): readonly Diagnostic[] {
  const wanted = new Set(files.filter(({ owner }) => owner === "user").map(({ path }) => path));
  const stubs = new Set(created.filter(({ owner }) => owner === "user").map(({ path }) => path));
  const current = handlersIn(files.find(({ path }) => path === `${outDir}/manifest.json`)?.text ?? "");
  const [stub] = stubs;
  const anywhere = stubs.size === 1 && stub !== undefined ? stub : "the new tool's handler";
  const generated = new Set(files.filter(({ owner }) => owner === "hasp").map(({ path }) => path));
  const unused = [...current].flatMap(([tool, path]) => {
    const own = `${handlersDir ?? ""}/${basename(path)}`;
    return handlersDir !== undefined && generated.has(path) && existsSync(join(root, own)) ? [{ tool, path: own }] : [];
  });
  const reported = new Set(unused.map(({ path }) => path));
  const orphaned = [...handlers].flatMap(([tool, path]) => {
    if (reported.has(path) || excluded.includes(tool) || path.split("/").includes("..")) return [];
    if (stubs.has(path)) return [writeDiagnostics("handler-replaced", undefined, { path, tool })];
    if (wanted.has(path) || !existsSync(join(root, path))) return [];
    const target = current.get(tool);
    return target === undefined
      ? [writeDiagnostics("handler-without-tool", undefined, { path, tool, target: anywhere })]
      : [writeDiagnostics("handler-moved", undefined, { path, tool, target })];
  });
  return [
    ...unused.map((each) => writeDiagnostics("handler-unused", undefined, each, { tool: each.tool })),
    ...orphaned,
  ];
}
