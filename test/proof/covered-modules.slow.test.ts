// An approval covers a file if and only if a program would load it. What programs load, the loaders themselves say: Node,
// esbuild in the settings of several bundlers, and TypeScript.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, relative } from "node:path";
import { build, type ImportKind } from "esbuild";
import fc from "fast-check";
import { ts } from "ts-morph";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findTwins } from "@hasp/project/modules";
import { createCompilerHost } from "@hasp/project/read";
import { digestModules } from "../../packages/project/src/read/digest-modules.js";
import { bundleModule } from "./bundle-module.js";
import { isSample } from "../sample.js";

let top: string;
let outside: string;
beforeEach(() => {
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), "hasp-covered-")));
  [top, outside] = [join(temporary, "repository"), join(temporary, "elsewhere")];
});
afterEach(() => rmSync(dirname(top), { recursive: true, force: true }));

/** A repository: a project in one of its folders, beside packages of the same workspace. */
interface Layout {
  /** `""` or `agent/`, where the project is. */
  readonly project: string;
  /** Modules from the top, with the specifiers that they import. */
  readonly modules: Readonly<Record<string, readonly string[]>>;
  /** Settings files from the top, as JSON. */
  readonly settings: Readonly<Record<string, object>>;
  /** Links from the top, with their targets from the top; those that begin with `/` lie outside. */
  readonly links: Readonly<Record<string, string>>;
  /** Files in the generated folder that its manifest lists. */
  readonly built: readonly string[];
}

const REGISTRY = "src/generated/registry.ts";
const HANDLER = "src/tools/do-it.ts";

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function textOf(path: string, specifiers: readonly string[], version: string): string {
  if (path.endsWith(".json")) return JSON.stringify({ version });
  const isCommon = /\.c[jt]s$/u.test(path);
  const lines = specifiers.map((each) =>
    isCommon ? `require(${JSON.stringify(each)});` : `import ${JSON.stringify(each)};`,
  );
  return `${lines.join("\n")}\n// ${version}\n`;
}

function writeLayout({ project, modules, settings, links, built }: Layout): void {
  for (const [path, specifiers] of Object.entries(modules)) write(join(top, path), textOf(path, specifiers, "1"));
  for (const [path, value] of Object.entries(settings)) write(join(top, path), JSON.stringify(value));
  write(join(outside, "out/index.js"), "");
  mkdirSync(join(top, ".git"), { recursive: true });
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    symlinkSync(target.startsWith("/") ? join(outside, target) : join(top, target), join(top, path));
  }
  const outputs = built.map((path) => `    ${JSON.stringify(path)}: "shared"`);
  write(join(top, project, "src/generated/manifest.json"), `{\n  "outputs": {\n${outputs.join(",\n")}\n  }\n}\n`);
}

/** An import of a module. Paths are from the top. */
interface Import {
  readonly from: string;
  readonly specifier: string;
}

const kindOf = ({ from }: Import): ImportKind => (/\.c[jt]s$/u.test(from) ? "require-call" : "import-statement");

/** The settings with which bundlers resolve: conditions, main fields and endings. */
const BUNDLERS = [
  ...[
    [],
    ["node"],
    ["browser"],
    ["development"],
    ["node", "development"],
    ["browser", "development"],
    ["node", "browser"],
  ].map((conditions) => ({ conditions, platform: "neutral" as const })),
  ...[[], ["main"], ["module", "main"], ["browser", "module", "main"]].flatMap((mainFields) =>
    // Any order of endings begins like one of these; the last two are in all of them.
    [".ts", ".js", ".mjs", ".cjs", ".cts", ".json"].map((ending) => ({
      mainFields,
      resolveExtensions: [ending, ".js", ".json"],
      platform: mainFields.includes("browser") ? ("browser" as const) : ("neutral" as const),
    })),
  ),
];

async function bundled(imports: readonly Import[]): Promise<readonly (readonly string[])[]> {
  const found = imports.map(() => new Set<string>());
  for (const options of BUNDLERS) {
    await build({
      stdin: { contents: "", resolveDir: top },
      write: false,
      bundle: true,
      logLevel: "silent",
      absWorkingDir: top,
      ...options,
      plugins: [
        {
          name: "ask",
          setup({ onStart, resolve }) {
            onStart(async () => {
              for (const [index, each] of imports.entries()) {
                const importer = join(top, each.from);
                const place = { kind: kindOf(each), importer, resolveDir: dirname(importer) };
                const { errors, path } = await resolve(each.specifier, place);
                if (errors.length === 0 && path !== "") found[index]?.add(path);
              }
            });
          },
        },
      ],
    });
  }
  return found.map((paths) => [...paths]);
}

