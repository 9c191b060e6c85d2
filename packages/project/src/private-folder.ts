import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Environment } from "./environment.js";

/** Returns this user's own folder for hasp's files, created if missing; `undefined` if there is no safe one. */
export function privateFolder(environment: Environment): string | undefined {
  const { XDG_CACHE_HOME: named, LOCALAPPDATA: local, HOME: home, USERPROFILE: profile } = environment;
  const user = home ?? profile;
  const base = [named, local, user === undefined ? undefined : join(user, ".cache")].find(
    (path) => path !== undefined && isAbsolute(path),
  );
  if (base === undefined) return undefined;
  try {
    const folder = join(base, "hasp");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    const isPrivate = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isPrivate && lstatSync(folder).isDirectory() ? realpathSync(folder) : undefined;
  } catch {
    return undefined;
  }
}
