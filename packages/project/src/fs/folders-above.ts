/** Lists the folders above a path, the nearest first; the last is the top, `""`. */
export function foldersAbove(path: string): readonly string[] {
  const parts = path === "" ? [] : path.split("/");
  return parts.map((_, index) => parts.slice(0, parts.length - 1 - index).join("/"));
}
