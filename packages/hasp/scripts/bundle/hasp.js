// The JavaScript of hasp itself, made by Rolldown, which is told what to put together. Nearly all dependencies stay
// packages.
import { readFile, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";

const folder = resolve(import.meta.dirname, "../..");
/** What `bin`, or a thread of hasp's own, starts beside the entry that is exported. What these share stands once. */
const started = ["src/cli/main.ts"];
/** What a process of its own starts: it loads its own copies, and nothing else. */
const alone = [
  "src/host/sources/export-schemas-child.ts",
  "src/host/modules/config-child.ts",
  "src/host/modules/judges/judge-child.ts",
];
/** What every run may need, and what commands need that find nothing changed: `check`, `build`, `call`, `serve`. */
const start = [
  "cli/(?:main|commands/(?:check|build))",
  "reporters/pretty",
  "model/.*",
  "templates/fill-template",
  "emitters/layout",
  "host/modules/import-module",
];
/** What a run needs that finds something changed. */
const compile = ["compile", "host/(?:project/read-project|output/write-files)"];
/**
 * Modules that are nearly always loaded together, with all that they import; a module of both is in the first. What
 * else is loaded on demand has files of its own.
 */
const together = [
  { name: "start", test: modules(start), priority: 2 },
  { name: "compile", test: modules(compile), priority: 1 },
];

/** Packages of so many files that a small run would take longer to open them than to do its work. */
const inlined = ["yaml"];

function modules(names) {
  return new RegExp(`/src/(?:${names.join("|")})\\.ts$`.replaceAll("/", "[\\\\/]"));
}

/** Every file of `dist` but the types, each with its path and text. */
export async function haspFiles(exported) {
  const shared = await chunksOf([...exported, ...started], { codeSplitting: { groups: together } });
  const others = await Promise.all(alone.map((entry) => chunksOf([entry], { codeSplitting: false })));
  return [...shared, ...others.flat(), { path: join(folder, "dist/third-party-licenses.txt"), text: await licenses() }];
}

/** What the authors of the inlined packages want said wherever their code goes. */
async function licenses() {
  const texts = inlined.map(async (name) => {
    const home = await realpath(join(folder, "node_modules", name));
    const { version } = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
    return `${name} ${version}\n\n${await readFile(join(home, "LICENSE"), "utf8")}`;
  });
  return (await Promise.all(texts)).join("\n\n");
}

async function chunksOf(entries, options) {
  const bundle = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map((entry) => [entry.slice("src/".length, -".ts".length), entry])),
    platform: "node",
    // What is not named by a path is a package.
    external: (id) => /^(?![./]|[a-z]:[\\/])/i.test(id) && !inlined.includes(id),
    resolve: { extensionAlias: { ".js": [".ts"] } },
  });
  const { output } = await bundle.generate({
    format: "esm",
    sourcemap: true,
    // The package has its sources beside the maps.
    sourcemapExcludeSources: true,
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name]-[hash].js",
    ...options,
  });
  await bundle.close();
  return output.map((file) => ({
    path: join(folder, "dist", file.fileName),
    text: file.type === "chunk" ? file.code : String(file.source),
  }));
}
