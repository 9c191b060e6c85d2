// A setting may lead an import elsewhere. An approval covers the files that programs load under any settings, or cannot be
// given. esbuild and Node themselves show which files they load.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BuildOptions } from "esbuild";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCompilerHost } from "@hasp/project/read";
import { digestModules } from "../../packages/project/src/read/digest-modules.js";
import { bundleModule } from "./bundle-module.js";

let top: string;
beforeEach(() => (top = realpathSync(mkdtempSync(join(tmpdir(), "hasp-settings-")))));
afterEach(() => rmSync(top, { recursive: true, force: true }));

const HANDLER = "src/tools/do-it.ts";

/** The parts of a layout that its setting does not depend on. */
interface Drawn {
  /** The folder of the project in the repository, `""` or `agent/`. */
  readonly project: string;
  /** The ending of the file to which the setting leads. */
  readonly ending: string;
  /** The configurations between a `tsconfig.json` and the one that it extends in the end. */
  readonly between: number;
  /** True if paths to a configuration have their ending. */
  readonly isEnded: boolean;
}

/** Files, by their paths in the project, whose imports a setting resolves. Objects are written as JSON. */
interface Case {
  readonly files: Readonly<Record<string, string | object>>;
  /** The folders that packages in `node_modules` are links to. */
  readonly links?: Readonly<Record<string, string>>;
  /** The settings of the program that loads the handler. */
  readonly program?: (root: string) => BuildOptions;
  /** True if Node loads the handler, without a bundler. */
  readonly isInNode?: true;
  /** True if the program loads nothing but the handler. */
  readonly isAlone?: true;
  /** A part of the obstacle's words. Without an obstacle, an approval covers exactly what is loaded. */
  readonly obstacle?: string;
}

const LOST = "which leads to no file and no installed package";
const PLAIN = { type: "module", private: true };
const USE = 'import { isLs } from "@lib/lib"; export const isRead = isLs;';
const LIB = "export const isLs = (c) => c === 'ls';";
const paths = (target: string): object => ({ compilerOptions: { paths: { "@lib/*": [`${target}/*`] } } });

/** Creates a `tsconfig.json` that extends a configuration, perhaps through others beside it. */
function extending(written: string, { between }: Drawn, more: object = {}): Readonly<Record<string, object>> {
  const names = ["tsconfig.json", ...Array.from({ length: between }, (_, index) => `tsconfig.${index}.json`)];
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      { ...(index === 0 ? more : {}), extends: index === between ? written : `./${names[index + 1]}` },
    ]),
  );
}

const ended = (path: string, { isEnded }: Drawn): string => (isEnded ? `${path}.json` : path);

const markup = { [HANDLER]: 'import { isLs } from "./view.js"; export const isRead = isLs;' };
const view = { "src/tools/view.tsx": "export const isLs = (c) => <b c={c} />;" };
const JSX = "export const jsx = (t, p) => p.c === 'ls'; export const jsxs = jsx;";

