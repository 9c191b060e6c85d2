import { zipSync } from "fflate";
import type { BundleFiles } from "./project-files.js";

/** The first file of a bundle, by which it is known. */
const FIRST = "manifest.json";

/** The same files as the same bytes, whenever and wherever: sorted, with one date, the earliest that the format has. */
export function zip(files: BundleFiles): Uint8Array {
  const paths = [...files.keys()].toSorted((one, other) =>
    one === FIRST ? -1 : other === FIRST ? 1 : one < other ? -1 : 1,
  );
  return zipSync(Object.fromEntries(paths.map((path) => [path, files.get(path) ?? new Uint8Array()])), {
    mtime: new Date(1980, 0, 1),
    level: 6,
  });
}
