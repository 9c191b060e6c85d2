import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { foreignFolder } from "../../../compiler/src/config/paths.js";
import { linkAt } from "./entries.js";
import { errorCode } from "./error-code.js";
import { slashPath } from "./slash-path.js";

/**
 * Whether a path lies inside the project, also once every link on the way is followed. What a link leads to in `.git`
 * or `node_modules` is another program's, and as good as outside.
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

/** Whether a path lies below a folder, by its words alone. */
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
