import { relative, sep } from "node:path";

/** The way from a folder to a path, with slashes on every system: what is shown, compared and written into files. */
export function slashPath(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}
