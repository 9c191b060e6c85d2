// Generated code runs in each runtime, from each bundler, under each test runner and package manager of the matrix.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { packages } from "../from-nothing/packed.testing.js";
import { BUNDLERS, EXCLUDED, PACKAGE_MANAGERS, RUNTIMES, TEST_RUNNERS } from "./matrix.js";
import { createOutside, runProgram, TOOLS, type Outside, type Ran } from "./outside-folder.testing.js";
import { copyKitchen, copyWithoutConnections, importSources } from "./projects.testing.js";
import { COMPILERS, printSettings, readStartOptions } from "./tsconfigs.js";

/** The lines that the kitchen's program prints. */
const ANSWERS = `add {"sum":2}
add invalid-input none
gated {"drawn":"lazy"}
gated_elsewhere unknown-tool none
alone {"loud":"HUSH"}
pick_shape {"drawn":true,"area":6}
pick_shape invalid-input none
judged {"found":10}
judged invalid-input none
listed true gated 1
`;

/** The lines that it prints from a bundle: an isolated handler needs files beside it. */
const BUNDLED = ANSWERS.replace('alone {"loud":"HUSH"}', "alone not-executed none");

/** Runtimes, of which npm has packages for this system. */
const PROGRAMS = {
  node20: "node-20/bin/node",
  node22: "node-22/bin/node",
  node24: "node-24/bin/node",
  bun: "@oven/bun-linux-x64/bin/bun",
  deno: "@deno/linux-x64-glibc/deno",
} as const;

let outside: Outside;

const tsc = join(TOOLS, COMPILERS["7.0"], "bin/tsc");

