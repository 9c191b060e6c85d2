import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HandlerDigest } from "@hasp/compiler/model";
import { digestModules } from "./digest-modules.js";
import { createCompilerHost } from "./compiler-host.js";
import type { CompilerHost } from "./host-questions.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hasp-handlers-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const HANDLER = "src/tools/a.ts";

async function digests(): Promise<HandlerDigest | undefined> {
  return (await digestModules(createCompilerHost(folder), [HANDLER], "src/generated"))[HANDLER];
}

async function digest(files: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  write(files);
  return (await digests())?.digest;
}

/** True if a change of the file makes the approval stale. */
async function isCovered(path: string): Promise<boolean> {
  write({ [path]: "export const before = 1;\n" });
  const before = await digest();
  return before !== (await digest({ [path]: "export const after = 2;\n" }));
}

test("a handler without imports is digested as its own text, with any line breaks", async () => {
  expect(await digest({ [HANDLER]: "export {};\r\n" })).toBe(createHash("sha256").update("export {};\n").digest("hex"));
});

test.each([
  ["./b.js", "src/tools/b.ts"],
  ["./b", "src/tools/b.ts"],
  ["../lib/rules.mjs", "src/lib/rules.mts"],
  ["../lib", "src/lib/index.ts"],
  ["./view.jsx", "src/tools/view.tsx"],
  ["../lib/allowed.json", "src/lib/allowed.json"],
  ["..", "src/index.ts"],
])("the digest covers an import: %s is %s", async (written, path) => {
  write({ [HANDLER]: `import { x } from "${written}";\n` });
  expect(await isCovered(path)).toBe(true);
});

test.each([
  "export { isSafe } from '../lib/b.js';",
  'const b = await import("../lib/b.js");',
  "const b = require(`../lib/b.js`);",
  'import\n  { x }\n  from\n  "../lib/b.js";',
  'new Worker(new URL("../lib/b.js", import.meta.url));',
  "// it's\nimport b from '../lib/b.js';",
])("the digest covers the import %s", async (text) => {
  write({ [HANDLER]: text });
  expect(await isCovered("src/lib/b.ts")).toBe(true);
});

test("the digest covers indirect and circular imports", async () => {
  write({
    [HANDLER]: 'import "./b.js";',
    "src/tools/b.ts": 'import "./c.js"; import "./a.js";',
    "src/tools/c.ts": 'import "./b.js"; import "../d/d.js";',
  });
  expect(await isCovered("src/d/d.ts")).toBe(true);
});

test("the digest leaves out types, build outputs, packages and files that nobody imports", async () => {
  write({
    [HANDLER]:
      'import type { X } from "../types.js";\nimport type Y from "../types.js";\nexport type { Z } from "../types.js";\nimport "../generated/tools/a.js";\nimport "zod";\n',
  });
  const manifest = '{\n  "outputs": {\n    "src/generated/tools/a.ts": "shared"\n  }\n}\n';
  write({ "src/generated/manifest.json": manifest });
  for (const path of ["src/types.ts", "src/generated/tools/a.ts", "node_modules/zod/index.js", "src/other.ts"]) {
    expect([path, await isCovered(path)]).toEqual([path, false]);
  }
});

const LONG = "././".repeat(300);
const LONG_COMMENT = "a".repeat(1001);

test.each([
  ["with a long specifier", `import { f } from "${LONG}b.js";`],
  ["by a long path of a worker", `new Worker("${LONG}b.js");`],
  ["by a long `require`", `import f = require("${LONG}b.js");`],
  ["behind a long comment", `import { f } from /*${LONG_COMMENT}*/ "@/b.js";`],
  ["behind many comments", `import { f } from ${"/**/".repeat(10)} "@/b.js";`],
  ["behind a long line", `import { f } from //${LONG_COMMENT}\n "@/b.js";`],
  ["behind many blanks", `await import(${" ".repeat(1001)}"@/b.js");`],
  ["behind a type in a comment", 'import f // import type a\n from "./b.js";'],
  ["of names behind a type in a comment", 'import { f, // import type {\n } from "./b.js";'],
  ["behind a type in a name", 'export * as "import type a from "from"@/b.js";'],
  ["behind a type in a string", '["import type a from ", await import("@/b.js")];'],
  ["of what makes elements", "/** @jsxImportSource @/b.js */ <p />;"],
])("the digest covers an import %s", async (_what, text) => {
  const name = text.includes("jsx") ? "b.js/jsx-runtime.ts" : "b.ts";
  write({
    "src/tools/a.ts": 'import "./start.js";',
    "src/tools/start.tsx": text,
    "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/tools/*"] } } }',
  });
  expect(await isCovered(`src/tools/${name}`)).toBe(true);
  expect((await digests())?.obstacle).toBeUndefined();
});

