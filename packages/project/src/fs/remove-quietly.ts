import { unlinkSync } from "node:fs";

/** Removes a file if it can. A missing or protected file is not an error. */
export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The result does not depend on it.
  }
}
