import { lstatSync, readlinkSync, statSync, type BigIntStats } from "node:fs";

// Asked for in bigints, which Node keeps apart. A plain `statSync` leaves its numbers where Node's own `realpathSync`
// reads them again: after one of a pipe or socket, `import` follows no links any longer and does not find what a
// package rests on.

/**
 * What is at a path, links followed; `undefined` where there is nothing. Throws what the system says about a path that is
 * closed to us.
 */
export function entryAt(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** What is at a path itself, links not followed; `undefined` where there is nothing. Throws like `entryAt`. */
export function linkAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** What an entry is that is not a file, such as `a folder`; `undefined` for a file, or where there is nothing. */
export function oddityAt(path: string): string | undefined {
  const entry = linkAt(path);
  if (entry === undefined || entry.isFile()) return undefined;
  if (entry.isSymbolicLink()) return `a symbolic link (to ${readlinkSync(path)})`;
  return entry.isDirectory() ? "a folder" : "not a regular file";
}

/** Whether there is a folder at this path, or a link to one; a link that leads nowhere or in a circle is none. */
export function isFolder(path: string): boolean {
  try {
    return entryAt(path)?.isDirectory() === true;
  } catch {
    return false;
  }
}
