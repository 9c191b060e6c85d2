import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./root.js";

/** A module of a built package. */
export const importBuilt = (name, path) => import(pathToFileURL(join(root, "packages", name, "dist", path)).href);

/** A module inside a package of which only the entries are built as files: it is compiled for this one import. */
export async function importInner(name, path) {
  const entry = join(root, "packages", name, "src", path);
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, format: "esm", platform: "neutral" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
