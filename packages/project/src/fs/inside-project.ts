import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { foreignFolder } from "../../../compiler/src/config/paths.js";
import { linkAt, errorCode } from "./entries.js";
import { slashPath } from "./slash-path.js";

/**
 * Creates a test for paths inside the project, also after following every link. A link into `.git` or `node_modules`
 * leads to another program's files, and counts as outside.
 */
export function insideProject(root: string): (path: string) => boolean {
  const lexicalRoot = resolve(root);
  const realRoot = realpathSync(root);
  const known = new Map<string, boolean>();
  return (path) => {
    const absolute = resolve(lexicalRoot, path);
    if (!isBelow(lexicalRoot, absolute)) return false;
    const folder = dirname(absolute);
    const answer = known.get(folder) ?? isOwn(realRoot, realpathOfNearest(folder));
    known.set(folder, answer);
    // A reader would follow a link to a file elsewhere.
    return answer && !isLink(absolute);
  };
}

/** Compares the paths only, without following links. */
export function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`) && resolve(root, way) === path;
}

function isOwn(root: string, path: string): boolean {
  return root === path || (isBelow(root, path) && foreignFolder(slashPath(root, path)) === undefined);
}

function realpathOfNearest(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") throw error;
    return resolve(realpathOfNearest(dirname(path)), path.slice(dirname(path).length + 1));
  }
}

function isLink(path: string): boolean {
  return linkAt(path)?.isSymbolicLink() === true;
}
