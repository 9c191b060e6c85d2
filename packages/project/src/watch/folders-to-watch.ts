import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HostQuestion } from "../read/compiler-host.js";
import { foldersBelow } from "./watch-folders.js";

interface TouchedPaths {
  /** hasp's own folder, which holds no specs; `undefined` while it is unknown. */
  readonly outDir: string | undefined;
  readonly questions: readonly HostQuestion[];
  readonly written: Iterable<string>;
}

/**
 * Returns every folder in which a change can cause another build; for a missing one, the nearest existing folder above
 * it. Absolute paths.
 */
export function foldersToWatch(root: string, { outDir, questions, written }: TouchedPaths): ReadonlySet<string> {
  const own = outDir === undefined ? undefined : join(root, outDir);
  const folders = new Set([root]);
  for (const { kind, question } of questions) {
    if (kind === "text") folders.add(dirname(join(root, question.uri)));
    if (kind === "module") folders.add(dirname(join(root, question)));
    if (kind === "folder") folders.add(join(root, question.folder));
    for (const pattern of kind === "specs" ? question.patterns : []) {
      const base = join(root, fixedPartOf(pattern));
      for (const folder of foldersBelow(base, (path) => path === own)) folders.add(folder);
    }
  }
  for (const path of written) folders.add(dirname(join(root, path)));
  return new Set([...folders].flatMap((folder) => withFoldersAbove(folder, root)));
}

function withFoldersAbove(folder: string, root: string): readonly string[] {
  const above: string[] = [];
  for (let current = folder; current.startsWith(root); current = dirname(current)) above.push(current);
  // Anything beyond the project matters only if the project itself is gone.
  return existsSync(root) ? above : [nearestThere(root)];
}

function nearestThere(path: string): string {
  return existsSync(path) ? path : nearestThere(dirname(path));
}

/** Returns the leading folders of a pattern that contain no wildcard. */
function fixedPartOf(pattern: string): string {
  const segments = pattern.split("/");
  const first = segments.findIndex((segment) => /[*?[\](){}!+@|\\]/u.test(segment));
  return segments.slice(0, first === -1 ? segments.length - 1 : first).join("/");
}
