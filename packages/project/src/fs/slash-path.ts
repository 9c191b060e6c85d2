import { relative, sep } from "node:path";

/** Returns the path from a folder, with slashes on every system, to be shown, compared and written into files. */
export function toSlashPath(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}
