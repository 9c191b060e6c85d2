import type { Dirent } from "node:fs";
import { join } from "node:path";

/** One folder whose files are wanted, with those that lie deeper, and what is left out. */
export interface PlainFolder {
  /** Relative to the root; `""` for the root itself. */
  readonly path: string;
  /** Folders of these names are left out, wherever they stand. */
  readonly ignoredNames: ReadonlySet<string>;
  /** Folders with these paths are left out. */
  readonly ignoredPaths: ReadonlySet<string>;
}

/** What a walk asks of an entry. */
export type WalkedEntry = Pick<Dirent, "name" | "isFile" | "isDirectory" | "isSymbolicLink">;

/** What means something in a glob, and so is no plain name. */
const SPECIAL = /[\\*?[\](){}!+@|]/u;
const EVERYWHERE = /^\*\*\/([^/]+)\/\*\*$/u;
const BELOW = /^(.+)\/\*\*$/u;

/**
 * The folder that globs come to, where they are one folder and all that is below it, without others; else `undefined`.
 */
export function plainFolder(patterns: readonly string[], ignore: readonly string[]): PlainFolder | undefined {
  const [pattern, ...others] = patterns;
  const path = pattern === "**" ? "" : BELOW.exec(pattern ?? "")?.[1];
  if (path === undefined || others.length > 0 || SPECIAL.test(path)) return undefined;
  const ignoredNames = new Set<string>();
  const ignoredPaths = new Set<string>();
  for (const entry of ignore) {
    const name = EVERYWHERE.exec(entry)?.[1];
    const folder = name === undefined ? BELOW.exec(entry)?.[1] : undefined;
    const plain = name ?? folder;
    if (plain === undefined || SPECIAL.test(plain)) return undefined;
    (name === undefined ? ignoredPaths : ignoredNames).add(plain);
  }
  return { path, ignoredNames, ignoredPaths };
}

/**
 * Every file of the folder and of those below it, relative to the root: just what the globs would find that it stands
 * for. As there, what begins with a dot is passed over, but for the folder itself.
 */
export function walkFolder(
  root: string,
  folder: PlainFolder,
  entriesOf: (path: string) => readonly WalkedEntry[],
): readonly string[] {
  const { path: start, ignoredNames, ignoredPaths } = folder;
  const parts = start === "" ? [] : start.split("/");
  const isOut = parts.some(
    (part, index) => ignoredNames.has(part) || ignoredPaths.has(parts.slice(0, index + 1).join("/")),
  );
  const found: string[] = [];
  const waiting = isOut ? [] : [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const entry of entriesOf(join(root, path))) {
      const { name } = entry;
      const own = path === "" ? name : `${path}/${name}`;
      if (name.startsWith(".") || ignoredNames.has(name) || ignoredPaths.has(own)) continue;
      if (entry.isDirectory()) waiting.push(own);
      else if (entry.isFile()) found.push(own);
    }
  }
  return found;
}