test.each([
  'readFileSync(new URL("ids.txt", import.meta.url));',
  "readFileSync(new URL(`ids.txt`, import.meta.url));",
  'readFileSync(new URL("ids.txt?x#y", import.meta.url));',
  'readFileSync(new URL(" ids.txt", import.meta.url));',
  String.raw`readFileSync(new URL("\u0020ids.txt", import.meta.url));`,
  'readFileSync(new URL("../tools/ids.txt", import.meta.url));',
  'readFileSync(new URL("lib\\\\..\\\\ids.txt", import.meta.url));',
  'readFileSync(new URL("ids.txt", `file://${__dirname}/`));',
])("the digest covers a file at an address beside the module: %s", async (text) => {
  write({ [HANDLER]: text });
  expect(await isCovered("src/tools/ids.txt")).toBe(true);
  expect((await digests())?.obstacle).toBeUndefined();
});

test.each([
  [
    "src/tools/ids.json",
    'import { readFileSync } from "node:fs";\nreadFileSync(join(import.meta.dirname, "ids.json"));',
  ],
  ["src/tools/ids.json", "const { readFile } = require('fs/promises');\nreadFile(`${here}/${'ids.json'}`);"],
  [
    "src/data/ids.json",
    'import fs from "fs";\nfs.readFileSync(join("src", "data") + "/ids.json"); fs.existsSync("src/data/ids.json");',
  ],
  [
    "scripts/helper.mjs",
    'import { execFileSync } from "node:child_process";\nexecFileSync("node", ["scripts/helper.mjs"]);',
  ],
  ["src/tools/ids.txt", 'export const ids = await Bun.file("ids.txt").text();'],
])("the digest covers %s, which the module reads or runs by a path: %s", async (path, text) => {
  write({ [HANDLER]: text });
  expect(await isCovered(path)).toBe(true);
});

test.each([
  ["@lib/b.js", { imports: { "@lib/": "./src/lib/" } }],
  ["lib", { imports: { lib: "./src/lib/b.ts" } }],
  ["lib", { scopes: { "./src/": { lib: "./src/lib/b.ts" } } }],
  ["./c.js", { imports: { "./src/tools/c.js": "./src/lib/b.ts" } }],
])("the digest covers an import of %s by Deno's settings: %j", async (specifier, settings) => {
  const files = { "src/tools/c.ts": "export const c = 1;", "deno.jsonc": JSON.stringify(settings) };
  write({ [HANDLER]: `export * from "${specifier}";`, ...files });
  expect(await isCovered("src/lib/b.ts")).toBe(true);
  expect((await digests())?.obstacle).toBeUndefined();
  write({ "deno.jsonc": `{\n  "importMap": "./map.json"\n}\n` });
  expect((await digests())?.obstacle).toContain("deno.jsonc:2:3 names an import map");
});

test("the digest covers a file that the module names and an imported module reads", async () => {
  write({
    [HANDLER]: 'import { read } from "./lib.js";\nexport const ids = read("ids.json");',
    "src/tools/lib.ts":
      'import { readFileSync } from "node:fs";\nexport const read = (path) => readFileSync(path, "utf8");',
  });
  expect(await isCovered("src/tools/ids.json")).toBe(true);
  write({ "src/tools/lib.ts": "export const read = (path) => path;" });
  expect(await isCovered("src/tools/ids.json")).toBe(false);
});

