import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { build, transform } from "esbuild";
import { growth, measureProcess, median, printTable } from "./measure.js";
import { makeProject, projectIn } from "./project.js";
import { temporaryFolder } from "./temporary-folder.js";
import { savesInWatchMode } from "./watch-mode.js";

const hasp = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");
const yamlParser = resolve(import.meta.dirname, "yaml-parser.mjs");
const typesByPeer = resolve(import.meta.dirname, "types-by-peer.mjs");
const packages = resolve(import.meta.dirname, "../../packages");
const documents = createRequire(import.meta.url).resolve("@octokit/openapi/package.json");

/** Four dialects, as a team uses them that talks to every large provider. */
const dialects = ["anthropic", "openai-responses", "gemini", "mcp"];

/**
 * GitHub's own API document, and generated tools, beside the YAML parser alone: every command from nothing, when nothing
 * or one spec has changed, and what is written. In each round every command runs once, so that a busy minute slows all.
 */
export default async function run() {
  const github = importedProject("api.github.com");
  printTable(
    `GitHub's API document: ${github.tools} of ${github.operations} operations as tools, ${dialects.length} dialects`,
    ["", "ms", "CPU ms", "MB", "ratio", "mark"],
    figuresOf(github, 3),
  );
  reportOutput(github);
  await reportLoading(github);

  const generated = makeProject(1000);
  printTable(
    "1000 generated YAML tools, five dialects",
    ["", "ms", "CPU ms", "MB", "ratio", "mark"],
    [
      ...figuresOf(generated, 3, marksOfGenerated),
      ["save under --watch", median(await savesInWatchMode(hasp, generated, 9)).toFixed(0), "", "", "", "60 ms"],
    ],
  );

  const sizes = [100, 300, 900].map((count) => importedProject("api.github.com", count));
  const checks = sizes.map((project) =>
    measureProcess(words("check"), { ...project.where, runs: 3, before: project.forget }),
  );
  const builds = sizes.map((project) =>
    measureProcess(words("build"), { ...project.where, runs: 3, before: project.clean }),
  );
  printTable(
    "the first operations of GitHub's document, from nothing",
    ["", "import, ms", "check, ms", "build, ms", "MB written"],
    sizes.map((project, index) => [
      `${project.tools} tools`,
      project.importing.toFixed(0),
      checks[index].milliseconds.toFixed(0),
      builds[index].milliseconds.toFixed(0),
      (outputOf(project.folder).bytes / 1e6).toFixed(1),
    ]),
  );
  const exponent = (figures) =>
    growth(
      { size: sizes[0].tools, value: figures[0].milliseconds },
      { size: sizes[2].tools, value: figures[2].milliseconds },
    ).toFixed(2);
  process.stdout.write(`growth: check n^${exponent(checks)}, build n^${exponent(builds)}\n`);
}

const words = (command, ...more) => [hasp, command, ...more, "--unlocked", "--quiet"];

/** The marks, in an order in which each run finds what it needs; `of` names the base of a ratio. */
const marksOfGitHub = {
  "the YAML parser alone": {},
  "check, cold": { of: "the YAML parser alone", mark: "4000 ms" },
  "build, cold": { of: "check, cold", mark: "2.5" },
  "build --check, cold": { of: "build, cold", mark: "1.3" },
  "build, nothing changed": { mark: "800 ms" },
  "build, one spec changed": {},
  "call of one tool, first": { mark: "1000 ms" },
  "call of one tool, again": { mark: "1000 ms" },
  "json-schema-to-typescript: types alone": { of: "build, cold" },
};

const marksOfGenerated = {
  "the YAML parser alone": {},
  "check, cold": { of: "the YAML parser alone", mark: "3" },
  "build, cold": { of: "check, cold", mark: "2" },
  "build --check, cold": { of: "build, cold" },
  "build, nothing changed": { mark: "500 ms" },
  "build, one spec changed": { mark: "800 ms" },
  "json-schema-to-typescript: types alone": { of: "build, cold" },
};

/** One row for each command: medians of `rounds`, in each of which every command ran once. */
function figuresOf(project, rounds, marks = marksOfGitHub) {
  const { folder, where, forget, clean, edit } = project;
  const measure = (args, options) => measureProcess(args, { ...where, runs: 1, ...options });
  const call = () => measure(words("call", project.tool, "{}", "--dry-run"), { allowed: [0, 1] });
  const commands = {
    "the YAML parser alone": () => measure([yamlParser, folder]),
    "check, cold": () => measure(words("check"), { before: forget }),
    "build, cold": () => measure(words("build"), { before: clean }),
    "build --check, cold": () => measure(words("build", "--check", "--no-cache")),
    "build, nothing changed": () => {
      // The first build has made handlers, which are input of the next.
      measure(words("build"));
      return measure(words("build"));
    },
    "build, one spec changed": () => measure(words("build"), { before: edit }),
    "call of one tool, first": () => {
      forget();
      return call();
    },
    "call of one tool, again": call,
    "json-schema-to-typescript: types alone": () =>
      measure([typesByPeer, folder], { before: () => rmSync(join(folder, "types"), { recursive: true, force: true }) }),
  };
  const names = Object.keys(marks);
  const runs = Array.from({ length: rounds }, () => names.map((name) => commands[name]()));
  const middle = (name, key) => median(runs.map((figures) => figures[names.indexOf(name)][key]));
  return names.map((name) => {
    const { of, mark = "" } = marks[name];
    const ratio = of === undefined ? "" : middle(name, "userMilliseconds") / middle(of, "userMilliseconds");
    return [
      name,
      middle(name, "milliseconds").toFixed(0),
      middle(name, "userMilliseconds").toFixed(0),
      middle(name, "megabytes").toFixed(0),
      ratio === "" ? "" : `${ratio.toFixed(2)} x ${of}`,
      mark,
    ];
  });
}