/** Resolves as `import` and as `require` do. */
const IN_NODE = `
import { createRequire } from "node:module";
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
const attempt = (run) => { try { return [run()]; } catch { return []; } };
const imports = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(imports.map(({ from, specifier }) => [
  ...attempt(() => fileURLToPath(import.meta.resolve(specifier, pathToFileURL(from).href))),
  ...attempt(() => createRequire(from).resolve(specifier)),
])));
`;

function inNode(imports: readonly Import[]): readonly (readonly string[])[] {
  const input = JSON.stringify(imports.map(({ from, specifier }) => ({ from: join(top, from), specifier })));
  const options = ["--no-warnings", "--experimental-import-meta-resolve", "--input-type=module", "-e", IN_NODE];
  return JSON.parse(
    execFileSync(process.execPath, options, { input, encoding: "utf8" }),
  ) as readonly (readonly string[])[];
}

function inTypeScript(imports: readonly Import[]): readonly (readonly string[])[] {
  return imports.map(({ from, specifier }) =>
    [ts.ModuleResolutionKind.Bundler, ts.ModuleResolutionKind.NodeNext].flatMap((moduleResolution) => {
      const module =
        moduleResolution === ts.ModuleResolutionKind.Bundler ? ts.ModuleKind.ESNext : ts.ModuleKind.NodeNext;
      const options = { moduleResolution, module, allowJs: true, resolveJsonModule: true };
      const mode = /\.c[jt]s$/u.test(from) ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext;
      const found = ts.resolveModuleName(specifier, join(top, from), options, ts.sys, undefined, undefined, mode);
      return found.resolvedModule === undefined ? [] : [found.resolvedModule.resolvedFileName];
    }),
  );
}

/**
 * Replaces the name of a linked package, and a mapped name, by its path: some bundlers follow the link before they look
 * into the folder, and some replace for browsers what a mapping leads to.
 */
function byPath({ from, specifier }: Import, { project, settings }: Layout): readonly Import[] {
  const relativeTo = (path: string): Import => {
    const written = relative(dirname(join(top, from)), join(top, path));
    return { from, specifier: written.startsWith(".") ? written : `./${written}` };
  };
  const isMapped = ["", "agent/"].some((at) => from.startsWith(at) && Object.hasOwn(settings, `${at}tsconfig.json`));
  if (specifier.startsWith("@/")) return isMapped ? [relativeTo(`${project}src${specifier.slice(1)}`)] : [];
  const { imports } = settings[`${project}package.json`] as { readonly imports?: Readonly<Record<string, string>> };
  const own = from.startsWith(project) && !from.startsWith("packages/lib/") ? imports?.[specifier] : undefined;
  if (own?.startsWith("./")) return [relativeTo(`${project}${own.slice(2)}`)];
  const [, name, part = ""] = /^@acme\/(lib|both)(\/.*)?$/u.exec(specifier) ?? [];
  const hasExports = Object.hasOwn(settings[`packages/${name}/package.json`] ?? {}, "exports");
  return name === undefined || hasExports ? [] : [relativeTo(`packages/${name}${part}`)];
}

/** Asks every loader to which files imports lead. Links are followed. */
async function resolveAll(imports: readonly Import[], layout: Layout): Promise<(each: Import) => readonly string[]> {
  // Only the folder and the ending of the importing module matter.
  const keyOf = ({ from, specifier }: Import): string => `${dirname(from)} ${extname(from)} ${specifier}`;
  const distinct = [...new Map(imports.map((each) => [keyOf(each), each])).values()];
  const spellings = distinct.flatMap((each) => [each, ...byPath(each, layout)].map((spelling) => ({ each, spelling })));
  const inBundlers = await bundled(spellings.map(({ spelling }) => spelling));
  const [inNodes, inCompiler] = [inNode(distinct), inTypeScript(distinct)];
  const found = distinct.map((each, index) => {
    const bundledFiles = spellings.flatMap((of, at) => (of.each === each ? (inBundlers[at] ?? []) : []));
    const paths = [...bundledFiles, ...(inNodes[index] ?? []), ...(inCompiler[index] ?? [])];
    const files = paths.filter((path) => existsSync(path) && statSync(path).isFile());
    return [keyOf(each), files.map((path) => relative(top, realpathSync(path)))] as const;
  });
  const byKey = new Map(found);
  return (each) => byKey.get(keyOf(each)) ?? [];
}

