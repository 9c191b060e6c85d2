import { zipSync } from "fflate";
import type { BundleFiles } from "./project-files.js";

/** Clients expect the manifest first. */
const FIRST = "manifest.json";

/** Packs files reproducibly: sorted, and all with the earliest date of the format. */
export function zip(files: BundleFiles): Uint8Array {
  const paths = [...files.keys()].toSorted((one, other) =>
    one === FIRST ? -1 : other === FIRST ? 1 : one < other ? -1 : 1,
  );
  return zipSync(Object.fromEntries(paths.map((path) => [path, files.get(path) ?? new Uint8Array()])), {
    mtime: new Date(1980, 0, 1),
    level: 6,
  });
}
