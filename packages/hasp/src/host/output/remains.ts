import { dirname, join } from "node:path";
import type { OutputFile } from "../../model/output.js";
import { isOwnPlace } from "./stale-outputs.js";
import { insideProject } from "../fs/inside-project.js";
import { readLastBuild } from "./previous-manifest.js";
import { changesAnything, type WritePlan } from "./plan-writes.js";
import { removeEmptyFolders } from "./remove-empty-folders.js";
import { interruptedManifests, removeWrittenAside } from "./temp-files.js";

/**
 * Folders in which a build that was killed may have left what it had written aside; none where nothing speaks for that.
 */
export function foldersOfRemains(
  files: readonly Pick<OutputFile, "path" | "owner">[],
  plan: WritePlan,
  root: string,
  outDir: string,
): readonly string[] {
  const manifest = `${outDir}/manifest.json`;
  const wasKilled = interruptedManifests(root, manifest).length > 0;
  if (!wasKilled && !changesAnything(plan)) return [];
  const own = files.filter(({ owner }) => owner === "hasp").map(({ path }) => path);
  const isInside = insideProject(root);
  const theirs = wasKilled ? [...readLastBuild(root, manifest).outputs.keys()] : [];
  const paths = [manifest, ...own, ...theirs.filter((path) => isOwnPlace(path, outDir) && isInside(path))];
  return [...new Set([...paths, ...plan.deleted].map((path) => dirname(path)))];
}

/** Takes away what builds that were killed left in these folders, and the folders that nothing else stands in. */
export function takeAwayRemains(folders: readonly string[], root: string): void {
  removeWrittenAside(root, folders);
  for (const folder of folders) removeEmptyFolders(join(root, folder), root);
}
