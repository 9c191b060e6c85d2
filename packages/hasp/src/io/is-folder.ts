import { statSync } from "node:fs";

/** Whether there is a folder at this path, or a link to one; a link that leads nowhere or in a circle is none. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
