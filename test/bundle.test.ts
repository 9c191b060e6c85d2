import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";
import { hasp } from "./cli/command-line.js";

const packages = resolve(import.meta.dirname, "../packages");
const dist = join(packages, "hasp/dist");

/** Finds the modules that load with a built file: our own files, and packages by name. Dynamic imports do not count. */
function loadedWith(
  file: string,
  found: { readonly files: Set<string>; readonly packages: Set<string> },
): typeof found {
  if (found.files.has(file)) return found;
  found.files.add(file);
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\b[^"'()]*?["']([^"']+)["'];$/gm,
  )) {
    if (specifier.startsWith(".")) loadedWith(join(dirname(file), specifier), found);
    else if (!isBuiltin(specifier)) found.packages.add(specifier);
  }
  return found;
}

/** True if one of the files contains the YAML parser, which we bundle. */
const haveParser = (files: ReadonlySet<string>): boolean =>
  [...files].some((file) => readFileSync(file, "utf8").includes("YAMLParseError ="));

const chunkOf = (name: string): string =>
  `shared/${readdirSync(join(dist, "shared")).find((file) => new RegExp(`^${name}-.{8}\\.js$`, "u").test(file)) ?? "none"}`;

const loaded = (entry: string): ReturnType<typeof loadedWith> =>
  loadedWith(join(dist, entry), { files: new Set(), packages: new Set() });

test("the command line starts from a few files, and loads neither a parser nor a validator before it knows that it needs one", () => {
  const { files, packages } = loaded("cli/main.js");
  expect(files.size).toBeLessThanOrEqual(4);
  expect([...packages].toSorted()).toEqual(["@hasp/runtime/contract", "commander"]);
  expect(haveParser(files)).toBe(false);
});

test.each([
  ["call", []],
  ["serve", ["@hasp/runtime/internal"]],
  ["find-specs", []],
])("%s loads the compiler only for a project in which something has changed", (command, others) => {
  const { files, packages } = loaded(chunkOf(command));
  expect(files.size).toBeLessThanOrEqual(8);
  expect([...packages].toSorted()).toEqual(["@hasp/runtime/contract", ...others, "commander"]);
  expect(haveParser(files)).toBe(false);
});

test("a check loads no dispatcher", () => {
  const { packages } = loaded(chunkOf("compile"));
  expect(
    [...packages].filter((name) => /^@hasp\/runtime(?:$|\/(?:internal|flow|results|search)$)/u.test(name)),
  ).toEqual([]);
});

test("no entry loads what few runs need: TypeScript, a server, Ajv, the analysers of patterns", () => {
  const { files, packages } = loaded("index.js");
  expect(files.size).toBeLessThanOrEqual(8);
  expect([...packages]).toContain("@hasp/schema");
  expect(haveParser(files)).toBe(true);
  expect(
    [...packages].filter((name) => /^(?:ts-morph|prettier|jiti|gpt-tokenizer|ajv|@modelcontextprotocol)/u.test(name)),
  ).toEqual([]);
});

test("the contract of a tool loads neither a dispatcher nor a validator: every run of hasp reads it", () => {
  const entry = join(packages, "runtime/dist/doors/contract.js");
  const { files, packages: others } = loadedWith(entry, { files: new Set(), packages: new Set() });
  expect([...others]).toEqual([]);
  const text = [...files].map((file) => readFileSync(file, "utf8")).join("");
  expect(text).toContain("FAIL_CLOSED_DEFAULTS");
  for (const heavy of ["createDispatcher", "createValidator", "class Redactor"]) expect(text).not.toContain(heavy);
});

test("a host of @hasp/runtime loads its dispatcher at once, and stored turns on demand", () => {
  const files = ["runtime/dist/index.js", "schema/dist/runtime.js"].flatMap((entry) => [
    ...loadedWith(join(packages, entry), { files: new Set(), packages: new Set() }).files,
  ]);
  // Without the lists of names that chunks pass to each other.
  const texts = files.map((file) => readFileSync(file, "utf8").replaceAll(/^(?:import|export) .*$/gmu, "")).join("");
  expect(texts.length).toBeLessThanOrEqual(425_000);
  for (const onUse of ["createStoredTurns(", "createRanking(", "defineDialect(", "boundTool("]) {
    expect(texts).not.toContain(`function ${onUse}`);
  }
});

test("a generated registry imports nothing that loads more on demand, which a bundler would keep", () => {
  const entry = join(packages, "runtime/dist/codegen/v1/index.js");
  const { files } = loadedWith(entry, { files: new Set(), packages: new Set() });
  const text = [...files].map((file) => readFileSync(file, "utf8")).join("");
  expect(text).toContain("const bindTool =");
  expect(text).not.toMatch(/\bimport\(/u);
  expect(text).not.toContain("function createDispatcher(");
});

/** Resolves our packages to their sources. */
const fromSources: Plugin = {
  name: "from-sources",
  setup({ onResolve }) {
    onResolve({ filter: /^@hasp\// }, ({ path }) => {
      const [, name = "", ...door] = path.split("/");
      const { exports } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")) as {
        readonly exports: { readonly [door: string]: { readonly default: string } };
      };
      const built = exports[[".", ...door].join("/")]?.default ?? "none";
      return { path: join(packages, name, built.replace("dist", "src").replace(/js$/u, "ts")), sideEffects: false };
    });
  },
};

/** Lists the source files of which a bundle of one name holds a part. */
async function filesBehind(name: string, from: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: {
      contents: `export { ${name} } from "./${from}";`,
      resolveDir: join(packages, "runtime/src"),
      loader: "ts",
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    external: ["node:*"],
    absWorkingDir: packages,
    outdir: "none",
    metafile: true,
    write: false,
    plugins: [fromSources],
  });
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : []));
}

