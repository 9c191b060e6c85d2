import { closeSync, constants, fstatSync, fsync, openSync, readSync, type Stats } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { DamagedStore } from "@hasp/runtime/call-store";
import { hash } from "node:crypto";

const flush = promisify(fsync);

/** The flags that refuse a link in place of a file, and do not wait for the other end of a pipe. */
export const ONLY_FILES: number = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Windows flushes only files opened for writing. */
const TO_READ = process.platform === "win32" ? constants.O_RDWR : constants.O_RDONLY;

/** The mode bits that give others access. */
const OTHERS = 0o077;

/** Throws if the path is not a file, or if others may read or write it: its content is not trusted. */
export function checkOwn(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new DamagedStore(path);
  if (process.platform !== "win32" && (stats.mode & OTHERS) !== 0) {
    throw new Error(`${path} can be read by other users, so the call store does not trust it.`);
  }
}

/** Makes the names in a folder durable, if the platform can. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = openSync(path, constants.O_RDONLY);
  try {
    await flush(folder);
  } finally {
    closeSync(folder);
  }
}

/** Opens a file to read and to flush it; `undefined` if it does not exist. */
export function openToRead(path: string): number | undefined {
  try {
    return openSync(path, TO_READ | ONLY_FILES);
  } catch (error) {
    if (readCode(error) !== "ENOENT") throw error;
    return undefined;
  }
}

/** Reads the bytes of a file between two positions, as far as there are any. */
export function readBytes(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  let read = 0;
  while (read < bytes.length) {
    const count = readSync(file, bytes, read, bytes.length - read, from + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}

export function readCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}

export function digest(id: string): string {
  return hash("sha256", id);
}

/** The time for which an unused file stays open. Windows does not say if an open file was removed. */
const HOLD_MS = process.platform === "win32" ? 0 : 50;

/** A file that stays open for a moment after each use, since the next one often follows at once. */
export class HeldFile {
  readonly #path: string;
  readonly #flags: number;
  #file: number | undefined;
  #isUsed = false;
  #wasUsed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, flags: number) {
    this.#path = path;
    this.#flags = flags;
  }

  /** Opens the file until {@link release}; one user at a time. Throws if it cannot be opened. */
  take(): number {
    if (this.#file !== undefined && fstatSync(this.#file).nlink === 0) this.close();
    this.#file ??= openSync(this.#path, this.#flags);
    this.#isUsed = this.#wasUsed = true;
    return this.#file;
  }

  release(): void {
    this.#isUsed = false;
    this.#timer ??= setTimeout(() => this.#closeIfIdle(), HOLD_MS).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #closeIfIdle(): void {
    if (this.#isUsed || this.#wasUsed) {
      this.#wasUsed = false;
      this.#timer?.refresh();
    } else {
      this.close();
    }
  }
}

/** Resolves the folder of a store. Throws a `TypeError` for anything but its path. */
export function resolveFolder(folder: unknown, store: string): string {
  if (typeof folder === "string" && folder !== "") return resolve(folder);
  throw new TypeError(`${store} takes the path of a folder, such as ${store}(".hasp/store").`);
}
