import { rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OutputFile } from "../../../compiler/src/model/document.js";
import { insideProject, isBelow } from "../fs/inside-project.js";
import { removeQuietly } from "../fs/write-atomically.js";
import { interruptedManifests, temporaryFilesIn } from "./interrupted-manifests.js";
import { changesAnything, type WritePlan } from "./plan-writes.js";
import { readPreviousManifest } from "./previous-manifest.js";
import { isGeneratedPath } from "./stale-outputs.js";

/** Finds folders in which an interrupted build may have left temporary files; none without a sign of one. */
export function foldersToTidy(
  files: readonly Pick<OutputFile, "path">[],
  plan: WritePlan,
  root: string,
  outDir: string,
): readonly string[] {
  const manifest = `${outDir}/manifest.json`;
  const wasInterrupted = interruptedManifests(root, manifest).length > 0;
  if (!wasInterrupted && !changesAnything(plan)) return [];
  const isInside = insideProject(root);
  const previous = wasInterrupted ? [...readPreviousManifest(root, manifest).outputs.keys()] : [];
  const paths = [
    manifest,
    ...files.map(({ path }) => path),
    ...previous.filter((path) => isGeneratedPath(path, outDir) && isInside(path)),
    ...plan.deleted,
  ];
  return [...new Set(paths.map((path) => dirname(path)))];
}

/** Removes the temporary files of interrupted builds in these folders, and the folders that are then empty. */
export function removeTempFiles(folders: readonly string[], root: string): void {
  for (const folder of folders) {
    for (const name of temporaryFilesIn(join(root, folder))) removeQuietly(join(root, folder, name));
  }
  for (const folder of folders) removeEmptyFolders(join(root, folder), root);
}

/** Removes a folder and those above it as long as they are empty, and never `end`. */
export function removeEmptyFolders(folder: string, end: string): void {
  let current = folder;
  while (isBelow(end, current)) {
    try {
      rmdirSync(current);
    } catch {
      return;
    }
    current = dirname(current);
  }
}
