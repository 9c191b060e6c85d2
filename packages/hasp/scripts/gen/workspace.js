import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { isPrivate } from "../packages.js";

export const root = resolve(import.meta.dirname, "../../../..");

export const importBuilt = (name, path) => import(pathToFileURL(join(root, "packages", name, "dist", path)).href);

/** Compiles and imports a module inside a package of which only the entries are built as files. */
export async function importInner(name, path) {
  const folder = join(root, "packages", name);
  const { outputFiles } = await build({
    entryPoints: [join(folder, "src", path)],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    plugins: [{ name: "private-packages", setup: keepOthersExternal }],
  });
  // Inside hasp, which is installed with whatever its parts import.
  const place = join(root, "packages/hasp/node_modules/.cache/inner");
  const file = join(place, `${name}-${path.replaceAll("/", "-")}.${process.pid}.mjs`);
  await mkdir(place, { recursive: true });
  await writeFile(file, outputFiles[0].contents);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    await rm(file);
  }
}

/** Leaves the packages that are installed outside the bundle; private ones are sources. */
function keepOthersExternal({ onResolve }) {
  onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === "entry-point" || isPrivate(path) ? undefined : { path, external: true },
  );
}
