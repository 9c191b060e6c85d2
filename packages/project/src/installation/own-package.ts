import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "../../../compiler/src/model/once.js";

/**
 * The folder of hasp's own package, above this code: whichever file of its `dist` the code is in, or of the sources of
 * this package, which lies beside it.
 */
export const ownFolder: () => string = once(() => nearestPackage(dirname(fileURLToPath(import.meta.url))));

/** The path of a file of hasp's own package, such as `dist/cli/main.js`. */
export function ownFile(path: string): string {
  return join(ownFolder(), path);
}

function nearestPackage(start: string): string {
  for (let current = start; ; current = dirname(current)) {
    const found = [current, join(current, "hasp")].find((folder) => existsSync(join(folder, "bin/hasp.js")));
    if (found !== undefined) return found;
    if (dirname(current) === current) throw new Error(`hasp's own package is missing above ${start}`);
  }
}