/** Builds a project and compiles it, with the options of the first page and others. */
async function build(folder: string, others: object = {}): Promise<void> {
  const { code, out } = await outside.hasp(folder, ["build", "--unlocked", "--quiet"]);
  expect(code, out).toBe(0);
  const compilerOptions = { ...readStartOptions(), ...others };
  outside.write(folder, { "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }) });
  expect(await outside.run(folder, process.execPath, [tsc])).toEqual({ code: 0, out: "" });
}

beforeAll(async () => {
  outside = await createOutside(["oauth4webapi", "@modelcontextprotocol/client"]);
  copyKitchen(outside, "kitchen");
  copyWithoutConnections(outside, "alone");
  copyWithoutConnections(outside, "sources");
  importSources(outside, "sources");
  await Promise.all([
    build("kitchen"),
    build("alone"),
    build("sources", { rewriteRelativeImportExtensions: true, erasableSyntaxOnly: true }),
  ]);
});
afterAll(() => outside.remove());

/** Runs the compiled program, or another one of the project, in a runtime. */
async function runIn(program: keyof typeof PROGRAMS, words: readonly string[], folder = "kitchen"): Promise<Ran> {
  return outside.run(folder, join(TOOLS, PROGRAMS[program]), words);
}

const node = async (words: readonly string[], folder = "kitchen", env?: NodeJS.ProcessEnv): Promise<Ran> =>
  outside.run(folder, process.execPath, words, env);

/** Compiles the project as a host whose files are CommonJS. */
async function compileCommonJs(): Promise<void> {
  if (existsSync(join(outside.root, "commonjs"))) return;
  for (const part of ["src", "specs"]) {
    cpSync(join(outside.root, "kitchen", part), join(outside.root, "commonjs", part), { recursive: true });
  }
  const settings = printSettings("nest", "7.0").replace('"noEmit":true', '"noEmit":false');
  outside.write("commonjs", { "package.json": '{ "private": true }', "tsconfig.json": settings });
  expect(await node([tsc], "commonjs")).toEqual({ code: 0, out: "" });
}

/** Node 22 warns that it strips types by itself. */
const QUIET = ["--disable-warning=ExperimentalWarning"];

const loader = `--import=${join(TOOLS, "tsx/dist/loader.mjs")}`;

const runtimes: { readonly [Name in keyof typeof RUNTIMES]: () => Promise<Ran> } = {
  "node-20": async () => runIn("node20", ["dist/main.js"]),
  "node-22": async () => runIn("node22", ["dist/main.js"]),
  "node-24": async () => runIn("node24", ["dist/main.js"]),
  "commonjs-20": async () => {
    await compileCommonJs();
    return runIn("node20", ["dist/main.js"], "commonjs");
  },
  "commonjs-22": async () => {
    await compileCommonJs();
    return runIn("node22", [...QUIET, "dist/main.js"], "commonjs");
  },
  "commonjs-24": async () => {
    await compileCommonJs();
    return runIn("node24", ["dist/main.js"], "commonjs");
  },
  "source-22": async () => runIn("node22", [...QUIET, "src/main.ts"], "sources"),
  "source-24": async () => runIn("node24", [...QUIET, "src/main.ts"], "sources"),
  rewritten: async () => runIn("node20", ["dist/main.js"], "sources"),
  tsx: async () => node([join(TOOLS, "tsx/dist/cli.mjs"), "src/main.ts"]),
  "tsx-import": async () => node([loader, "src/main.ts"]),
  "tsx-options": async () => node(["src/main.ts"], "kitchen", { NODE_OPTIONS: loader }),
  bun: async () => runIn("bun", ["src/main.ts"]),
  deno: async () => runIn("deno", ["run", "-A", "--node-modules-dir=manual", "dist/main.js"]),
  "source-deno": async () => runIn("deno", ["run", "-A", "--node-modules-dir=manual", "src/main.ts"], "sources"),
};

describe("a program in its files", () => {
  test.each(Object.entries(runtimes))("answers its calls under %s", async (_name, run) => {
    expect(await run()).toEqual({ code: 0, out: ANSWERS });
  });
});

/** Bundles a project and runs what is written. */
async function runBundle(words: readonly string[], path: string, folder = "kitchen"): Promise<Ran> {
  const { code, out } = await node(words, folder);
  expect(code, out).toBe(0);
  return node([path], folder);
}

/** Bundles the whole kitchen with esbuild. */
async function esbuild(words: readonly string[], path: string): Promise<Ran> {
  const command = [join(TOOLS, "esbuild/bin/esbuild"), "src/main.ts", "--bundle", "--platform=node"];
  return runBundle([...command, "--log-override:empty-import-meta=silent", ...words], path);
}

/** Runs a bundler by a script, in the project that needs no package but those of hasp. */
async function bundleBy(name: string, script: string, path: string): Promise<Ran> {
  outside.write("alone", { [name]: script.replaceAll("TOOLS", TOOLS) });
  return runBundle([name], path, "alone");
}

const WEBPACK = `import webpack from "TOOLS/webpack/lib/index.js";
const options = { transpileOnly: true, compiler: "TOOLS/typescript/lib/typescript.js" };
webpack(
  {
    mode: "production",
    target: "node",
    entry: "./src/main.ts",
    output: { path: process.cwd() + "/out/webpack", filename: "main.cjs" },
    optimization: { minimize: false },
    resolve: { extensions: [".ts", ".js"], extensionAlias: { ".js": [".ts", ".js"] } },
    module: { rules: [{ test: /[.]ts$/, loader: "TOOLS/ts-loader/index.js", options }] },
  },
  (error, stats) => {
    console.log(error ?? stats.toString({ all: false, errors: true, warnings: true }));
    process.exitCode = error === null && !stats.hasErrors() ? 0 : 1;
  },
);
`;

/** A script that bundles a compiled program with Rollup. */
const bundleWithRollup = (
  input: string,
  output: string,
): string => `import { rollup } from "TOOLS/rollup/dist/es/rollup.js";
import { nodeResolve } from "TOOLS/@rollup/plugin-node-resolve/dist/es/index.js";
const bundle = await rollup({ input: "${input}", plugins: [nodeResolve({ preferBuiltins: true })] });
await bundle.write({ format: "es", ${output} });
await bundle.close();
`;

const bundlers: { readonly [Name in keyof typeof BUNDLERS]: () => Promise<Ran> } = {
  "esbuild-esm": async () => esbuild(["--format=esm", "--outfile=out/esbuild.mjs"], "out/esbuild.mjs"),
  "esbuild-split": async () =>
    esbuild(["--format=esm", "--splitting", "--minify", "--outdir=out/esbuild"], "out/esbuild/main.js"),
  "esbuild-cjs": async () => esbuild(["--format=cjs", "--outfile=out/esbuild.cjs"], "out/esbuild.cjs"),
  vite: async () =>
    runBundle(
      [join(TOOLS, "vite/bin/vite.js"), "build", "--ssr", "src/main.ts", "--outDir", "out/vite"],
      "out/vite/main.js",
    ),
  webpack: async () => bundleBy("webpack.mjs", WEBPACK, "out/webpack/main.cjs"),
  rollup: async () =>
    bundleBy("rollup.mjs", bundleWithRollup("dist/main.js", 'dir: "out/rollup"'), "out/rollup/main.js"),
};

describe("a program in few files", () => {
  test.each(Object.entries(bundlers))("answers its calls from a bundle by %s", async (_name, run) => {
    expect(await run()).toEqual({ code: 0, out: BUNDLED });
  });
});

/** A test of a user's: with what the test runner has for it, and where the compiled registry is. */
const userTest = (imports: string, dist: string): string => `${imports}
import { createDispatcher } from "@hasp/runtime";
import { registry } from "${dist}/generated/registry.js";

test("adds", async () => {
  const tools = registry.pick(["add"]);
  const permissions = { rules: [{ tool: "add", decision: "allow" }] };
  const dispatcher = createDispatcher({ tools, permissions });
  const [result] = await dispatcher.dispatch([{ id: "1", name: "add", input: { a: 1 } }], { context: {} });
  equal(JSON.stringify(result.output), '{"sum":2}');
});
`;
const WITH_EXPECT = "const equal = (actual, expected) => expect(actual).toBe(expected);";

const testRunners: { readonly [Name in keyof typeof TEST_RUNNERS]: () => Promise<Ran> } = {
  "node-test": async () => {
    const imports = 'import { test } from "node:test";\nimport { equal } from "node:assert/strict";';
    outside.write("alone", { "add.mjs": userTest(imports, "./dist") });
    return node(["--test", "add.mjs"], "alone");
  },
  vitest: async () => {
    const imports = `import { expect, test } from "${join(TOOLS, "vitest/dist/index.js")}";\n${WITH_EXPECT}`;
    outside.write("alone", { "tests/add.test.ts": userTest(imports, "../src") });
    return node([join(TOOLS, "vitest/vitest.mjs"), "run", "tests/add.test.ts"], "alone");
  },
  jest: async () => {
    outside.write("alone", {
      "jest/add.test.js": userTest(WITH_EXPECT, "../dist"),
      "jest.config.mjs": 'export default { transform: {}, testMatch: ["<rootDir>/jest/*.test.js"] };',
    });
    return node(["--experimental-vm-modules", join(TOOLS, "jest/bin/jest.js")], "alone");
  },
};

describe("a user's tests", () => {
  test.each(Object.entries(testRunners))("pass under %s", async (_name, run) => {
    const { code, out } = await run();
    expect(code, out).toBe(0);
    expect(out).toMatch(/pass 1\b|1 passed/u);
  });
});

/** Creates a project outside of all others, with the compiled program and the packages that it imports. */
async function createInstallable(
  files: (tarballs: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "hasp-installed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const all = await packages();
  const imported = ["runtime", "schema", "handlers"].map((name) => [`@hasp/${name}`, `file:${all[name]?.tarball}`]);
  for (const [path, text] of Object.entries(files(Object.fromEntries(imported)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  cpSync(join(outside.root, "alone/dist"), join(folder, "dist"), { recursive: true });
  return folder;
}

/** Installs a project and runs it. */
async function runInstalled(folder: string, install: readonly string[], run: readonly string[]): Promise<Ran> {
  const [program = "", ...words] = install;
  const { code, out } = await runProgram(folder, program, words);
  expect(code, out).toBe(0);
  const [runtime = "", ...rest] = run;
  return runProgram(folder, runtime, rest);
}

const manifest = (fields: object): string =>
  JSON.stringify({ name: "installed", private: true, type: "module", ...fields });

const packageManagers: { readonly [Name in keyof typeof PACKAGE_MANAGERS]: () => Promise<Ran> } = {
  npm: async () => {
    const folder = await createInstallable((dependencies) => ({ "package.json": manifest({ dependencies }) }));
    const install = ["npm", "install", "--offline", "--no-audit", "--no-fund"];
    return runInstalled(folder, install, [process.execPath, "dist/main.js"]);
  },
  pnpm: async () => {
    const folder = await createInstallable((dependencies) => ({
      "package.json": manifest({ dependencies }),
      "pnpm-workspace.yaml": `overrides: ${JSON.stringify(dependencies)}\nstoreDir: .store\nhoist: false\n`,
    }));
    const install = ["npx", "--yes", "pnpm@12.21.0", "install", "--offline", "--no-frozen-lockfile"];
    return runInstalled(folder, install, [process.execPath, "dist/main.js"]);
  },
  "yarn-pnp": async () => {
    const settings = "nodeLinker: pnp\nenableNetwork: false\nenableTelemetry: false\nenableGlobalCache: false\n";
    const folder = await createInstallable((dependencies) => ({
      "package.json": manifest({ dependencies, resolutions: dependencies }),
      ".yarnrc.yml": settings,
      "yarn.lock": "",
    }));
    const yarn = [process.execPath, join(TOOLS, "@yarnpkg/cli-dist/bin/yarn.js")];
    return runInstalled(folder, [...yarn, "install", "--no-immutable"], [...yarn, "node", "dist/main.js"]);
  },
};

describe("an installed program", () => {
  test.each(Object.entries(packageManagers))("answers its calls with the packages of %s", async (_name, run) => {
    expect(await run()).toEqual({ code: 0, out: ANSWERS });
  });
});

/** Bundles a program that waits at its top level into one file. */
async function rollUpWaiting(): Promise<Ran> {
  const main = readFileSync(join(outside.root, "alone/dist/main.js"), "utf8");
  outside.write("alone", { "dist/waiting.js": main.replace("void main()", "await main()") });
  const output = 'file: "out/waiting.mjs", inlineDynamicImports: true';
  return bundleBy("rollup.mjs", bundleWithRollup("dist/waiting.js", output), "out/waiting.mjs");
}

const excluded: { readonly [Name in keyof typeof EXCLUDED]: () => Promise<Ran> } = {
  "rollup-waiting": rollUpWaiting,
  "jest-cjs": async () => {
    outside.write("cjs", {
      "package.json": '{ "private": true }',
      "add.test.js": 'test("loads", () => { require("@hasp/runtime"); });',
    });
    return node([join(TOOLS, "jest/bin/jest.js")], "cjs");
  },
};

describe("what the page excludes", () => {
  test.each(Object.entries(excluded))("fails as it says under %s", async (name, run) => {
    expect((await run()).out).toContain(EXCLUDED[name as keyof typeof EXCLUDED].fails);
  });
});
