import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Finds the hasp that a folder, or one above it, installs. */
export function findServer(folder: string): string | undefined {
  for (let place = folder; ; place = dirname(place)) {
    const path = join(place, "node_modules/hasp/bin/hasp.js");
    if (existsSync(path)) return path;
    if (dirname(place) === place) return undefined;
  }
}
