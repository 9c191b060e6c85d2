import { close, openSync } from "node:fs";

/**
 * Holds on to what stands at a path while something else is put there, and gives what lets go of it, in the background.
 * Whoever lets go of a replaced file last waits until its room on the disk is free: on ext4 some milliseconds for a few
 * megabytes, forty times as long as the rename itself. Windows replaces no file that is open.
 */
export function letGoLater(path: string): () => void {
  if (process.platform === "win32") return () => undefined;
  try {
    const held = openSync(path, "r");
    // There is nothing to be done about a file that cannot be closed.
    return () => close(held, () => undefined);
  } catch {
    // Nothing stands there, or it may not be read: then it goes at once.
    return () => undefined;
  }
}