/** The files that some chain of imports loads, where each import is resolved by one of the loaders. */
async function loadedFrom(start: Import, layout: Layout): Promise<ReadonlySet<string>> {
  const { modules, built, project } = layout;
  const importsIn = (from: string): readonly Import[] =>
    (modules[from] ?? []).map((specifier) => ({ from, specifier }));
  const targetsOf = await resolveAll([start, ...Object.keys(modules).flatMap(importsIn)], layout);
  const loaded = new Set(targetsOf(start));
  for (const path of loaded) {
    if (path.split("/").includes("node_modules") || built.includes(path.slice(project.length))) continue;
    for (const each of importsIn(path)) for (const target of targetsOf(each)) loaded.add(target);
  }
  return loaded;
}

const SPECIFIERS = [
  "./b.js",
  "./b",
  "./b.cjs",
  "../lib/c.js",
  "../lib/c",
  "../lib",
  "../lib/",
  "../lib/data.json",
  "./linked/d.js",
  "./linked",
  "@acme/lib",
  "@acme/lib/sub",
  "@acme/lib/sub.js",
  "@acme/both",
  "@acme/out",
  "zed",
  "#own",
  "@/lib/c",
  "../generated/made.js",
  "../generated/stray.js",
];

const PACKAGE_FILES = [
  "a.js",
  "a.ts",
  "b.js",
  "b.mjs",
  "index.js",
  "index.ts",
  "sub.js",
  "sub.ts",
  "sub/index.js",
  "sub/index.ts",
];

/** A target of a map of conditions, in which no branch is dead. */
const target = fc.constantFrom("./a.js", "./b.js", "./b.mjs", "./index.js", "./sub.js");
const conditional = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.constantFrom("import", "require", "node", "browser", "development"), target, inner)
    .map(([condition, chosen, other]) => ({ [condition]: chosen, default: other }));
const targets = fc.oneof(target, conditional(target));

const packageSettings: fc.Arbitrary<object> = fc.oneof(
  fc.constant({}),
  fc.record(
    {
      main: fc.constantFrom("./a", "./a.js", "./sub"),
      module: fc.constantFrom("./b.js", "./b.mjs"),
      browser: fc.oneof(fc.constant("./b.js"), fc.constant({ "./a.js": "./replaced.js" })),
    },
    { requiredKeys: [] },
  ),
  targets.map((exports) => ({ exports })),
  fc
    .record({ ".": targets, "./sub": targets, "./*.js": fc.constant("./*.js") }, { requiredKeys: ["."] })
    .map((exports) => ({
      exports,
    })),
);

const someOf = (paths: readonly string[]): fc.Arbitrary<readonly string[]> => fc.subarray([...paths]);
const imported = fc.subarray(SPECIFIERS, { maxLength: 3 });

