// Writes the JavaScript of our packages from their sources, few files in place of some hundred that a program would
// have to open one by one. The types come from tsc. Also run before the tests, so that they see the sources as they
// are.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { haspFiles } from "./bundle/hasp.js";

const packages = resolve(import.meta.dirname, "../..");
/**
 * What most programs load together: all of it stands in one file. The parts of @hasp/schema that they use are inside.
 */
const main = ["src/index.ts", "src/codegen/v1/index.ts"];

/**
 * What a constant of a module, or a member of one, is made by: a bundler may leave it out where the constant is not
 * used.
 */
const topLevelCalls = /^(var \w+ = |  "?[\w$-]+"?: |  (?=Object\.entries))(?=(?:new )?[A-Za-z][\w.]*\()/gm;

if (process.argv[1] === import.meta.filename) await setup();

/** All packages; on the command line those that are asked for. */
export async function setup() {
  const asked = process.argv[1] === import.meta.filename ? process.argv.slice(2) : [];
  if (asked.length === 0 || asked.includes("schema")) await bundleSchema();
  if (asked.length === 0 || asked.includes("runtime")) await bundleRuntime();
  if (asked.length === 0 || asked.includes("hasp")) await bundleHasp();
}

async function bundleSchema() {
  const files = await bundle("schema", await entriesOf("schema"), { splitting: true });
  await write("schema", files.map(shakable));
}

async function bundleRuntime() {
  // Entries beside the main ones are small and may hold copies: nothing in them depends on who is who.
  const others = [
    ...(await entriesOf("runtime")).filter((entry) => !main.includes(entry)),
    "src/node/isolated-child.ts",
  ];
  const files = [
    ...(await bundleTogether("runtime", main)),
    ...(await bundle("runtime", others, { external: ["node:*", "@hasp/*"] })),
  ];
  await write("runtime", files.map(shakable));
}

/**
 * Several entries in one file, and beside it for each entry a file that says which of it is its own: to open a file
 * costs a program more than to read over what it does not use, and bundlers leave that out.
 */
async function bundleTogether(name, entryPoints) {
  const { metafile } = await build({ ...settings(name), entryPoints, metafile: true });
  const entries = Object.entries(metafile.outputs).flatMap(([path, { entryPoint, exports }]) =>
    entryPoint === undefined ? [] : [{ path, entryPoint, exports }],
  );
  const inner = (index, exported) => `${exported}_${index}`;
  const renamed = (names, from) => `export {\n${names.map((pair) => `  ${pair},\n`).join("")}} from "${from}";\n`;
  const contents = entries
    .map(({ entryPoint, exports }, index) =>
      renamed(
        exports.map((own) => `${own} as ${inner(index, own)}`),
        `./${entryPoint}`,
      ),
    )
    .join("");
  const { outputFiles } = await build({
    ...settings(name),
    stdin: { contents, resolveDir: join(packages, name), sourcefile: "together.ts", loader: "ts" },
    outdir: undefined,
    outfile: "dist/shared/together.js",
  });
  const shared = outputFiles.find(({ path }) => path.endsWith(".js")).path;
  return [
    ...outputFiles,
    ...entries.map(({ path, exports }, index) => ({
      path: join(packages, name, path),
      text: renamed(
        exports.map((own) => `${inner(index, own)} as ${own}`),
        `./${relative(dirname(join(packages, name, path)), shared).replaceAll("\\", "/")}`,
      ),
    })),
  ];
}

async function bundleHasp() {
  await write("hasp", await haspFiles(await entriesOf("hasp")));
}

/** The sources of what a package exports. */
async function entriesOf(name) {
  const { exports } = JSON.parse(await readFile(join(packages, name, "package.json"), "utf8"));
  return Object.values(exports).flatMap((entry) =>
    entry.default === undefined ? [] : [entry.default.replace("./dist/", "src/").replace(/\.js$/, ".ts")],
  );
}

async function bundle(name, entryPoints, options) {
  return (await build({ ...settings(name), entryPoints, ...options })).outputFiles;
}

function settings(name) {
  return {
    absWorkingDir: join(packages, name),
    outdir: "dist",
    outbase: "src",
    chunkNames: "shared/[name]-[hash]",
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    sourcemap: true,
  };
}

/** None of our modules does anything by being loaded, so that nobody must load one of which he uses nothing. */
function shakable({ path, text }) {
  return {
    path,
    text: path.endsWith(".js")
      ? text.replaceAll(/^import "\..*";$/gm, "").replaceAll(topLevelCalls, "$1/* @__PURE__ */ ")
      : text,
  };
}

async function write(name, files) {
  const dist = join(packages, name, "dist");
  for (const { path, text: wanted } of files) {
    const there = await readFile(path, "utf8").catch(() => undefined);
    if (there === wanted) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, wanted);
  }
  await removeOthers(dist, new Set(files.map(({ path }) => path)));
}

/** What an earlier build wrote, under names that are no longer in use, must not be published. */
async function removeOthers(dist, written) {
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.js(\.map)?$/.test(path) && !written.has(path)) await rm(path);
  }
}
