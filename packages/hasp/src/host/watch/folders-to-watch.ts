import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { foldersBelow } from "./watch-folders.js";

/** What the last build read and wrote; all paths are relative to the root. */
export interface TouchedPlaces {
  /** hasp's own folder, in which no spec is looked for; `undefined` as long as it is not known. */
  readonly outDir: string | undefined;
  /** The patterns in which specs were looked for. */
  readonly patterns: readonly string[];
  /** Folders whose entries decided what was read. */
  readonly asked: Iterable<string>;
  /** The files that stand there by its work. */
  readonly written: Iterable<string>;
}

/**
 * Every folder in which a change can make another build; where one is missing, the nearest above it that is there.
 * Absolute paths.
 */
export function foldersToWatch(root: string, { outDir, patterns, asked, written }: TouchedPlaces): ReadonlySet<string> {
  const own = outDir === undefined ? undefined : join(root, outDir);
  const folders = new Set([root]);
  for (const pattern of patterns) {
    const base = join(root, fixedPartOf(pattern));
    for (const folder of foldersBelow(base, (path) => path === own)) folders.add(folder);
  }
  for (const folder of asked) folders.add(join(root, folder));
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