const layouts: fc.Arbitrary<Layout> = fc
  .record({
    project: fc.constantFrom("", "agent/"),
    twins: fc.subarray(["do-it.js", "do-it.js.ts", "do-it.js.json"], { maxLength: 1 }),
    hasTwins: fc.nat(4),
    files: someOf(["b.js", "b.ts", "b.js.ts", "b.mjs", "b/index.js", "b.cjs", "b.cts"]),
    library: someOf([
      "c.js",
      "c.ts",
      "c/index.ts",
      "index.ts",
      "index.mjs",
      "data.json",
      "data.json.js",
      "d.js",
      "d.ts",
    ]),
    own: someOf(PACKAGE_FILES),
    both: someOf(["index.js", "index.ts"]),
    settings: packageSettings,
    browser: fc.constantFrom(
      undefined,
      { "./src/lib/c.js": "./src/lib/replaced.js" },
      { "src/lib/c.js": "./src/lib/replaced.js" },
      { zed: "./src/lib/replaced.js" },
    ),
    linked: fc.constantFrom(undefined, "lib", "shared"),
    modulesAt: fc.constantFrom("", "agent/"),
    ownName: fc.constantFrom("./src/lib/c.js", "@acme/lib", "zed"),
    importsOf: fc.array(imported, { minLength: 8, maxLength: 8 }),
    mapsPaths: fc.constantFrom(undefined, "", "agent/"),
  })
  .map((drawn) => {
    const { project, modulesAt, importsOf } = drawn;
    const at = project === "" ? "" : modulesAt;
    const names = [
      HANDLER,
      ...(drawn.hasTwins === 0 ? drawn.twins.map((name) => `src/tools/${name}`) : []),
      ...drawn.files.map((name) => `src/tools/${name}`),
      ...drawn.library.map((name) => `src/lib/${name}`),
      ...(drawn.browser === undefined ? [] : ["src/lib/c.js", "src/lib/replaced.js"]),
      REGISTRY,
      "src/generated/made.ts",
      "src/generated/stray.ts",
    ].map((path) => `${project}${path}`);
    const others = [
      ...drawn.own.map((name) => `packages/lib/${name}`),
      ...drawn.both.map((name) => `packages/both/${name}`),
      // esbuild replaces few of the imports of a file that is not there.
      ...("browser" in drawn.settings ? ["a.js", "sub.js", "replaced.js"] : []).map((name) => `packages/lib/${name}`),
      "shared/d.ts",
      "shared/index.js",
      `${at}node_modules/zed/index.js`,
    ];
    const modules = Object.fromEntries(
      [...names, ...others].map((path, index) => {
        const isBuilt = path.includes("/generated/") && !path.endsWith("stray.ts");
        const isData = path.endsWith(".json") || path.includes("node_modules");
        return [path, isData || isBuilt ? [] : (importsOf[index % importsOf.length] ?? [])];
      }),
    );
    return {
      project,
      modules,
      settings: {
        [`${project}package.json`]: {
          name: "agent",
          imports: { "#own": drawn.ownName },
          ...(drawn.browser === undefined ? {} : { browser: drawn.browser }),
        },
        "packages/lib/package.json": { name: "@acme/lib", ...drawn.settings },
        ...(drawn.mapsPaths === undefined || !project.startsWith(drawn.mapsPaths)
          ? {}
          : {
              [`${drawn.mapsPaths}tsconfig.json`]: {
                compilerOptions: { paths: { "@/*": [`./${project.slice(drawn.mapsPaths.length)}src/*`] } },
              },
            }),
      },
      links: {
        ...(drawn.linked === undefined
          ? {}
          : { [`${project}src/tools/linked`]: drawn.linked === "lib" ? `${project}src/lib` : "shared" }),
        [`${at}node_modules/@acme/lib`]: "packages/lib",
        [`${at}node_modules/@acme/both`]: "packages/both",
        [`${at}node_modules/@acme/out`]: "/out",
      },
      built: ["src/generated/registry.ts", "src/generated/made.ts"],
    };
  });

interface Judged {
  readonly digest: string | undefined;
  readonly obstacle: string | undefined;
}

async function judge({ project }: Layout): Promise<Judged> {
  const host = createCompilerHost(join(top, project));
  const found = (await digestModules(host, [HANDLER], "src/generated"))[HANDLER];
  return { digest: found?.digest, obstacle: found?.obstacle };
}

/** True if a change of these files changes the digest. */
async function isNoticed(paths: readonly string[], layout: Layout, { digest }: Judged): Promise<boolean> {
  const writeAll = (version: string): void => {
    for (const path of paths) write(join(top, path), textOf(path, layout.modules[path] ?? [], version));
  };
  writeAll("2");
  const now = await judge(layout);
  writeAll("1");
  return now.digest !== digest;
}

