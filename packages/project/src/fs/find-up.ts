import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Finds the nearest folder, from `folder` upwards, that holds an entry of this name. */
export function findUp(folder: string, entry: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, entry))) return current;
    if (dirname(current) === current) return undefined;
  }
}

/** Returns the first path that exists. */
export function firstExisting(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path));
}
