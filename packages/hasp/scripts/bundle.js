// Bundles the JavaScript of each published package into few files; tsc writes the types. A private package is part of
// each bundle that imports it; a published one is imported as users import it. The tests run this, too, so that they see
// the sources as they are.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { openDoors } from "./open-doors.js";
import { PACKAGES, isPrivate, keepPublished } from "./packages.js";

const packages = resolve(import.meta.dirname, "../..");
/** Holds the digest of what was last read and written here. */
const bundled = join(packages, "../node_modules/.cache/bundled");

/**
 * The parts of each package's bundle, beside what it exports:
 * - `groups`: modules that load together, with all that they import; a module of several groups is in the first.
 * Anything else that loads on demand has files of its own.
 * - `started`: what `bin`, or a process of its own, starts.
 * - `alone`: modules that bring all that they import, such as what a process of its own starts.
 * - `inlined`: packages of many small files that every build loads, and those of which little is used: the MCP SDK
 * would install an HTTP server.
 * - `page`: the program of an HTML page and its styles, each put into one file that needs no other.
 */
const settings = {
  schema: {
    groups: [
      // Functions that lists of tools call: without constants, of which bundlers keep those that nobody uses.
      { name: "entries", modules: ["dialects/definition/wire-entries"] },
      // The parts that a dispatcher needs of this package: it validates nothing itself.
      { name: "keywords", modules: ["keywords", "vocabulary"] },
      { name: "runtime", modules: ["runtime", "codec/index", "validate/index"] },
      { name: "schema", modules: ["index"] },
    ],
  },
  runtime: {
    groups: [
      // As in `schema`.
      { name: "functions", modules: ["json/(?:json-value|once)", "tool/callback"] },
      // The description of a tool that compilers, reports and pages read: it loads no dispatcher.
      {
        name: "contract",
        modules: [
          "tool/(?:fields|flow-setting|keys|metadata|resource-key|secret-schema|tool-names|version)",
          "dispatch/permissions/tool-pattern",
        ],
      },
      // A generated registry loads no chunk that loads more on demand: a bundler that splits would keep all that both use.
      { name: "tool", modules: ["results/compute-before-running", "tool/(?:make-tool|sentence)"] },
      // Generated registries name these: with the dispatcher's own modules, a bundler would keep more of those.
      { name: "extensions", modules: ["extensions/(?:flow/information-flow|results/stored-results)"] },
      { name: "runtime", modules: ["index"] },
    ],
  },
  testing: {},
  stores: {},
  adapters: {},
  handlers: { alone: ["src/isolation/isolated-child.ts"] },
  mcp: {},
  programs: { alone: ["src/sandbox-worker.ts"] },
  hasp: {
    groups: [
      // Loaded by every run, and by commands that find nothing changed.
      {
        name: "start",
        modules: [
          "cli/(?:main|commands/(?:check|build))",
          "session/run-cache",
          "reporters/pretty",
          "diagnostics/closest",
          "typescript/layout",
          "modules/import-module",
          "model/json-kind",
        ],
      },
      // Loaded to verify that nothing has changed.
      { name: "find-specs", modules: ["read/find-specs"] },
      // Loaded by a call whose tool has not changed.
      { name: "call", modules: ["cli/commands/call", "running/open-project", "session/current-tool"] },
      // Judges conditions, for compilers and for calls: it loads no dispatcher.
      { name: "evaluate", modules: ["cel/check/evaluate", "model/conditions"] },
      { name: "run-call", modules: ["running/bind-tools", "run/run-call"] },
      {
        name: "compile",
        modules: ["compile", "read/read-project", "output/write-files", "views/build-facts"],
      },
    ],
    started: ["src/cli/main.ts", "../project/src/plugins/plugin-worker.ts", "../project/src/session/steps-thread.ts"],
    alone: [
      "../import/src/sources/export-schemas-child.ts",
      "../project/src/modules/config-child.ts",
      "../project/src/modules/handlers/handler-child.ts",
      "../project/src/modules/handlers/handler-importer.ts",
      "../project/src/modules/emitted/verifier-child.ts",
    ],
    page: {
      name: "catalogue/page",
      program: "../catalogue/src/app/main.ts",
      styles: ["../catalogue/src/styles/tokens.css", "../catalogue/src/styles/app.css"],
    },
    inlined: [
      "@hasp/adapters",
      "@marcbachmann/cel-js",
      "@modelcontextprotocol/client",
      "@modelcontextprotocol/core",
      "@modelcontextprotocol/server",
      "ajv-formats",
      "content-type",
      "cross-spawn",
      "eventsource",
      "eventsource-parser",
      "fdir",
      "isexe",
      "jose",
      "jsonc-parser",
      "path-key",
      "picomatch",
      "pkce-challenge",
      "shebang-command",
      "shebang-regex",
      "tinyglobby",
      "vscode-jsonrpc",
      "vscode-languageserver",
      "vscode-languageserver-protocol",
      "vscode-languageserver-textdocument",
      "vscode-languageserver-types",
      "which",
      "yaml",
      "zod",
      "zod-to-json-schema",
    ],
  },
};