test("the kernel of a dispatcher is bundled without validator, table of keywords, patterns, decoders and extensions, which tools and hosts bring along", async () => {
  const foreign =
    /^schema\/src\/(?!keywords\.ts|vocabulary\/cache-mark)|^runtime\/src\/(?:calls\/call-store|extensions|codegen|secrets|tool\/(?:fields|make-tool|tool)\.ts)/u;
  const ofKernel = await filesBehind("createKernel", "dispatch/kernel.ts");
  expect(ofKernel).toContain("runtime/src/dispatch/turn.ts");
  expect(ofKernel.filter((file) => foreign.test(file))).toEqual([]);
  const ofTools = await filesBehind("buildTool", "tool/tool.ts");
  expect(ofTools).toEqual(
    expect.arrayContaining(["schema/src/validate/validator.ts", "schema/src/patterns/linear-pattern.ts"]),
  );
});

/** Bundles a module into one minified file, and returns its gzipped size in kilobytes. `alias` replaces packages. */
async function measureBundle(
  contents: string,
  resolveDir: string,
  alias: Record<string, string> = {},
): Promise<number> {
  return gzipSync(await bundleMinified(contents, resolveDir, alias)).length / 1024;
}

/** Bundles a module into one minified file. */
async function bundleMinified(
  contents: string,
  resolveDir: string,
  alias: Record<string, string> = {},
  plugins: Plugin[] = [],
): Promise<Buffer> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    external: ["node:*"],
    alias,
    plugins,
    write: false,
  });
  return Buffer.from(outputFiles[0]?.contents ?? "");
}

test.each([
  ["buildTool", 25],
  ["createDispatcher", 38],
])("a program with %s is bundled into one file of at most %d KB, minified and gzipped", async (name, limit) => {
  const contents = `export { ${name} } from "@hasp/runtime";`;
  expect(await measureBundle(contents, import.meta.dirname)).toBeLessThanOrEqual(limit);
});

test.each(["buildTool", "createDispatcher"])(
  "a program with %s takes no more from our built files, where modules share a file, than from their sources",
  async (name) => {
    const contents = `export { ${name} } from "@hasp/runtime";`;
    const built = await bundleMinified(contents, import.meta.dirname);
    const fromModules = await bundleMinified(contents, import.meta.dirname, {}, [fromSources]);
    expect(built.length).toBeLessThanOrEqual(fromModules.length * 1.01);
  },
);

/** Writes at most twenty specs as people do: with patterns, formats, bounds and optional properties. */
function writeSpecs(folder: string, count: number): void {
  const nouns = ["order", "ticket", "invoice", "message", "product", "meeting", "file", "report", "user", "payment"];
  const tools = nouns.flatMap((noun) => [`find_${noun}`, `update_${noun}`]).slice(0, count);
  for (const name of tools) {
    const noun = name.split("_")[1] ?? name;
    const text = (what: string): object => ({ type: "string", minLength: 1, maxLength: 2000, description: what });
    const id = { type: "string", minLength: 8, maxLength: 40, pattern: "^[a-z]+_[0-9a-z]+$" };
    const properties = {
      [`${noun}_id`]: { ...id, description: `The ${noun}, by its id.` },
      customer: { ...id, description: `The customer of the ${noun}.` },
      since: { type: "string", format: "date", description: `The first day of the ${noun}, as YYYY-MM-DD.` },
      state: { enum: ["open", "closed", noun], description: `The state of the ${noun}.` },
      limit: { type: "integer", minimum: 0, maximum: 1000, default: 20, description: "The most results." },
      note: text(`A note about the ${noun}, as plain text.`),
    };
    const description = `${name.replace("_", " a ")}. Use it when the user asks for the ${noun}. Do not use it to guess.`;
    const input = { type: "object", required: [`${noun}_id`], properties };
    writeFileSync(join(folder, `specs/${name}.tool.json`), JSON.stringify({ hasp: 1, name, description, input }));
  }
}

test.each([
  [1, "tool", 16],
  [20, "tools", 20.5],
])(
  "a registry of %d %s, without the extensions that it names, is bundled into one file of at most %d KB",
  async (count, _, limit) => {
    const folder = mkdtempSync(join(tmpdir(), "hasp-bundle-"));
    try {
      mkdirSync(join(folder, "specs"));
      symlinkSync(join(import.meta.dirname, "node_modules"), join(folder, "node_modules"));
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      const dialects = "[anthropic, openai-responses, openai-responses-strict, gemini, mcp]";
      writeFileSync(
        join(folder, "hasp.config.yaml"),
        `specs: [specs]\noutDir: generated\nhandlers: handlers\ndialects: ${dialects}\n`,
      );
      writeSpecs(folder, count);
      const { code, out } = await hasp(folder, ["build", "--unlocked"]);
      expect(code, out).toBe(0);
      const contents = 'export { registry } from "./generated/registry.js";';
      // A program loads these with its dispatcher; the limits are those of the registry alone.
      const none = join(folder, "none.js");
      writeFileSync(none, "export const informationFlow = 0, toolSearch = 0; export function storedResults() {}");
      const alias = Object.fromEntries(["flow", "results", "search"].map((name) => [`@hasp/runtime/${name}`, none]));
      expect(await measureBundle(contents, folder, alias)).toBeLessThanOrEqual(limit);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test.each(["sources/export-schemas-child.js", "modules/handlers/handler-child.js"])(
  "%s, a process of its own, loads nothing of the compiler",
  (child) => {
    const { files, packages } = loaded(child);
    expect(files.size).toBe(1);
    expect([...packages]).toEqual([]);
  },
);
