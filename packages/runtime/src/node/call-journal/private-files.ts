import { closeSync, constants, fsync, openSync } from "node:fs";
import { promisify } from "node:util";

const flush = promisify(fsync);

/** The bits of a mode by which others than the owner may do something. */
const OTHERS = 0o077;

/** Throws for a file that others may read or write: what stands in it is not trusted. */
export function checkOwn(path: string, mode: number): void {
  if (process.platform !== "win32" && (mode & OTHERS) !== 0) {
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

/** The code of an error of the system. */
export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
