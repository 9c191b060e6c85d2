import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { digestHandlers } from "./digest-handlers.js";
import { projectFiles } from "./project-files.js";

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

/** The handler's digest with these files. */
async function digest(files: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  write(files);
  return (await digestHandlers(projectFiles(folder), [HANDLER], "src/generated"))[HANDLER];
}

/** Whether another text of a file makes the approval stale. */
async function isCovered(path: string): Promise<boolean> {
  write({ [path]: "export const before = 1;\n" });
  const before = await digest();
  return before !== (await digest({ [path]: "export const after = 2;\n" }));
}

test("a handler that imports nothing is its own text, whatever the line breaks", async () => {
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
])("what it imports is covered: %s is %s", async (written, path) => {
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
])("%s", async (text) => {
  write({ [HANDLER]: text });
  expect(await isCovered("src/lib/b.ts")).toBe(true);
});

test("what is reached through others is covered, circles included", async () => {
  write({
    [HANDLER]: 'import "./b.js";',
    "src/tools/b.ts": 'import "./c.js"; import "./a.js";',
    "src/tools/c.ts": 'import "./b.js"; import "../d/d.js";',
  });
  expect(await isCovered("src/d/d.ts")).toBe(true);
});

test("types, what the build writes, packages and files that nobody imports are not", async () => {
  write({
    [HANDLER]:
      'import type { X } from "../types.js";\nimport type Y from "../types.js";\nexport type { Z } from "../types.js";\nimport "../generated/tools/a.js";\nimport "zod";\n',
  });
  for (const path of ["src/types.ts", "src/generated/tools/a.ts", "node_modules/zod/index.js", "src/other.ts"]) {
    expect([path, await isCovered(path)]).toEqual([path, false]);
  }
});

test("a comment does not turn an import into one of types", async () => {
  write({
    [HANDLER]: '// import type\nimport { x } from "./b.js";\n/* import type { */ import { y } from "./c.js";\n',
  });
  expect(await isCovered("src/tools/b.ts")).toBe(true);
  expect(await isCovered("src/tools/c.ts")).toBe(true);
});

test("nothing outside the project is read", async () => {
  const outside = mkdtempSync(join(tmpdir(), "hasp-outside-"));
  try {
    symlinkSync(outside, join(folder, "link"));
    write({ [HANDLER]: `import "../../../${outside.split("/").at(-1)}/x.js"; import "../../link/x.js";` });
    const before = await digest();
    writeFileSync(join(outside, "x.ts"), "secret");
    const there = await digest();
    writeFileSync(join(outside, "x.ts"), "other");
    // That a link leads out is seen; what it leads to is not.
    expect(await digest()).toBe(there);
    expect(before).not.toBe(there);
  } finally {
    rmSync(outside, { recursive: true });
  }
});
