import { type BigIntStats, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { linkAt } from "./entries.js";
import { isWithin } from "./read-inside.js";

/** What the system says of a file beside its content: how long it is, when it changed, and which file it is. */
export type FileStamp = string;

/** Tells whether files of one folder are still what they were, without reading them. */
export interface FileStamps {
  /**
   * The stamp of a file as this run has found it; `undefined` where another content might have the same stamp, so that
   * the file must be read again: something that is no regular file, or is reached through a link, or was changed so
   * lately that one more change may bear the same time.
   */
  of(path: string): FileStamp | undefined;
  /** Whether the file is, unchanged, the one that the stamp was made of. */
  isUnchanged(path: string, stamp: FileStamp | undefined): boolean;
}

/** The coarsest clock of a file system in use: FAT counts in steps of two seconds. */
const COARSEST_STEP = 2_000_000_000n;

/**
 * Stamps as git's index has them (see `git help racy-git`): size, both times of change and the number of the file. A
 * program may set the time of modification back, but not the time at which the system saw the file change. A file that
 * changed after the run began, or just before, gets no stamp: while the clock shows the same time, its content may
 * change once more.
 *
 * @param root The folder below which all paths lie.
 * @param began When the run began, before it read anything, in milliseconds since 1970.
 */
export function fileStamps(root: string, began: number = performance.timeOrigin): FileStamps {
  const realRoot = realpathSync.native(root);
  const settledBefore = BigInt(Math.floor(began)) * 1_000_000n - COARSEST_STEP;
  const folders = new Map<string, boolean>();
  const isPlainFolder = (folder: string): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const isPlain = isWithin(realRoot, folder) && realpathOf(folder) === folder;
    folders.set(folder, isPlain);
    return isPlain;
  };
  const regularFile = (path: string): { readonly stamp: FileStamp; readonly isSettled: boolean } | undefined => {
    const place = join(realRoot, path);
    if (!isPlainFolder(dirname(place))) return undefined;
    const entry = entryOf(place);
    if (entry?.isFile() !== true) return undefined;
    const { size, mtimeNs, ctimeNs, ino } = entry;
    return {
      stamp: `${size} ${mtimeNs} ${ctimeNs} ${ino}`,
      isSettled: mtimeNs < settledBefore && ctimeNs < settledBefore,
    };
  };
  return {
    of(path) {
      const file = regularFile(path);
      return file?.isSettled === true ? file.stamp : undefined;
    },
    isUnchanged: (path, stamp) => stamp !== undefined && regularFile(path)?.stamp === stamp,
  };
}

/** What is closed to us, or below what is no folder, is as good as absent: whoever reads it says what is wrong. */
function entryOf(path: string): BigIntStats | undefined {
  try {
    return linkAt(path);
  } catch {
    return undefined;
  }
}

function realpathOf(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch {
    return undefined;
  }
}
