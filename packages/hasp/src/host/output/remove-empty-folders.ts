import { rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { isBelow } from "../fs/inside-project.js";

/** Removes a folder and those above it as long as they are empty, and never `end`. */
export function removeEmptyFolders(folder: string, end: string): void {
  let current = folder;
  while (isBelow(end, current)) {
    try {
      rmdirSync(current);
    } catch {
      return;
    }
    current = dirname(current);
  }
}
