import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Puts a report down, at once or not at all: a reader never sees half of one. Folders on the way are made. Answers why it could
 * not be written, in the words of the operating system, or nothing.
 */
export async function writeReport(path: string, text: string): Promise<string | undefined> {
  const aside = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(aside, text, { flag: "wx" });
    await rename(aside, path);
    return undefined;
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined);
    return error instanceof Error ? error.message : String(error);
  }
}
