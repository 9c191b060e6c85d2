import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HostQuestion } from "../read/compiler-host.js";
import { foldersBelow } from "./watch-folders.js";

/** What the last build read and wrote; all paths are relative to the root. */
interface TouchedPaths {
  /** hasp's own folder, in which no spec is looked for; `undefined` as long as it is not known. */
  readonly outDir: string | undefined;
  /** What it asked. */
  readonly questions: readonly HostQuestion[];
  /** The files that it left. */
  readonly written: Iterable<string>;
}

/**
 * Every folder in which a change can make another build; where one is missing, the nearest above it that is there.
 * Absolute paths.
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
  // Only where the project itself is gone is anything beyond it looked at.
  return existsSync(root) ? above : [nearestThere(root)];
}

function nearestThere(path: string): string {
  return existsSync(path) ? path : nearestThere(dirname(path));
}

/** The folders of a pattern that are no pattern. */
function fixedPartOf(pattern: string): string {
  const segments = pattern.split("/");
  const first = segments.findIndex((segment) => /[*?[\](){}!+@|\\]/u.test(segment));
  return segments.slice(0, first === -1 ? segments.length - 1 : first).join("/");
}
