import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseTokens, type TokenStore } from "./token-store.js";

/** An older lock belongs to a dead process: no token request may take half as long. */
const STALE_LOCK_MS = 90_000;
const LOCK_POLL_MS = 50;
/** The mode bits that give others access. */
const OTHERS = 0o077;

/** Keeps tokens as files that only this user can read; a file that others can read counts as absent. */
export function fileTokenStore(folder: string): TokenStore {
  const pathOf = (key: string, ending: string): string => join(folder, `${key}.${ending}`);
  const queue = new Map<string, Promise<unknown>>();
  return {
    read: async (key) => {
      const text = await readPrivate(pathOf(key, "json"));
      return text === undefined ? undefined : parseTokens(text);
    },
    async write(key, tokens) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = pathOf(key, randomUUID());
      try {
        await writeFile(unfinished, JSON.stringify(tokens), { mode: 0o600, flag: "wx", flush: true });
        await rename(unfinished, pathOf(key, "json"));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    remove: async (key) =>
      rm(pathOf(key, "json")).then(
        () => true,
        () => false,
      ),
    async exclusively(key, work) {
      const result = (queue.get(key) ?? Promise.resolve()).then(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        return underLock(pathOf(key, "lock"), work);
      });
      // The next caller waits until this one settles.
      const ended = result.then(noMatter, noMatter);
      queue.set(key, ended);
      void ended.then(() => queue.get(key) === ended && queue.delete(key));
      return result;
    },
  };
}

function noMatter(): void {}

/** Reads a file of this user alone: no link, and no file that others may read. */
async function readPrivate(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { mode } = await file.stat();
    const isPrivate = process.platform === "win32" || (mode & OTHERS) === 0;
    return isPrivate ? await file.readFile("utf8") : undefined;
  } finally {
    await file.close();
  }
}

/** Runs `work` while this process holds a lock file. */
async function underLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  while (!(await createLock(path))) {
    await removeStaleLock(path);
    await wait(LOCK_POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function createLock(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function removeStaleLock(path: string): Promise<void> {
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > STALE_LOCK_MS) await rm(path, { force: true });
}
