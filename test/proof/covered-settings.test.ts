// A setting may lead an import elsewhere. An approval covers the files that programs load under any settings, or cannot be
// given. esbuild and Node themselves show which files they load.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build, type BuildOptions } from "esbuild";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCompilerHost } from "@hasp/project/read";
import { digestModules } from "../../packages/project/src/read/digest-modules.js";

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
  /** The settings of the program that loads the handler. */
  readonly program?: (root: string) => BuildOptions;
  /** True if Node loads the handler, without a bundler. */
  readonly isInNode?: true;
  /** A part of the obstacle's words. Without an obstacle, an approval covers exactly what is loaded. */
  readonly obstacle?: string;
}

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
  "the configuration of the folder where the program starts": ({ ending }) => ({
    files: {
      [HANDLER]: USE,
      [`src/x/lib${ending}`]: LIB,
      "tsconfig.json": paths("./src/x"),
      "src/tsconfig.json": { compilerOptions: { strict: true } },
    },
    program: (root) => ({ tsconfig: join(root, "tsconfig.json") }),
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
  const { metafile } = await build({
    entryPoints: [join(root, HANDLER)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    logLevel: "silent",
    ...program(root),
  });
  return Object.keys(metafile?.inputs ?? {});
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
  const judge = async (): Promise<{ readonly digest?: string; readonly obstacle?: string }> =>
    (await digestModules(createCompilerHost(root), [HANDLER], "src/generated"))[HANDLER] ?? {};
  const { digest, obstacle } = await judge();
  const loaded = new Set(await loadedBy(given, root));
  expect([name, obstacle]).toEqual([
    name,
    given.obstacle === undefined ? undefined : expect.stringContaining(given.obstacle),
  ]);
  expect(loaded.size).toBeGreaterThan(1);
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
    numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 40),
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
  const { metafile } = await build({
    entryPoints: [join(top, HANDLER)],
    absWorkingDir: top,
    bundle: true,
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const [output] = Object.values(metafile.outputs);
  expect(Object.keys(output?.inputs ?? {})).not.toContain("src/harden.ts");
  expect(await judge()).not.toBe(before);
});
