import { closeSync, constants, fsync, openSync, readSync, type Stats } from "node:fs";
import { promisify } from "node:util";
import { DamagedStore } from "@hasp/runtime";

const flush = promisify(fsync);

/** The flags that refuse a link in place of a file, and do not wait for the other end of a pipe. */
export const ONLY_FILES: number = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Windows flushes only what may be written. */
const TO_READ = process.platform === "win32" ? constants.O_RDWR : constants.O_RDONLY;

/** The bits of a mode by which others than the owner may do something. */
const OTHERS = 0o077;

/** Throws for what is no file, and for a file that others may read or write: what is in it is not trusted. */
export function checkOwn(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new DamagedStore(path);
  if (process.platform !== "win32" && (stats.mode & OTHERS) !== 0) {
    throw new Error(`${path} can be read by other users, so the call store does not trust it.`);
  }
}

/** Makes the names in a folder durable, where the platform can. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = openSync(path, constants.O_RDONLY);
  try {
    await flush(folder);
  } finally {
    closeSync(folder);
  }
}

/** Opens a file to read and to flush it; `undefined` if there is none of this name. */
export function openToRead(path: string): number | undefined {
  try {
    return openSync(path, TO_READ | ONLY_FILES);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return undefined;
  }
}

/** The bytes of a file between two places, as far as there are any. */
export function bytesOf(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  let read = 0;
  while (read < bytes.length) {
    const count = readSync(file, bytes, read, bytes.length - read, from + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}

/** The code of an error of the system. */
export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
