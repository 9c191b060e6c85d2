import { isStructured } from "@hasp/base/json";
import { lstatSync, readlinkSync, statSync, type BigIntStats } from "node:fs";

// Use bigints. A plain `statSync` leaves its numbers where Node's own `realpathSync` reads them again: after a pipe or
// socket, `import` then stops following links and misses a package's dependencies.

/** Reads the entry at a path, following links; `undefined` if there is none. Throws if the path is closed. */
export function entryAt(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** Reads the entry at a path without following links; `undefined` if there is none. Throws like `entryAt`. */
export function linkAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** Describes an entry that is not a file, such as `a folder`; `undefined` for a file, or if there is none. */
export function describeOddity(path: string): string | undefined {
  const entry = linkAt(path);
  if (entry === undefined || entry.isFile()) return undefined;
  if (entry.isSymbolicLink()) return `a symbolic link (to ${readlinkSync(path)})`;
  return entry.isDirectory() ? "a folder" : "not a regular file";
}

/** True for a folder, or a link to one; false for a link that leads nowhere or in a circle. */
export function isFolder(path: string): boolean {
  try {
    return entryAt(path)?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Returns the operating system's code, such as `ENOENT`; `undefined` if there is none. */
export function readErrorCode(error: unknown): string | undefined {
  return isStructured(error) && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