test("the digest leaves out a file that the module names and git ignores", async () => {
  write({ [HANDLER]: 'import { appendFileSync } from "node:fs";\nappendFileSync("notes.json", "more");' });
  expect(await isCovered("notes.json")).toBe(true);
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  write({ ".gitignore": "notes.json\n" });
  expect(await isCovered("notes.json")).toBe(false);
});

test("a module that several handlers import is parsed once, and its files are looked for once", async () => {
  const handlers = ["src/tools/a.ts", "src/tools/b.ts"];
  write(Object.fromEntries(handlers.map((path) => [path, 'import "./lib.js";'])));
  write({
    "src/tools/lib.ts":
      'import { readFileSync } from "node:fs";\nreadFileSync("ids.json");\nnew URL("a.txt", import.meta.url);',
  });
  write({ "src/tools/ids.json": "[]" });
  const { ask } = createCompilerHost(folder);
  const asked: string[] = [];
  const host: CompilerHost = {
    async ask(kind, question) {
      asked.push(`${kind} ${JSON.stringify(question)}`);
      return ask(kind, question);
    },
  };
  await digestModules(host, handlers, "src/generated");
  expect(asked.filter((each) => each === 'data "src/tools/lib.ts"')).toHaveLength(1);
  expect(asked.filter((each) => each.startsWith("ignored "))).toHaveLength(1);
  expect(asked.filter((each) => each.startsWith("place ") && each.includes('"a.txt"'))).toHaveLength(1);
});

test("a comment does not make an import type-only", async () => {
  write({
    [HANDLER]: '// import type\nimport { x } from "./b.js";\n/* import type { */ import { y } from "./c.js";\n',
  });
  expect(await isCovered("src/tools/b.ts")).toBe(true);
  expect(await isCovered("src/tools/c.ts")).toBe(true);
});

describe("names that package.json explains", () => {
  const packageJson = (imports: object): string => JSON.stringify({ name: "x", imports });

  test.each([
    ["#rules", { "#rules": "./src/lib/rules.js" }],
    ["#rules", { "#rules": { browser: "./src/none.js", node: [{ import: "./src/lib/rules.ts" }] } }],
    ["#lib/rules.js", { "#lib/*": "./src/lib/*" }],
    ["#lib/rules", { "#lib/*": "./src/lib/*.js", "#lib/other/*": "./src/*.js" }],
    ["#rules.js", { "#*": "./src/*", "#*.js": "./src/lib/*.ts" }],
  ])("package.json maps %s by %j", async (name, imports) => {
    write({ [HANDLER]: `const { isSafe } = await import("${name}");\n`, "package.json": packageJson(imports) });
    expect(await isCovered("src/lib/rules.ts")).toBe(true);
  });

  test.each(["./src/tools/a.ts", "src/tools/a.js", "./src/tools/a"])(
    "package.json replaces the handler by its key %s, also with another package.json between them",
    async (key) => {
      const files = { [HANDLER]: "", "package.json": JSON.stringify({ browser: { [key]: "./src/lib/rules.js" } }) };
      write({ ...files, "src/package.json": "{}" });
      expect(await isCovered("src/lib/rules.ts")).toBe(true);
    },
  );

  test("package.json maps a name in a variable, and behind another module", async () => {
    write({
      [HANDLER]: 'import "./b.js";',
      "src/tools/b.ts": 'const name = "#rules"; await import(name);',
      "package.json": packageJson({ "#rules": "./src/lib/rules.js" }),
    });
    expect(await isCovered("src/lib/rules.ts")).toBe(true);
  });

  test("the nearest package.json counts, even without mappings", async () => {
    write({
      [HANDLER]: 'import "#rules";',
      "package.json": packageJson({ "#rules": "./src/far.js" }),
      "src/package.json": packageJson({ "#rules": "./near.js" }),
    });
    expect([await isCovered("src/far.ts"), await isCovered("src/near.ts")]).toEqual([false, true]);
    write({ "src/package.json": "{}" });
    expect([await isCovered("src/far.ts"), await isCovered("src/near.ts")]).toEqual([false, false]);
  });

  test.each([
    ["a package", { "#db": "pg" }, { "#db": "other-pg" }],
    [
      "which condition comes first",
      { "#db": { a: "./src/a.js", b: "./src/b.js" } },
      { "#db": { b: "./src/b.js", a: "./src/a.js" } },
    ],
    ["a file that is not there", { "#db": "./src/none.js" }, { "#db": "./src/neither.js" }],
    ["a file outside", { "#db": "./../a.js" }, { "#db": "./../b.js" }],
    ["nothing", { "#db": null }, { "#db": "pg" }],
  ])("the digest changes with the mapping of %s, and with nothing else in the file", async (_what, before, after) => {
    write({ [HANDLER]: 'import "#db";', "src/a.ts": "", "src/b.ts": "" });
    const first = await digest({ "package.json": packageJson(before) });
    expect(await digest({ "package.json": JSON.stringify({ version: "2.0.0", imports: before }) })).toBe(first);
    expect(await digest({ "package.json": packageJson(after) })).not.toBe(first);
  });
});

