import { join } from "node:path";
import type { OutputFile } from "../../../compiler/src/model/document.js";
import { findConflict } from "../../../compiler/src/phases/1-load/source-text.js";
import { insideProject } from "../fs/inside-project.js";
import { isUnedited, type PreviousManifest, readTextIfThere } from "./previous-manifest.js";

/** Finds files of the previous build that no spec makes any longer: unedited ones, and the others. */
export function findStaleOutputs(
  files: readonly OutputFile[],
  { outputs, merged }: PreviousManifest,
  root: string,
  outDir: string,
  isInside: (path: string) => boolean = insideProject(root),
): { readonly unedited: readonly string[]; readonly edited: readonly string[] } {
  const made = new Set(files.map(({ path }) => path));
  const unedited: string[] = [];
  const edited: string[] = [];
  for (const [path, digests] of outputs) {
    if (made.has(path) || !isGeneratedPath(path, outDir) || !isInside(path)) continue;
    const present = readTextIfThere(join(root, path));
    if (present === undefined) continue;
    // A merged generated file holds no edits of its own: Git has both sides.
    const isMerged = merged.has(path) || findConflict(present) !== undefined;
    if (isMerged || isUnedited(present, digests)) unedited.push(path);
    else edited.push(path);
  }
  return { unedited, edited };
}

/** A manifest is a file like any other: it is obeyed only inside hasp's own folder. */
export function isGeneratedPath(path: string, outDir: string): boolean {
  return path.startsWith(`${outDir}/`) && !path.split("/").includes("..");
}
