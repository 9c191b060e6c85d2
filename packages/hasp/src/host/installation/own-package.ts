import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "../../../../compiler/src/model/once.js";

/**
 * The folder of hasp's own package: the nearest one with a manifest above this code, whichever file of `dist` or `src`
 * the code is in.
 */
export const ownFolder: () => string = once(() => nearestPackage(dirname(fileURLToPath(import.meta.url))));

/** The path of a file of hasp's own package, such as `dist/cli/main.js`. */
export function ownFile(path: string): string {
  return join(ownFolder(), path);
}

function nearestPackage(start: string): string {
  for (let current = start; ; current = dirname(current)) {
    if (existsSync(join(current, "package.json"))) return current;
    if (dirname(current) === current) throw new Error(`hasp's own package.json is missing above ${start}`);
  }
}
