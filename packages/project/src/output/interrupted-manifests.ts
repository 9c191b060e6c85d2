import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isTemporary, originalName } from "../fs/write-atomically.js";

/**
 * Lists manifests under temporary names, relative to the root. A build writes its manifest under one first, renames it
 * after all other files, and finally deletes the backup of the previous one. If one is left, a build was interrupted or
 * is running, and some of the files on disk are those of that manifest.
 */
export function interruptedManifests(root: string, manifestPath: string): readonly string[] {
  const folder = dirname(manifestPath);
  return temporaryFilesIn(join(root, folder))
    .filter((name) => originalName(name) === basename(manifestPath))
    .map((name) => `${folder}/${name}`);
}

/** Returns the names of the temporary files directly in a folder, sorted. */
export function temporaryFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && isTemporary(entry.name))
      .map(({ name }) => name)
      .toSorted();
  } catch {
    // A missing folder holds nothing; reads and writes in a closed one report that themselves.
    return [];
  }
}
