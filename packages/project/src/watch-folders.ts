import { type Dirent, existsSync, type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readErrorCode } from "./fs/entries.js";
import { isWithin } from "./fs/read-inside.js";
import type { HostQuestion } from "./read/host-questions.js";

interface TouchedPaths {
  /** hasp's own folder, which holds no specs; `undefined` while it is unknown. */
  readonly outDir: string | undefined;
  readonly questions: readonly HostQuestion[];
  readonly written: Iterable<string>;
}

/** Returns the absolute folders whose changes can cause a build; for a missing one, its nearest existing ancestor. */
export function foldersToWatch(root: string, { outDir, questions, written }: TouchedPaths): ReadonlySet<string> {
  const own = outDir === undefined ? undefined : join(root, outDir);
  const folders = new Set([root]);
  for (const { kind, question } of questions) {
    if (kind === "text") folders.add(dirname(join(root, question.uri)));
    if (kind === "module" || kind === "settings") folders.add(dirname(join(root, question)));
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
  // A linked package.
  if (!isWithin(root, folder)) return [folder];
  const above: string[] = [];
  for (let current = folder; isWithin(root, current); current = dirname(current)) above.push(current);
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

type FolderListener = (folder: string, name: string | undefined, kind: "rename" | "change") => void;

/** Thrown if the system has no more watches. */
export class TooManyWatches extends Error {}

/** The watched folders. Each watch covers a folder's own entries, not those of its subfolders. */
export interface FolderWatch {
  /**
   * Watches exactly these from now on. Returns true if any of them was not watched before: its earlier changes were
   * missed. Throws {@link TooManyWatches} if the system gives no more.
   */
  follow(folders: ReadonlySet<string>): boolean;
  close(): void;
}

interface Watched {
  readonly watcher: FSWatcher;
  /** Tells a folder from another that took its name. */
  readonly identity: string;
}

/**
 * Watches folders one by one. One watch per folder sees every change of its files; only the code that reads from them
 * knows which folders matter.
 */
export function watchFolders(listener: FolderListener): FolderWatch {
  const watched = new Map<string, Watched>();
  const drop = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };
  const add = (folder: string, identity: string): boolean => {
    try {
      const watcher = watch(folder, (kind, name) => {
        // A folder reports its own removal under its name. Its watch is dead then, and the next folder in its place may
        // get the same number.
        if (kind === "rename" && name === basename(folder) && watched.get(folder)?.watcher === watcher) drop(folder);
        listener(folder, name ?? undefined, kind);
      });
      watcher.on("error", () => {
        drop(folder);
        listener(folder, undefined, "rename");
      });
      watched.set(folder, { watcher, identity });
      return true;
    } catch (error) {
      // It vanished before it was watched; the watch on the folder above sees to the rest.
      if (
        readErrorCode(error) === "ENOENT" ||
        readErrorCode(error) === "ENOTDIR" ||
        readErrorCode(error) === "EACCES"
      ) {
        return false;
      }
      if (readErrorCode(error) === "ENOSPC" || readErrorCode(error) === "EMFILE") throw new TooManyWatches();
      throw error;
    }
  };
  return {
    follow(folders) {
      for (const folder of watched.keys()) if (!folders.has(folder)) drop(folder);
      let isNew = false;
      for (const folder of folders) {
        const identity = identityOf(folder);
        if (identity !== undefined && watched.get(folder)?.identity === identity) continue;
        drop(folder);
        if (identity !== undefined && add(folder, identity)) isNew = true;
      }
      return isNew;
    },
    close() {
      for (const folder of watched.keys()) drop(folder);
    },
  };
}

/** Returns a folder and all folders below it, except links and those that `isLeftOut` names. */
function foldersBelow(folder: string, isLeftOut: (path: string) => boolean): readonly string[] {
  const found: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules" && !isLeftOut(path)) {
        waiting.push(path);
      }
    }
  }
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It is gone, or closed to us: then nothing in it is read either.
    return [];
  }
}

function identityOf(folder: string): string | undefined {
  const entry = statSync(folder, { throwIfNoEntry: false });
  return entry?.isDirectory() === true ? `${entry.dev} ${entry.ino}` : undefined;
}
