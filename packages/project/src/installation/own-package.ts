import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isStructured, once } from "@hasp/base/json";

/** The folder of hasp's own package. This code is in its `dist`, or in the sources of the package beside it. */
export const ownFolder: () => string = once(() => nearestPackage(dirname(fileURLToPath(import.meta.url))));

/** True for the real path of one of hasp's own packages, which lie side by side. */
export function isOwnPackage(folder: string): boolean {
  return dirname(folder) === ownPackages();
}

const ownPackages = once(() => dirname(realpathSync.native(ownFolder())));

/** Returns the path of a file of hasp's own package, such as `dist/cli/main.js`. */
export function locateOwnFile(path: string): string {
  return join(ownFolder(), path);
}

function nearestPackage(start: string): string {
  for (let current = start; ; current = dirname(current)) {
    const found = [current, join(current, "hasp")].find((folder) => existsSync(join(folder, "bin/hasp.js")));
    if (found !== undefined) return found;
    if (dirname(current) === current) throw new Error(`hasp's own package is missing above ${start}`);
  }
}

export function readOwnVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(locateOwnFile("package.json"), "utf8"));
  return isStructured(manifest) && "version" in manifest ? String(manifest.version) : "unknown";
}