/** Compares the files that a digest covers with those that loaders load. */
async function expectExactCover(layout: Layout): Promise<void> {
  rmSync(top, { recursive: true, force: true });
  writeLayout(layout);
  const { project, modules, built } = layout;
  const start = { from: `${project}${REGISTRY}`, specifier: "../tools/do-it.js" };
  const loaded = await loadedFrom(start, layout);
  const twins = findTwins(join(top, project), [HANDLER]).map(({ path }) => `${project}${path}`);
  const judged = await judge(layout);
  const leadsOut = [...loaded].some((path) => path.startsWith(".."));
  if (twins.length === 0) expect(judged.obstacle?.includes("outside the repository") === true).toBe(leadsOut);

  // Lockfiles pin what is installed, and the specs cover what was built.
  const isExcused = (path: string): boolean =>
    path.includes("node_modules") || built.includes(path.slice(project.length));
  const expected = Object.keys(modules).filter((path) => loaded.has(path) && !isExcused(path));
  // A twin is an error.
  if (twins.length > 0) {
    expect(expected).toEqual(expect.arrayContaining(twins));
    return;
  }
  for (const path of expected) expect([path, await isNoticed([path], layout, judged)]).toEqual([path, true]);
  const others = Object.keys(modules).filter((path) => !expected.includes(path));
  expect([others, await isNoticed(others, layout, judged)]).toEqual([others, false]);
}

const ofPackage = (...names: readonly string[]): readonly string[] => names.map((name) => `packages/lib/${name}`);

test.each([
  [
    "a main beside a folder of its name",
    "@acme/lib",
    { main: "./sub", browser: "./b.js" },
    ofPackage("sub.js", "sub/index.js", "index.js"),
  ],
  [
    "a main beside a folder with TypeScript",
    "@acme/lib",
    { main: "./sub" },
    ofPackage("sub.js", "sub/index.ts", "sub/index.js"),
  ],
  [
    "a TypeScript main beside a folder",
    "@acme/lib",
    { main: "./sub" },
    ofPackage("sub.ts", "sub/index.ts", "sub/index.js"),
  ],
  ["a part beside a folder with TypeScript", "@acme/lib/sub", {}, ofPackage("sub.js", "sub/index.ts", "sub/index.js")],
  [
    "a package beside a file of its name",
    "@acme/lib",
    { main: "./sub" },
    ["packages/lib.js", ...ofPackage("sub.ts", "index.js")],
  ],
  ["a folder beside a file of its name", "../lib/", {}, ["src/lib.js", "src/lib/index.js"]],
  [
    "a folder with a main beside a folder",
    "../../packages/lib",
    { main: "./sub" },
    ofPackage("sub.js", "sub/index.ts"),
  ],
])("an approval covers exactly what is loaded for %s", async (_what, specifier, settings, paths) => {
  await expectExactCover({
    project: "",
    modules: { [HANDLER]: [specifier], [REGISTRY]: [], ...Object.fromEntries(paths.map((path) => [path, []])) },
    settings: { "package.json": { name: "agent" }, "packages/lib/package.json": { name: "@acme/lib", ...settings } },
    links: { "node_modules/@acme/lib": "packages/lib" },
    built: [REGISTRY],
  });
});

test("an approval covers exactly the files that Node, bundlers and TypeScript load", async () => {
  await fc.assert(fc.asyncProperty(layouts, expectExactCover), {
    numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? (isSample ? 5 : 15)),
  });
});

/** A statement that may load the file of a number. */
interface Statement {
  readonly text: (file: number) => string;
  /** True if an approval cannot cover it. */
  readonly isComputed: boolean;
}

const LOADING = "(globalThis.loaded ??= []).push";
/** White space and comments, some with text that looks like an import. */
const blank = fc.constantFrom(
  "",
  " ",
  "\n",
  `/*${"x".repeat(1001)}*/`,
  "/**/".repeat(10),
  `//${"x".repeat(1001)}\n`,
  '// from "./none.js"\n',
  "// import type a\n",
  "/* import type { */",
  " ".repeat(1001),
);
const specifier = fc.constantFrom("./", "././".repeat(400), "./x/../", String.raw`.\u002f`);
const literal = fc.tuple(specifier, fc.constantFrom('"', "'")).map(
  ([start, quote]) =>
    (name: string) =>
      `${quote}${start}${name}${quote}`,
);

