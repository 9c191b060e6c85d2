import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { exportDiagnostics } from "../diagnostics.js";
import { oddityAt } from "../../../../project/src/fs/entries.js";
import { insideProject } from "../../../../project/src/fs/inside-project.js";
import { slashPath } from "../../../../project/src/fs/slash-path.js";

/** The files of a bundle by their paths in it. */
export type BundleFiles = Map<string, Uint8Array>;

/** Files that a compiler leaves beside JavaScript. */
export const NOT_RUN: RegExp = /\.(?:d\.[cm]?ts|map|tsbuildinfo)$/u;

/** Adds the files below a folder. Skips hidden ones, which may hold secrets; reports links and irregular files. */
export function addProjectFolder(root: string, folder: string, files: BundleFiles): readonly Diagnostic[] {
  const isInside = insideProject(root);
  if (!isInside(join(folder, "x"))) return [exportDiagnostics("outside", undefined, { path: slashPath(root, folder) })];
  return readdirSync(folder)
    .filter((name) => !name.startsWith(".") && name !== "node_modules" && !NOT_RUN.test(name))
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      const oddity = oddityAt(path);
      if (oddity === "a folder") return addProjectFolder(root, path, files);
      return addProjectFile(root, path, files);
    });
}

export function addProjectFile(
  root: string,
  file: string,
  files: BundleFiles,
  as: string = slashPath(root, resolve(root, file)),
): readonly Diagnostic[] {
  const path = resolve(root, file);
  const shown = slashPath(root, path);
  const what = oddityAt(path);
  if (what !== undefined) return [exportDiagnostics("not-a-regular-file", undefined, { path: shown, what })];
  if (!insideProject(root)(path)) return [exportDiagnostics("outside", undefined, { path: shown })];
  files.set(as, readFileSync(path));
  return [];
}

/** Finds the topmost folder on the way to a module; the root itself if the module is in none. */
export function outermostFolder(root: string, file: string): string {
  const [first = ""] = slashPath(root, dirname(resolve(root, file))).split("/");
  return join(root, first);
}