const CASES: Readonly<Record<string, (drawn: Drawn) => Case>> = {
  "a base that means the folder of the extending configuration": (drawn) => ({
    files: {
      [HANDLER]: USE,
      [`src/x/lib${drawn.ending}`]: LIB,
      "config/src/x/lib.ts": LIB,
      ...extending(ended("./config/base", drawn), drawn),
      "config/base.json": paths("${configDir}/src/x"),
    },
  }),
  "a base in a package that names its configuration": (drawn) => ({
    files: {
      [HANDLER]: USE,
      [`src/x/lib${drawn.ending}`]: LIB,
      ...extending("@acme/tsc", drawn),
      "packages/tsc/package.json": { name: "@acme/tsc", tsconfig: ended("base", drawn) },
      "packages/tsc/base.json": paths("../../src/x"),
    },
    links: { "@acme/tsc": "packages/tsc" },
  }),
  "a base in a package that exports it under another name": (drawn) => ({
    files: {
      [HANDLER]: USE,
      [`src/x/lib${drawn.ending}`]: LIB,
      ...extending("@acme/tsc/lib", drawn),
      "packages/tsc/package.json": { name: "@acme/tsc", exports: { "./lib": "./base.json" } },
      "packages/tsc/base.json": paths("../../src/x"),
    },
    links: { "@acme/tsc": "packages/tsc" },
  }),
  "a base in a folder of a package": (drawn) => ({
    files: {
      [HANDLER]: USE,
      [`src/x/lib${drawn.ending}`]: LIB,
      ...extending("@acme/tsc/lib", drawn),
      "packages/tsc/package.json": { name: "@acme/tsc" },
      "packages/tsc/lib/tsconfig.json": paths("../../../src/x"),
    },
    links: { "@acme/tsc": "packages/tsc" },
  }),
  "several bases": (drawn) => ({
    files: {
      [HANDLER]: USE,
      [`src/x/lib${drawn.ending}`]: LIB,
      "src/good/lib.ts": LIB,
      "tsconfig.json": { extends: ["@acme/tsc", ended("./config/base", drawn)] },
      "config/base.json": paths("../src/x"),
      "packages/tsc/package.json": { name: "@acme/tsc" },
      "packages/tsc/tsconfig.json": { compilerOptions: { strict: true } },
    },
    links: { "@acme/tsc": "packages/tsc" },
  }),
  "a base that is nowhere": (drawn) => ({
    files: {
      [HANDLER]: USE,
      [`src/x/lib${drawn.ending}`]: LIB,
      "tsconfig.json": `{\n  "extends": ["./base.json", "@acme/tsc"]\n}`,
      "base.json": paths("./src/x"),
    },
    obstacle: 'tsconfig.json:2:3 extends "@acme/tsc", which is not found',
  }),
  "the configuration of the folder where the program starts": ({ ending }) => ({
    files: {
      [HANDLER]: USE,
      [`src/x/lib${ending}`]: LIB,
      "tsconfig.json": paths("./src/x"),
      "src/tsconfig.json": { compilerOptions: { strict: true } },
    },
    program: (root) => ({ tsconfig: join(root, "tsconfig.json") }),
  }),
  "a configuration that only the program knows": ({ ending }) => ({
    files: { [HANDLER]: USE, [`src/x/lib${ending}`]: LIB, "tsconfig.app.json": paths("./src/x"), "tsconfig.json": {} },
    program: (root) => ({ tsconfig: join(root, "tsconfig.app.json") }),
    obstacle: `${HANDLER}:1:22 imports "@lib/lib", ${LOST}`,
  }),
  "an alias that only the program knows": ({ ending }) => ({
    files: { [HANDLER]: USE, [`src/x/lib${ending}`]: LIB },
    program: (root) => ({ alias: { "@lib": join(root, "src/x") } }),
    obstacle: `${HANDLER}:1:22 imports "@lib/lib", ${LOST}`,
  }),
  "a linked package that is not built": () => ({
    files: { [HANDLER]: USE, "packages/lib/package.json": { name: "@lib/lib", exports: "./dist/index.js" } },
    links: { "@lib/lib": "packages/lib" },
    program: () => ({ external: ["@lib/lib"] }),
    isAlone: true,
    obstacle: LOST,
  }),
  "options that are written twice": ({ ending }) => ({
    files: {
      [HANDLER]: USE,
      [`src/x/lib${ending}`]: LIB,
      "src/good/lib.ts": LIB,
      "tsconfig.json": `{"compilerOptions":{"paths":{"@lib/*":["./src/x/*"]}},"compilerOptions":{"paths":{"@lib/*":["./src/good/*"]}}}`,
    },
    obstacle: "twice in one object",
  }),
  "imports that are written twice": ({ ending }) => ({
    files: {
      [HANDLER]: 'import { isLs } from "#lib"; export const isRead = isLs;',
      [`src/x/lib${ending}`]: LIB,
      "src/good/lib.ts": LIB,
      "package.json": `{"type":"module","imports":{"#lib":"./src/x/lib${ending}"},"imports":{"#lib":"./src/good/lib.ts"}}`,
    },
    obstacle: "twice in one object",
  }),
  "a replacement that is written twice": ({ ending }) => ({
    files: {
      [HANDLER]: 'import { isLs } from "../good/lib.js"; export const isRead = isLs;',
      [`src/x/lib${ending}`]: LIB,
      "src/good/lib.ts": LIB,
      "package.json": `{"browser":{"./src/good/lib.js":"./src/x/lib${ending}"},\n"browser":{}}`,
    },
    program: () => ({ platform: "browser" }),
    obstacle: "package.json:2:1 cannot be read",
  }),
  "exports of a package that are written twice": ({ ending }) => ({
    files: {
      [HANDLER]: 'import { isLs } from "@acme/lib"; export const isRead = isLs;',
      "packages/lib/package.json": `{"exports":"./a${ending}","exports":"./b.ts"}`,
      [`packages/lib/a${ending}`]: LIB,
      "packages/lib/b.ts": LIB,
    },
    links: { "@acme/lib": "packages/lib" },
    obstacle: "twice in one object",
  }),
  "main files of a package that are written twice": ({ ending }) => ({
    files: {
      [HANDLER]: 'import { isLs } from "@acme/lib"; export const isRead = isLs;',
      "packages/lib/package.json": `{"main":"./a${ending}","main":"./b.ts"}`,
      [`packages/lib/a${ending}`]: LIB,
      "packages/lib/b.ts": LIB,
    },
    links: { "@acme/lib": "packages/lib" },
    obstacle: "twice in one object",
  }),
  "a list of effects that is written twice": () => ({
    files: {
      [HANDLER]: 'import "../harden.js"; export const isRead = () => globalThis.isHard;',
      "src/harden.ts": "globalThis.isHard = true;",
      "package.json": '{"sideEffects":false,"sideEffects":true}',
    },
    obstacle: "twice in one object",
    isAlone: true,
  }),
  "a package that makes elements": (drawn) => ({
    files: {
      ...markup,
      ...view,
      ...extending("./base.json", drawn),
      "base.json": { compilerOptions: { jsx: "react-jsx", jsxImportSource: "@acme/jsx" } },
      "packages/jsx/package.json": { name: "@acme/jsx", type: "module", exports: { "./jsx-runtime": "./r.js" } },
      "packages/jsx/r.js": JSX,
    },
    links: { "@acme/jsx": "packages/jsx" },
  }),
  "a package that makes elements beside a comment that names none": (drawn) => ({
    files: {
      ...markup,
      "src/tools/view.tsx": "export const isLs = (c) => <b c={c} title='@jsxImportSource none ' />;",
      ...extending("./base.json", drawn),
      "base.json": { compilerOptions: { jsx: "react-jsx", jsxImportSource: "@acme/jsx" } },
      "packages/jsx/package.json": { name: "@acme/jsx", type: "module", exports: { "./jsx-runtime": "./r.js" } },
      "packages/jsx/r.js": JSX,
    },
    links: { "@acme/jsx": "packages/jsx" },
    obstacle: `src/tools/view.tsx:1:44 imports "none/jsx-runtime", ${LOST}`,
  }),
  "a package that a comment names for making elements": () => ({
    files: {
      ...markup,
      "src/tools/view.tsx":
        "/** @jsxRuntime automatic\n@jsxImportSource @acme/jsx */ export const isLs = (c) => <b c={c} />;",
      "tsconfig.json": { compilerOptions: { jsx: "react-jsx" } },
      "packages/jsx/package.json": { name: "@acme/jsx", type: "module", exports: { "./jsx-runtime": "./r.js" } },
      "packages/jsx/r.js": JSX,
    },
    links: { "@acme/jsx": "packages/jsx" },
  }),
  "a mapping of what makes elements without any name": ({ ending }) => ({
    files: {
      ...markup,
      ...view,
      "tsconfig.json": {
        compilerOptions: { jsx: "react-jsx", paths: { "react/jsx-runtime": [`./src/jsx${ending}`] } },
      },
      [`src/jsx${ending}`]: JSX,
    },
  }),
  "nothing that makes elements": () => ({
    files: { ...markup, ...view, "tsconfig.json": '{ "compilerOptions": {\n "jsx": "react-jsx" } }' },
    program: () => ({ external: ["react/*"] }),
    obstacle: `src/tools/view.tsx:1:28 imports "jsx:/jsx-runtime", ${LOST}`,
  }),
  "a file without an ending": () => ({
    files: {
      "package.json": PLAIN,
      [HANDLER]: 'import m from "../x/plain"; export const isRead = m;',
      "src/x/package.json": {},
      "src/x/plain": 'module.exports = require("./deep.cjs");',
      "src/x/deep.cjs": "module.exports = 1;",
    },
    isInNode: true,
    obstacle: "may run as code in spite of its name",
  }),
};

