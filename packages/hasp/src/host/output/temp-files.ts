import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { removeQuietly } from "../fs/remove-quietly.js";

/** What a file is called until it is put in its place, after the process that writes it. */
const WRITTEN_ASIDE = /\.\d+\.hasp-tmp$/u;

/** Where a file is written before it is put in its place, which takes no time. */
export function placeAside(path: string): string {
  return `${path}.${process.pid}.hasp-tmp`;
}

/** Whether a file of this name is one that was not put in its place yet. */
export function isWrittenAside(name: string): boolean {
  return WRITTEN_ASIDE.test(name);
}

/**
 * Manifests that were written and never put in their place, relative to the root. A build writes its manifest aside
 * before all else and puts it in its place after all else: where one is left, a build was killed (or is at work just
 * now), and some of what stands on disk is what that manifest says.
 */
export function interruptedManifests(root: string, manifestPath: string): readonly string[] {
  const folder = dirname(manifestPath);
  return asideIn(join(root, folder))
    .filter((name) => name.replace(WRITTEN_ASIDE, "") === basename(manifestPath))
    .map((name) => `${folder}/${name}`);
}

/** Takes away what builds that were killed had written aside. To be called by who alone may write. */
export function removeWrittenAside(root: string, folders: Iterable<string>): void {
  for (const folder of folders) for (const name of asideIn(join(root, folder))) removeQuietly(join(root, folder, name));
}

function asideIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && isWrittenAside(entry.name))
      .map(({ name }) => name)
      .toSorted();
  } catch {
    // No folder holds nothing; who reads or writes in a closed one is told there.
    return [];
  }
}