if (process.argv[1] === import.meta.filename) await setup();

export async function setup() {
  const named = process.argv[1] === import.meta.filename ? process.argv.slice(2) : [];
  // Neither sources nor bundles have changed since the last run.
  if ((await readFile(bundled, "utf8").catch(() => "")) === (await stateOfFiles())) return;
  for (const name of PACKAGES) {
    if (named.length > 0 && !named.includes(name)) continue;
    const files = await filesOf(name);
    const licenses = { path: join(packages, name, "dist/third-party-licenses.txt"), text: await licensesOf(name) };
    await write(name, licenses.text === "" ? files : [...files, licenses]);
  }
  if (named.length > 0) return;
  await mkdir(dirname(bundled), { recursive: true });
  await writeFile(bundled, await stateOfFiles());
}

/** Digests the sizes and times of what is read and written here. */
async function stateOfFiles() {
  const folders = (await readdir(packages)).flatMap((name) =>
    ["src", "dist"].map((part) => join(packages, name, part)),
  );
  const lists = folders.map(async (folder) =>
    (await readdir(folder, { recursive: true }).catch(() => []))
      .filter((path) => /\.(?:[jt]s|css|txt)$/.test(path) && !path.endsWith(".d.ts"))
      .map((path) => join(folder, path)),
  );
  const manifests = (await readdir(packages)).map((name) => join(packages, name, "package.json"));
  const scripts = ["bundle.js", "open-doors.js", "packages.js", "packages.json"];
  const own = [
    ...scripts.map((name) => join(import.meta.dirname, name)),
    join(packages, "../pnpm-lock.yaml"),
    ...manifests,
  ];
  const states = [...own, ...(await Promise.all(lists)).flat().toSorted()].map(async (path) => {
    const { size, mtimeMs } = await stat(path);
    return `${path} ${size} ${mtimeMs}`;
  });
  return createHash("sha256")
    .update((await Promise.all(states)).join("\n"))
    .digest("hex");
}

/** Lists the files of one package; each module in `alone` is bundled by itself. */
async function filesOf(name) {
  const { groups = [], started = [], alone = [], page } = settings[name];
  const codeSplitting = {
    groups: groups.map(({ modules, ...group }, index) => ({
      ...group,
      test: inSource(modules),
      priority: groups.length - index,
    })),
  };
  const chunks = await Promise.all([
    chunksOf(name, [...(await exportedBy(name)), ...started], {
      codeSplitting,
    }),
    ...alone.map((entry) => chunksOf(name, [entry], { codeSplitting: false }, (id) => id.startsWith("@hasp/"))),
  ]);
  return [...chunks.flat(), ...(page === undefined ? [] : await pageOf(name, page))];
}

/** The program of a page as one classic script: a browser loads no modules from a folder. */
async function pageOf(name, { name: target, program, styles }) {
  const folder = join(packages, name);
  const bundle = await rolldown({
    cwd: folder,
    input: program,
    platform: "browser",
    plugins: [openDoors()],
    treeshake: { moduleSideEffects: false },
    resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
  });
  const { output } = await bundle.generate({ format: "iife", minify: true, comments: false, codeSplitting: false });
  await bundle.close();
  const texts = await Promise.all(styles.map(async (path) => readFile(join(folder, path), "utf8")));
  const style = texts
    .join("")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\n\s*/g, "\n")
    .trim();
  return [
    // Inside a page, nothing in a script may end its element.
    {
      path: join(folder, "dist", `${target}.js`),
      text: output[0].code.trim().replaceAll(/<(?=\/script|script|!--)/gi, "\\x3c"),
    },
    { path: join(folder, "dist", `${target}.css`), text: style },
  ];
}