const ROOT_FILES = { "package.json": PLAIN };

function write(path: string, value: string | object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
}

/** Lists the files of the project that a program loads with the handler. */
async function loadedBy({ program = () => ({}), isInNode, files }: Case, root: string): Promise<readonly string[]> {
  if (isInNode === true) return loadedInNode(Object.keys(files), root);
  return Object.keys((await bundleModule(root, HANDLER, program(root))).inputs);
}

/** Lists the files without which Node cannot load the handler as JavaScript. */
function loadedInNode(paths: readonly string[], root: string): readonly string[] {
  const start = join(root, "start.mjs");
  const runs = (): boolean => {
    try {
      execFileSync(process.execPath, [start], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  };
  write(start, 'import "./src/x/plain";');
  expect(runs()).toBe(true);
  return paths.filter((path) => {
    if (!path.startsWith("src/x/") || path.endsWith(".json")) return false;
    const broken = `${path}.away`;
    renameSync(join(root, path), join(root, broken));
    const isNeeded = !runs();
    renameSync(join(root, broken), join(root, path));
    return isNeeded;
  });
}

async function expectCover(name: string, drawn: Drawn): Promise<void> {
  rmSync(top, { recursive: true, force: true });
  mkdirSync(join(top, ".git"), { recursive: true });
  const given = CASES[name]?.(drawn);
  if (given === undefined) throw new Error(name);
  const root = join(top, drawn.project);
  const files = { ...ROOT_FILES, ...given.files };
  for (const [path, value] of Object.entries(files)) write(join(root, path), value);
  for (const [each, folder] of Object.entries(given.links ?? {})) {
    mkdirSync(dirname(join(root, "node_modules", each)), { recursive: true });
    symlinkSync(join(root, folder), join(root, "node_modules", each));
  }
  const judge = async (): Promise<{ readonly digest?: string; readonly obstacle?: string }> =>
    (await digestModules(createCompilerHost(root), [HANDLER], "src/generated"))[HANDLER] ?? {};
  const { digest, obstacle } = await judge();
  const loaded = new Set(await loadedBy(given, root));
  expect([name, obstacle]).toEqual([
    name,
    given.obstacle === undefined ? undefined : expect.stringContaining(given.obstacle),
  ]);
  if (given.isAlone !== true) expect(loaded.size).toBeGreaterThan(1);
  if (given.obstacle !== undefined) return;
  const code = Object.entries(files).filter(([path]) => /\.[jt]sx?$/u.test(path));
  for (const [path, text] of code) {
    write(join(root, path), `${String(text)}\n// changed`);
    expect([name, path, (await judge()).digest !== digest]).toEqual([name, path, loaded.has(path)]);
    write(join(root, path), text);
  }
}

test.each(Object.keys(CASES))("an approval covers what is loaded, or is refused, with %s", async (name) => {
  await expectCover(name, { project: "", ending: ".ts", between: 0, isEnded: true });
});

test("an approval covers what is loaded, or is refused, with any setting in any folder", async () => {
  const drawn = fc.record({
    project: fc.constantFrom("", "agent/"),
    ending: fc.constantFrom(".ts", ".js", ".tsx"),
    between: fc.nat(2),
    isEnded: fc.boolean(),
  });
  await fc.assert(fc.asyncProperty(fc.constantFrom(...Object.keys(CASES)), drawn, expectCover), {
    numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 15),
  });
});

test.each([
  ["false", false],
  ["a list", ["./src/other.js"]],
])("an approval covers the setting by which bundlers leave a module out: %s", async (_what, sideEffects) => {
  const judge = async (): Promise<string | undefined> =>
    (await digestModules(createCompilerHost(top), [HANDLER], "src/generated"))[HANDLER]?.digest;
  mkdirSync(join(top, ".git"));
  write(join(top, HANDLER), 'import "../harden.js"; export const isRead = () => globalThis.isHard;');
  write(join(top, "src/harden.ts"), "globalThis.isHard = true;");
  write(join(top, "package.json"), PLAIN);
  const before = await judge();
  write(join(top, "package.json"), { ...PLAIN, sideEffects: true });
  expect(await judge()).toBe(before);
  write(join(top, "package.json"), { ...PLAIN, sideEffects });
  const [output] = Object.values((await bundleModule(top, HANDLER)).outputs);
  expect(Object.keys(output?.inputs ?? {})).not.toContain("src/harden.ts");
  expect(await judge()).not.toBe(before);
});
