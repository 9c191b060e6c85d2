import { mkdir, open, realpath, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { printThrown } from "@hasp/base/diagnostics";
import { isFolder } from "../fs/entries.js";
import { writeAtomically } from "../fs/write-atomically.js";

/** The outcome of a report: `occupied` means that another file is there, which stays. */
type ReportResult =
  | { readonly state: "written" }
  | { readonly state: "occupied" }
  | { readonly state: "failed"; readonly reason: string };

/** The length of the beginning that identifies a report. */
const START = 200;

/**
 * Writes a report completely or not at all: no reader sees half of one. Creates missing folders. A link stays a link, a
 * device or pipe (`/dev/stdout`) is written into, and an existing file is replaced only if `isEarlier` recognizes its
 * beginning.
 */
export async function writeReport(
  path: string,
  content: string,
  isEarlier: (start: string) => boolean,
): Promise<ReportResult> {
  try {
    const target = await realpath(path).catch(() => path);
    const there = await stat(target).catch(() => undefined);
    if (there?.isDirectory() === true) return { state: "failed", reason: "it is a folder" };
    if (there?.isFile() === true && there.size > 0 && !isEarlier(await startOf(target))) return { state: "occupied" };
    if (there?.isFile() === false) await writeFile(target, content);
    else {
      await makeFolder(dirname(target));
      writeAtomically(target, content);
    }
    return { state: "written" };
  } catch (error) {
    return { state: "failed", reason: printThrown(error) };
  }
}

/**
 * Creates a folder and those above it. Node's own `recursive` never ends if the system says "no such file" about a new
 * entry, as `/proc` does.
 */
async function makeFolder(folder: string): Promise<void> {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder).catch((error: unknown) => {
    if (!isFolder(folder)) throw error;
  });
}

async function startOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(START) });
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
