import { mkdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { findUp } from "../fs/find-up.js";

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of this user's caches, outside every project; `undefined` where the environment names none. */
export function userCacheFolder(environment: Environment): string | undefined {
  const { XDG_CACHE_HOME: named, LOCALAPPDATA: local, HOME: home, USERPROFILE: profile } = environment;
  const base = [named, local].find((path) => path !== undefined && isAbsolute(path));
  if (base !== undefined) return join(base, "hasp");
  // Where the environment is an empty one, as in a test, nothing of the user's is touched.
  return home === undefined && profile === undefined ? undefined : join(home ?? profile ?? homedir(), ".cache", "hasp");
}

/**
 * Where what a project's runs found is kept: `node_modules/.cache/hasp` in the nearest folder that has `node_modules`,
 * or, where there is none or a link stands in the way, the user's own cache folder. Makes the folder.
 */
export function projectCacheFolder(root: string, userFolder: string): string | undefined {
  const owner = findUp(root, "node_modules");
  return (
    (owner === undefined ? undefined : madeWithoutLinks(owner, "node_modules/.cache/hasp")) ??
    madeWithoutLinks(userFolder, "projects")
  );
}

/** Makes a folder; a link on the way would let whoever set it choose where hasp writes. */
function madeWithoutLinks(base: string, way: string): string | undefined {
  try {
    mkdirSync(base, { recursive: true, mode: 0o700 });
    const expected = join(realpathSync(base), way);
    mkdirSync(expected, { recursive: true });
    return realpathSync(expected) === expected ? expected : undefined;
  } catch {
    return undefined;
  }
}