describe("names that tsconfig.json explains", () => {
  const tsconfig = (options: object, more: object = {}): string =>
    `// Comments and commas at the end are allowed.\n${JSON.stringify({ compilerOptions: options, ...more }).slice(0, -1)},}`;

  test.each([
    ["@/lib/rules.js", { paths: { "@/*": ["./src/*"] } }],
    ["rules", { paths: { rules: ["none", "src/lib/rules.ts"] } }],
    ["~/rules", { baseUrl: "src", paths: { "~/*": ["lib/*"] } }],
    ["lib/rules", { baseUrl: "./src" }],
    ["#/rules.js", { paths: { "#/*": ["./src/lib/*"] } }],
    ["/@/rules.js", { paths: { "/@/*": ["./src/lib/*"] } }],
  ])("finds %s through the paths of tsconfig.json: %j", async (name, options) => {
    write({ [HANDLER]: `import { isSafe } from "${name}";\n`, "tsconfig.json": tsconfig(options) });
    expect(await isCovered("src/lib/rules.ts")).toBe(true);
  });

  test.each([
    'export * from/* why */"@/rules.js";',
    'import"@/rules.js"',
    'const { x } = await import( // why\n  "@/rules.js");',
    "const x = require('@/rules.js');",
  ])("the digest covers a mapped import %s", async (text) => {
    write({ [HANDLER]: text, "tsconfig.json": tsconfig({ paths: { "@/*": ["./src/lib/*"] } }) });
    expect(await isCovered("src/lib/rules.ts")).toBe(true);
  });

  test("extended configurations count, each with its own base", async () => {
    write({
      [HANDLER]: 'import "@/a.js"; import "~/b.js";',
      "src/tsconfig.json": tsconfig(
        { baseUrl: "." },
        { extends: ["../config/base", "@tsconfig/node20/tsconfig.json"] },
      ),
      "config/base.json": tsconfig({ paths: { "@/*": ["./lib/*"] } }, { extends: "./root.json" }),
      "config/root.json": tsconfig({ paths: { "~/*": ["./*"] } }, { extends: "./base.json" }),
    });
    expect(await isCovered("src/lib/a.ts")).toBe(true);
    expect(await isCovered("config/b.ts")).toBe(true);
  });

  test("the digest changes with a mapping that leads to a package", async () => {
    write({ [HANDLER]: 'import "@/db";' });
    const first = await digest({ "tsconfig.json": tsconfig({ paths: { "@/*": ["node_modules/a/*"] } }) });
    expect(await digest({ "tsconfig.json": tsconfig({ paths: { "@/*": ["node_modules/b/*"] } }) })).not.toBe(first);
  });
});

test("mappings do not affect a handler that uses none of them", async () => {
  write({
    [HANDLER]: 'import { x } from "./b.js";\nimport "zod";\nconst colour = "#fff", path = "@/b.js";\n',
    "src/tools/b.ts": "export const x = 1;\n",
  });
  const before = await digest();
  write({
    "package.json": JSON.stringify({ imports: { "#b": "./src/b.js" } }),
    "tsconfig.json": JSON.stringify({
      compilerOptions: { baseUrl: ".", paths: { "@/*": ["./src/*"], "~": ["./src/b.ts"] } },
    }),
    "src/b.ts": "",
  });
  expect(await digest()).toBe(before);
  // An approval from before names were examined.
  expect(before).toBe("89813fa5507a4f800a75d7e5028e696e97ade38ed073d5f217231a2866208e3e");
});