async function chunksOf(name, entries, options, isInlined = isPrivate) {
  const folder = join(packages, name);
  const { inlined = [] } = settings[name];
  const bundle = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map((entry) => [entry.replace(/^.*?src\//u, "").slice(0, -".ts".length), entry])),
    platform: "node",
    plugins: [openDoors()],
    onLog: refuseWarning,
    // On a busy machine, it would warn of the time that plugins take.
    checks: { pluginTimings: false },
    // Loads nothing of our packages that nobody uses.
    treeshake: { moduleSideEffects: [{ test: /^@hasp\//, external: true, sideEffects: false }] },
    // A name without a path is that of a package.
    external: (id) =>
      /^(?![./]|[a-z]:[\\/])/i.test(id) &&
      !isInlined(id) &&
      !inlined.some((name) => id === name || id.startsWith(`${name}/`)),
    resolve: {
      extensionAlias: { ".js": [".ts", ".js"] },
      mainFields: ["module", "main"],
      // The ES modules of yaml, since its CommonJS entry for Node runs all modules at once.
      alias: { yaml: join(packages, "compiler/node_modules/yaml/browser/index.js") },
    },
  });
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: "[name].js",
    // Modules that need Node are kept apart from portable ones.
    chunkFileNames: ({ moduleIds }) =>
      `${moduleIds.some((id) => /[\\/]src[\\/](?:files|http|command|oauth|isolation)[\\/]/.test(id)) ? "node/" : ""}shared/[name]-[hash].js`,
    ...options,
  });
  await bundle.close();
  await assertInstalled(name, output);
  return output.map((file) => ({
    path: join(folder, "dist", file.fileName),
    // The bundler keeps an import of our packages even if it has dropped every name of it.
    text: file.type === "chunk" ? file.code.replaceAll(/^import "@hasp\/[^"]+";\n/gmu, "") : String(file.source),
  }));
}

/** Fails the build on a warning: one of them says that a module which is to load on demand loads at once. */
function refuseWarning(level, log) {
  if (level === "warn") throw new Error(log.message);
}

/** Checks that every package that is neither inlined nor declared is installed with hasp. */
async function assertInstalled(name, output) {
  const manifest = JSON.parse(await readFile(join(packages, name, "package.json"), "utf8"));
  const ours = output.map(({ fileName }) => fileName);
  const declared = [manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })];
  const missing = output
    .flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports])
    .filter((id) => !ours.includes(id) && !isBuiltin(id))
    .filter((id) => !declared.some((each) => id === each || id.startsWith(`${each}/`)));
  if (missing.length > 0) throw new Error(`${name} neither inlines nor declares ${[...new Set(missing)].join(", ")}`);
}

function inSource(modules) {
  return new RegExp(`/src/(?:${modules.join("|")})\\.ts$`.replaceAll("/", "[\\\\/]"));
}

/** Collects the licences of the inlined packages, which must accompany their code. */
async function licensesOf(name) {
  const { inlined = [] } = settings[name];
  const texts = inlined.map(async (dependency) => {
    const home = await homeOf(dependency, inlined);
    const { version } = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
    const license = (await readdir(home)).find((file) => /^licen[cs]e/i.test(file));
    return `${dependency} ${version}\n\n${await readFile(join(home, license), "utf8")}`;
  });
  return (await Promise.all(texts)).join("\n\n");
}

/** Finds the folder of a package that hasp or one of the inlined packages depends on. */
async function homeOf(dependency, inlined, from = join(packages, "hasp"), seen = new Set()) {
  seen.add(from);
  const home = await installedFor(from, dependency);
  if (home !== undefined) return home;
  for (const other of inlined) {
    const above = await installedFor(from, other);
    const found = above === undefined || seen.has(above) ? undefined : await homeOf(dependency, inlined, above, seen);
    if (found !== undefined) return found;
  }
  if (from === join(packages, "hasp")) throw new Error(`${dependency} is not installed`);
  return undefined;
}

async function installedFor(folder, name) {
  for (let place = folder; dirname(place) !== place; place = dirname(place)) {
    const home = await realpath(join(place, "node_modules", name)).catch(() => undefined);
    if (home !== undefined) return home;
  }
  return undefined;
}

async function exportedBy(name) {
  const { exports } = JSON.parse(await readFile(join(packages, name, "package.json"), "utf8"));
  return Object.values(keepPublished(exports)).flatMap((entry) =>
    entry.default === undefined ? [] : [entry.default.replace("./dist/", "src/").replace(/\.js$/, ".ts")],
  );
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

async function removeOthers(dist, written) {
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.js(\.map)?$/.test(path) && !written.has(path)) await rm(path);
  }
}
