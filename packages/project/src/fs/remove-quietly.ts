import { unlinkSync } from "node:fs";

/**
 * Removes a file if it can. A file that is already gone, or that it may not remove, is not an error.
 */
export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // What matters failed, or was done, before.
  }
}