const followed: readonly ((blank: string, quoted: (name: string) => string, file: number) => string)[] = [
  (b, q, n) => `import${b}${q(`e${n}.mjs`)}`,
  (b, q, n) => `import${b}*${b} as n${n} ${b}from${b}${q(`e${n}.mjs`)}`,
  (b, q, n) => `import{${b}default as n${n}${b}}from${b}${q(`e${n}.mjs`)}`,
  (b, q, n) => `import n${n}${b} from ${b}${q(`e${n}.mjs`)}`,
  (b, q, n) => `export${b}*${b} as "import type a${n} from "${b}from${b}${q(`e${n}.mjs`)}`,
  (b, q, n) => `await import${b}(${b}${q(`e${n}.mjs`)}${b})`,
  (b, q, n) => `[0, "import type a from ", await import(${b}${q(`e${n}.mjs`)})]`,
  (_, q, n) => `["import(", await import(${q(`e${n}.mjs`)}), ")"]`,
];
const computed: readonly ((file: number) => string)[] = [
  (n) => `[0, "import type a from ", await import(String("./e${n}.mjs"))]`,
  (n) => `["import(", await import(String("./e${n}.mjs")), ")"]`,
  (n) => `import * as m${n} from "node:module"; m${n}["createRequire"](import.meta.url)("./" + "c${n}.cjs")`,
  (n) => `import m${n} from "module"; m${n}["create" + "Require"](import.meta.url)("./" + "c${n}.cjs")`,
  (n) => `import { "createRequire" as r${n} } from "module"; r${n}(import.meta.url)("./" + "c${n}.cjs")`,
  (n) => `await import(import.meta/**/.url.replace(/do-it/u, "e${n}"))`,
];
/** Statements that import nothing, between others that do. */
const noise = fc.constantFrom(
  '"from /*"',
  "'from //'",
  '"import("',
  "'import type { '",
  '"import type a from "',
  "`\nimport type a from `",
  "`require(`",
  '/from "/u',
  'Array.from("abc")',
  "// import type {\n",
  "/* from */",
  "'it\\'s from '",
);
const piece: fc.Arbitrary<Statement> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...followed), blank, literal)
      .map(([write_, b, q]) => ({ text: (file: number) => write_(b, q, file), isComputed: false })),
  },
  { weight: 1, arbitrary: fc.constantFrom(...computed).map((text) => ({ text, isComputed: true })) },
  { weight: 5, arbitrary: noise.map((text) => ({ text: () => text, isComputed: false })) },
);

/** Loads a module in Node, and returns the numbers of the files that run. */
function runInNode(path: string): readonly number[] {
  const text = `await import(${JSON.stringify(path)}); console.log(JSON.stringify(globalThis.loaded ?? []));`;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", text], { encoding: "utf8" }),
  ) as readonly number[];
}

test("a text's imports are covered or an obstacle, whatever comments and strings are between them", async () => {
  const handler = "src/tools/do-it.mjs";
  const judgeText = async (): Promise<Judged> => {
    const found = (await digestModules(createCompilerHost(top), [handler], "src/generated"))[handler];
    return { digest: found?.digest, obstacle: found?.obstacle };
  };
  const pieces = fc.array(fc.tuple(piece, fc.constantFrom(";", ";\n")), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(pieces, async (drawn) => {
      rmSync(top, { recursive: true, force: true });
      const text = drawn.map(([{ text: write_ }, end], index) => `${write_(index)}${end}`).join("");
      write(join(top, handler), text);
      const files = drawn.flatMap((_, index) => [`e${index}.mjs`, `c${index}.cjs`]);
      const numberOf = (name: string): number => Number(/\d+/u.exec(name)?.[0]);
      const writeFile = (name: string, end: string): void => {
        const value = name.endsWith(".mjs") ? "export default 1;" : "";
        write(join(top, "src/tools", name), `${LOADING}(${numberOf(name)});${value}${end}`);
      };
      for (const name of files) writeFile(name, "");
      const { inputs } = await bundleModule(top, handler);
      const bundledNumbers = Object.keys(inputs)
        .filter((path) => path !== handler)
        .map((path) => numberOf(path));
      const loaded = new Set([...bundledNumbers, ...runInNode(join(top, handler))]);
      const judged = await judgeText();
      const isComputed = drawn.some(([each]) => each.isComputed);
      expect([text, judged.obstacle ?? ""]).toEqual([text, isComputed ? expect.stringContaining("computed") : ""]);
      if (isComputed) return;
      for (const number of loaded) {
        writeFile(`e${number}.mjs`, "// changed");
        expect([text, number, (await judgeText()).digest === judged.digest]).toEqual([text, number, false]);
        writeFile(`e${number}.mjs`, "");
      }
    }),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 30) },
  );
});