/** A project of the operations of a document, all or the first `count`; those that cannot be checked are left out. */
function importedProject(name, count = Infinity) {
  const folder = temporaryFolder("hasp-bench-real-");
  const source = join(documents, `../generated/${name}.json`);
  const document = join(folder, "api.json");
  const operations = count === Infinity ? copyWhole(source, document) : copyFirst(source, document, count);
  writeFileSync(
    join(folder, "hasp.config.yaml"),
    `specs: [specs]\noutDir: generated\nhandlers: handlers\ndialects: [${dialects.join(", ")}]\n`,
  );
  mkdirSync(join(folder, "node_modules/@hasp"), { recursive: true });
  for (const name of ["runtime", "handlers"]) {
    symlinkSync(join(packages, name), join(folder, `node_modules/@hasp/${name}`), "dir");
  }
  const project = projectIn(folder);
  const where = { cwd: folder, env: project.env };
  const { milliseconds } = measureProcess([hasp, "import", "openapi", "api.json", "--quiet"], {
    ...where,
    runs: 1,
    allowed: [0, 1],
  });
  for (const path of faultySpecs(where)) rmSync(join(folder, path));
  project.forget();
  const specs = readdirSync(join(folder, "specs")).filter((name) => name.endsWith(".tool.yaml"));
  const [, tool] = /^name: (\S+)$/mu.exec(readFileSync(join(folder, "specs", specs[0]), "utf8"));
  return { ...project, where, tools: specs.length, operations, importing: milliseconds, tool };
}

function copyWhole(source, target) {
  copyFileSync(source, target);
  return operationsOf(JSON.parse(readFileSync(source, "utf8"))).length;
}

function copyFirst(source, target, count) {
  const document = JSON.parse(readFileSync(source, "utf8"));
  const paths = {};
  for (const { path, method, item } of operationsOf(document).slice(0, count)) {
    paths[path] ??= item.parameters === undefined ? {} : { parameters: item.parameters };
    paths[path][method] = item[method];
  }
  writeFileSync(target, JSON.stringify({ ...document, paths }));
  return count;
}

function operationsOf({ paths }) {
  const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method] !== undefined).map((method) => ({ path, method, item })),
  );
}

/** The specs that a check refuses: what their source says is ambiguous, and somebody would have to decide it. */
function faultySpecs({ cwd, env }) {
  const { stdout } = spawnSync(process.execPath, [hasp, "check", "--unlocked", "--format", "json"], {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  const errors = JSON.parse(stdout).diagnostics.filter(({ severity }) => severity === "error");
  return new Set(errors.map(({ uri }) => uri));
}

/** Counts the bytes and files that a build has written, and finds the largest module. */
function outputOf(folder) {
  const generated = join(folder, "generated");
  const files = readdirSync(generated, { recursive: true })
    .map((path) => ({ path, stats: statSync(join(generated, path)) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ path, stats }) => ({ path, bytes: stats.size }));
  const modules = files.filter(({ path }) => path.endsWith(".ts")).toSorted((left, right) => right.bytes - left.bytes);
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), largest: modules[0] };
}

function reportOutput({ folder }) {
  const { files, bytes, largest } = outputOf(folder);
  printTable(
    "what that build writes",
    ["", "", "mark"],
    [
      ["files", files, ""],
      ["MB", (bytes / 1e6).toFixed(1), "12"],
      [`KB of the largest module, ${largest.path}`, (largest.bytes / 1000).toFixed(0), "150"],
    ],
  );
}

/** Measures the import of a registry, as generated and bundled. It loads no handler. */
async function reportLoading({ folder, tools }) {
  const program = join(folder, "program");
  const sources = readdirSync(join(folder, "generated"), { recursive: true }).filter((path) => path.endsWith(".ts"));
  for (const path of sources) {
    const { code } = await transform(readFileSync(join(folder, "generated", path), "utf8"), { loader: "ts" });
    const to = join(program, path.replace(/\.ts$/u, ".js"));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, code);
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await build({
    entryPoints: [join(program, "registry.js")],
    outdir: join(folder, "bundled"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
  });
  const load = (code) => measureProcess(["--input-type=module", "-e", code], { cwd: folder, runs: 5 });
  const bare = load("");
  const [plain, bundled] = ["program", "bundled"].map((name) => load(`await import("./${name}/registry.js")`));
  const over = ({ userMilliseconds, megabytes }) => [
    (userMilliseconds - bare.userMilliseconds).toFixed(0),
    (megabytes - bare.megabytes).toFixed(0),
  ];
  const rows = [over(plain), over(bundled)];
  printTable(
    `a registry of ${tools} tools, loaded: over bare node`,
    ["", "as generated", "bundled by esbuild", "mark"],
    [
      ["user ms", ...rows.map(([milliseconds]) => milliseconds), "500"],
      ["MB", ...rows.map(([, megabytes]) => megabytes), "60"],
    ],
  );
}
