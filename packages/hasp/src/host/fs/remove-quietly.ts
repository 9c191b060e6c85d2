import { unlinkSync } from "node:fs";

/**
 * Takes a file away if it can. One that is gone already, or is not ours to remove, is no failure of whoever tidies up.
 */
export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // What matters failed, or was done, before.
  }
}
