import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made = new Set();

/** Makes an empty folder below `parent`; it is removed when the process ends. */
export function temporaryFolder(prefix, parent = tmpdir()) {
  if (made.size === 0) {
    process.once("exit", () => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  }
  const folder = mkdtempSync(join(parent, prefix));
  made.add(folder);
  return folder;
}
