import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest folder, from `folder` upwards, that holds an entry of this name. */
export function findUp(folder: string, entry: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, entry))) return current;
    if (dirname(current) === current) return undefined;
  }
}

/** The first of the paths at which something is. */
export function firstExisting(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path));
}