test("reads nothing outside the project, and cannot cover a handler that imports from there", async () => {
  const outside = mkdtempSync(join(tmpdir(), "hasp-outside-"));
  try {
    symlinkSync(outside, join(folder, "link"));
    const written = (specifier: string): void => write({ [HANDLER]: `import ${JSON.stringify(specifier)};` });
    const name = outside.split("/").at(-1);
    writeFileSync(join(outside, "x.ts"), "secret");
    for (const specifier of [`../../../${name}/x.js`, `./%2e./../%2E%2e/../${name}/x.js`, `file://${outside}/x.ts`]) {
      written(specifier);
      expect([specifier, (await digests())?.obstacle]).toEqual([specifier, expect.stringContaining("outside")]);
    }
    written("../../link/x.js");
    expect((await digests())?.obstacle).toContain("it is a link that points outside the project");
    // A text that only looks like a path imports nothing.
    write({ [HANDLER]: 'export const isInside = (path) => !path.startsWith("../../../");' });
    expect((await digests())?.obstacle).toBeUndefined();
    write({ [HANDLER]: 'import "#x";' });
    const unexplained = await digest();
    symlinkSync(join(outside, "package.json"), join(folder, "package.json"));
    writeFileSync(join(outside, "package.json"), "{}");
    const explained = await digest();
    writeFileSync(join(outside, "package.json"), '{ "imports": { "#x": "./src/x.js" } }');
    expect(await digest()).toBe(explained);
    expect(unexplained).not.toBe(explained);
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test.each([
  ["src/tools/logo.svg", undefined],
  ["src/tools/prompt.md", undefined],
  ["src/tools/view.vue", "may run as code in spite of its name"],
  ["src/tools/plain", "may run as code in spite of its name"],
])("an imported file is data or code by its ending: %s", async (path, obstacle) => {
  write({ [HANDLER]: `import x from "./${path.slice("src/tools/".length)}";` });
  write({ [path]: "What you import, others require. You may require (or import) it from elsewhere." });
  const found = (await digests())?.obstacle;
  expect(found).toEqual(obstacle === undefined ? undefined : expect.stringContaining(obstacle));
});

describe("names that lead nowhere", () => {
  test.each([
    'import { x } from "@lib/x";',
    'import "lib";',
    'import "#lib";',
    'const x = require("@lib/x");',
    'await import("virtual:lib");',
    'import x from "https://example.com/x.js";',
    'import "@acme/moved";',
    'import "@acme/unbuilt";',
    'import "@acme/local";',
  ])("a name that leads nowhere is an obstacle: %s", async (text) => {
    write({
      [HANDLER]: 'import "./b.js";',
      "src/tools/b.ts": `\n${text}`,
      "package.json": JSON.stringify({
        dependencies: { "@acme/local": "workspace:*" },
        pnpm: { peerDependencyRules: { allowedVersions: { lib: "1" } } },
      }),
      "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "@acme/moved": ["./src/none.ts"] } } }),
      "packages/unbuilt/package.json": JSON.stringify({ exports: "./dist/index.js" }),
    });
    mkdirSync(join(folder, "node_modules/@acme"), { recursive: true });
    symlinkSync(join(folder, "packages/unbuilt"), join(folder, "node_modules/@acme/unbuilt"));
    expect((await digests())?.obstacle).toMatch(
      /^src\/tools\/b\.ts:2:\d+ imports ".*", which leads to no file and no installed package/u,
    );
  });

  test.each([
    ["a part of Node", 'import fs from "fs"; import { readFile } from "node:fs/promises"; import "node:sqlite";'],
    ["a part of another runtime", 'import { Database } from "bun:sqlite"; import { env } from "cloudflare:workers";'],
    ["a version of a registry", 'import { z } from "npm:zod@4";'],
    ["a package of hasp", 'import { NotExecuted } from "@hasp/runtime"; import { defineRule } from "hasp/plugin";'],
    ["an installed package", 'import { z } from "zod"; import "zod/mini";'],
    ["a package that is listed and not yet installed", 'import pg from "pg"; const sharp = await import("sharp");'],
    ["a package of types", 'import { JSONSchema7 } from "json-schema"; import { X } from "@acme/schema";'],
    ["one of types alone", 'import type { X } from "none"; export type { Y } from "nothing";'],
    ["the package's own name", 'import { x } from "agent/b";'],
    ["a linked package", 'import { x } from "@acme/lib";'],
    ["a text", 'Array.from("abc"); Buffer.from("abc", "hex"); Promise.resolve("abc"); path.resolve("data");'],
    ["an address", 'new URL("/v1/orders", BASE); new URL("https://example.com"); fetch("/from/there");'],
    ["in a comment", '// taken from "elsewhere"\nexport const x = 1; /* import "nothing"; require("none") */'],
    ["in a string", 'const text = "import x from \'none\'", other = `require("none")`;'],
  ])("a name leads somewhere if it is %s", async (_what, text) => {
    write({
      [HANDLER]: text,
      "package.json": JSON.stringify({
        name: "agent",
        exports: { "./b": "./src/b.ts" },
        dependencies: { pg: "^8.0.0" },
        optionalDependencies: { sharp: "1" },
      }),
      "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "@/*": ["./src/*"] } } }),
      "src/b.ts": "",
      "node_modules/zod/index.js": "",
      "node_modules/@types/json-schema/index.d.ts": "",
      "node_modules/@types/acme__schema/index.d.ts": "",
      "packages/lib/index.ts": "",
    });
    mkdirSync(join(folder, "node_modules/@acme"), { recursive: true });
    symlinkSync(join(folder, "packages/lib"), join(folder, "node_modules/@acme/lib"));
    expect((await digests())?.obstacle).toBeUndefined();
  });

  test.each(["node_modules", "src/tools/node_modules"])(
    "no lockfile pins a package in %s that git holds",
    async (modules) => {
      write({
        [HANDLER]: 'import { z } from "zod";',
        ".gitignore": "node_modules",
        [`${modules}/zod/package.json`]: "{}",
        [`${modules}/zod/index.js`]: "",
      });
      execFileSync("git", ["init", "-q"], { cwd: folder });
      expect((await digests())?.obstacle).toBeUndefined();
      execFileSync("git", ["add", "-f", `${modules}/zod/index.js`], { cwd: folder });
      expect((await digests())?.obstacle).toMatch(
        /^src\/tools\/a\.ts:1:19 imports "zod", a package that no lockfile pins/u,
      );
    },
  );
});

/** A character as a literal may spell it. */
const spelledCharacter = (character: string): fc.Arbitrary<string> => {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(character) },
    fc.constantFrom(
      `\\x${hex.padStart(2, "0")}`,
      `\\u${hex.padStart(4, "0")}`,
      `\\u{${hex}}`,
      `\\u{00${hex.toUpperCase()}}`,
      `${character}\\\n`,
      ...(/[a-z0-9]/u.test(character) ? [] : [`\\${character}`]),
    ),
  );
};
const spelled = (specifier: string): fc.Arbitrary<string> =>
  fc.tuple(...[...specifier].map(spelledCharacter)).map((characters) => characters.join(""));

/** A specifier as a URL may spell it. */
const asUrl = (specifier: string): fc.Arbitrary<string> =>
  fc
    .record({
      percent: fc.array(fc.boolean(), { minLength: specifier.length, maxLength: specifier.length }),
      tail: fc.constantFrom("", "?v=1", "#x", "?a/../b#c", "?", "#"),
      start: fc.constantFrom("./", "./././", ".//", "./%2e/", "./x/%2E%2e/", "../tools/"),
    })
    .map(({ percent, tail, start }) => {
      const name = [...specifier].map((character, index) =>
        percent[index] === true ? `%${character.charCodeAt(0).toString(16)}` : character,
      );
      return `${start}${name.join("")}${tail}`;
    });

/** Every way to import a specifier; `Q` stands for the literal. */
const STATEMENTS = [
  "import Q;",
  "import * as x from Q;",
  "import x, { y } from Q;",
  "import\n/* why */ x // and\nfrom /* because */ Q;",
  "import x from Q with { type: 'json' };",
  "export * from Q;",
  "export * as x from Q;",
  "export { y } from Q;",
  "// import type { \nimport * as x from Q; // } from 'z'",
  "/* import type */ import x from Q; //'",
];
const EXPRESSIONS = [
  "await import(Q)",
  "await import(Q, { with: { type: 'json' } })",
  "await import(/* webpackIgnore: true */ Q)",
  "import.meta.resolve(Q)",
  "new URL(Q, import.meta.url)",
  "new Worker(new URL(Q, import.meta.url))",
];
const REQUIRES = [
  "require(Q)",
  "require.resolve(Q)",
  "module.require(Q)",
  "require\n(Q)",
  "createRequire(import.meta.url)(Q)",
  "load(Q)",
  "requ\\u0069re(Q)",
];
const START = "import { createRequire } from 'node:module'; const load = createRequire(import.meta.url);\n";

test("notices a change of the imported file, with any form of import", async () => {
  const quoted = (specifier: string, quotes: readonly string[]): fc.Arbitrary<string> =>
    fc
      .tuple(spelled(specifier), fc.constantFrom(...quotes))
      .map(
        ([text, quote]) => `${quote}${text.replaceAll(new RegExp(`(?<!\\\\)${quote}`, "gu"), `\\${quote}`)}${quote}`,
      );
  const toModule = (name: string): string => name.replace(/\.(?:wasm|txt)$/u, ".json");
  const names = fc.constantFrom("lib.mjs", "lib.js", "my lib.mjs", "it's.js", "data.json", "rules.wasm", "n.txt");
  const statement = names.chain((name) =>
    fc.oneof(
      fc
        .tuple(
          asUrl(name).chain((specifier) => quoted(specifier, ['"', "'"])),
          fc.constantFrom(...STATEMENTS),
        )
        .map(([literal, form]) => ({ name, text: form.replace("Q", () => literal) })),
      fc
        .tuple(
          asUrl(name).chain((specifier) => quoted(specifier, ['"', "'", "`"])),
          fc.constantFrom(...EXPRESSIONS),
        )
        .map(([literal, form]) => ({
          name,
          text: `const a = 1; export const b = ${form.replace("Q", () => literal)};`,
        })),
      fc.tuple(quoted(`./${toModule(name)}`, ['"', "'", "`"]), fc.constantFrom(...REQUIRES)).map(([literal, form]) => ({
        name: toModule(name),
        text: `${START}export const b = ${form.replace("Q", () => literal)};`,
      })),
    ),
  );
  await fc.assert(
    fc.asyncProperty(statement, async ({ name, text }) => {
      write({ [HANDLER]: text, [`src/tools/${name}`]: "1", [`src/tools/${name.replace(".js", ".ts")}`]: "1" });
      const { obstacle, digest: before } = (await digests()) ?? {};
      expect([text, obstacle]).toEqual([text, undefined]);
      write({ [`src/tools/${name}`]: "2" });
      const after = await digest();
      expect([text, after === before]).toEqual([text, false]);
    }),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 20) },
  );
});

test.each([
  "await import(name);",
  'await import("./li" + "b.mjs");',
  "await import(`./${name}.mjs`);",
  "await import(/* ')' */ name);",
  "await import\n(name);",
  "require(name);",
  "requ\\u0069re(name);",
  "const load = require; load('./lib.cjs');",
  "import { createRequire } from 'node:module'; const load = createRequire(import.meta.url); load(name);",
  "import { createRequire as make } from 'node:module'; make(import.meta.url)(name);",
  "import module from 'node:module'; module.createRequire(import.meta.url)(name);",
  "import module from 'node:module'; const make = module.createRequire; make(import.meta.url)(name);",
  "const { createRequire: make } = await import('node:module');",
  "import.meta.resolve(name);",
  "new URL(name, import.meta.url);",
  "await import('./lib.mjs'",
  '[0, "import type a from ", await import(p("./lib.mjs"))][2];',
  '["import(", await import(name), ")"];',
  "import * as mod from 'node:module'; mod['createRequire'](import.meta.url)(name);",
  "import mod from 'module'; mod['create' + 'Require'](import.meta.url)(name);",
  "import { 'createRequire' as make } from 'node:module'; make(import.meta.url)(name);",
  "import { createRequire } from 'node:module'; export const load = createRequire(import.meta.url);",
  "import { Module } from 'node:module'; new Module('x').load(name);",
  "const { Module } = await import('node:module'); new Module('x').load(name);",
  "export * from 'node:module';",
  "process.getBuiltinModule('module')[name](import.meta.url)('./lib.cjs');",
  "import.meta.glob('./e*.ts', { eager: true });",
  "(import.meta as unknown as Bundler).glob('./e*.ts');",
  "const { glob } = import.meta;",
  "import.meta/* why */.resolve(name);",
  "require.context('./rules');",
  "require.call(null, name);",
])("an import that cannot be followed makes approvals stale: %s", async (text) => {
  write({ [HANDLER]: 'import "./b.js";', "src/tools/b.ts": `\n${text}` });
  expect(await digests()).toMatchObject({
    obstacle: expect.stringMatching(/^src\/tools\/b\.ts cannot be followed: its line \d/u),
  });
});

test("a module that is nested too deeply to be read makes approvals stale", async () => {
  write({ [HANDLER]: 'import "./b.js";', "src/tools/b.ts": `import(${"[".repeat(50_000)}` });
  expect((await digests())?.obstacle).toContain("src/tools/b.ts cannot be followed: it is nested too deeply");
});

test.each([
  "// await import(name)\n",
  "const text = 'import(name)';",
  "/* require(name) */ export const require = 1;",
  "if (typeof require === 'undefined') await import('./lib.mjs');",
  "console.log(import.meta.url, import.meta.dirname);",
  "const { url } = import.meta; console.log((import.meta).env.MODE);",
  "import module, { isBuiltin } from 'node:module'; console.log(isBuiltin('fs'), module.builtinModules);",
  "const module = await import('node:module'); module.isBuiltin('fs');",
  "const fs = process.getBuiltinModule('fs'), connection = { ssl: 'require' };",
  "if (require.main === module) console.log(require.cache);",
  `// from ${"a long comment ".repeat(100)}\n`,
])("accepts text that only looks like a computed import: %s", async (text) => {
  write({ [HANDLER]: text });
  expect((await digests())?.obstacle).toBeUndefined();
});

test.each([
  ['require("./rules.txt");', true],
  ['require("./rules");', true],
  ['import { createRequire } from "module"; const load = createRequire(import.meta.url); load("./rules.txt");', true],
  ['require("./rules.json"); require("./b"); require("@acme/lib");', false],
  ['readFileSync(require.resolve("./rules.txt"));', false],
  ['readFileSync(new URL("./rules", import.meta.url));', false],
  ['new Worker(new URL("./rules", import.meta.url));', true],
  ['readFileSync(new URL("./rules.txt", import.meta.url)); import rules from "./rules.txt";', false],
])("a file that Node runs in spite of its ending is an obstacle: %s", async (text, isObstacle) => {
  write({ [HANDLER]: text, "src/tools/rules.txt": "", "src/tools/rules": "", "src/tools/b.js": "" });
  write({ "src/tools/rules.json": "{}" });
  expect((await digests())?.obstacle?.includes("may run as code in spite of its name") === true).toBe(isObstacle);
});

test("follows the main of a folder, and the package's own name", async () => {
  write({
    [HANDLER]: 'require("../lib"); import "pkg/rules";',
    "src/lib/package.json": '{ "main": "./code" }',
    "package.json": '{ "name": "pkg", "exports": { "./*": { "import": "./src/rules/*.js" } } }',
  });
  expect(await isCovered("src/lib/code.js")).toBe(true);
  expect(await isCovered("src/rules/rules.ts")).toBe(true);
});
