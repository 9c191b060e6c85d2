import { expect, test } from "vitest";
import { findRaisedLimits } from "./figures/limits.js";
import { readSources } from "./figures/read-sources.js";
import { measureWalls } from "./figures/walls.js";

interface Files {
  readonly [path: string]: string;
}

const manifest = (name: string, isPrivate: boolean): string =>
  JSON.stringify({ name: `@hasp/${name}`, private: isPrivate, exports: { "./door": "./src/door.ts" } });

/** Two packages of which one uses the other, and the modules that the figures of loaded lines begin with. */
const SOUND: Files = {
  "packages/hasp/src/cli/commands/build.ts": `import { two } from "@hasp/low/door";\nexport const build = two;\n`,
  "packages/hasp/src/cli/commands/check.ts": `import { high } from "@hasp/high/door";\nexport const check = high;\n`,
  "packages/compiler/src/compile.ts": `import type { high } from "@hasp/high/door";\n`,
  "packages/runtime/src/dispatch/kernel.ts": "export const kernel = 1;\n",
  "packages/runtime/src/codegen/v1/index.ts": "export const registry = 1;\n",
  "packages/low/package.json": manifest("low", true),
  "packages/low/src/door.ts": `export { one } from "./one.js";\nexport { two } from "./rest/two.js";\n`,
  "packages/low/src/one.ts": "export const one = 1;\nexport const other = 2;\n",
  "packages/low/src/rest/two.ts": `import { other } from "../one.js";\nexport const two = other;\nexport const three = 3;\n`,
  "packages/high/package.json": manifest("high", false),
  "packages/high/src/door.ts": `import { one } from "@hasp/low/door";\nexport const high = one;\n`,
};

/** Measures the two packages with more files. */
function measure(more: Files = {}): ReturnType<typeof measureWalls> {
  const files = { ...SOUND, ...more };
  return measureWalls(readSources(Object.keys(files), (path: string) => files[path as keyof typeof files] ?? ""));
}

test.each<readonly [figure: string, files: Files, offender: string]>([
  [
    "relative imports across packages",
    { "packages/high/src/a.ts": `const { one } = await import("../../low/src/one.js");` },
    "packages/high/src/a.ts: ../../low/src/one.js",
  ],
  [
    "relative imports across packages, in tests beside the code",
    { "packages/high/src/a.test.ts": `import { one } from "../../low/src/one.js";` },
    "packages/high/src/a.test.ts: ../../low/src/one.js",
  ],
  [
    "relative imports of sources in test",
    { "test/a.test.ts": `import { one } from "../packages/low/src/one.js";` },
    "test/a.test.ts: ../packages/low/src/one.js",
  ],
  [
    "private entries that only tests use",
    { "packages/high/src/door.ts": "", "packages/hasp/src/cli/commands/build.ts": "" },
    "@hasp/low/door",
  ],
  [
    "names of private entries that nobody takes",
    { "packages/low/src/door.ts": `export { one, other as more } from "./one.js";\nexport * from "./rest/two.js";` },
    "@hasp/low/door more",
  ],
  ["circles of packages", { "packages/low/src/a.ts": `import type { high } from "@hasp/high/door";` }, "low ↔ high"],
  [
    "circles of files, by values",
    { "packages/low/src/one.ts": `import { two } from "./rest/two.js";\nexport const other = () => two;` },
    "packages/low/src/one.ts ↔ packages/low/src/rest/two.ts",
  ],
  [
    "circles of files, by types too",
    { "packages/low/src/one.ts": `import type { two } from "./rest/two.js";\nexport const other: typeof two = 2;` },
    "packages/low/src/one.ts ↔ packages/low/src/rest/two.ts",
  ],
  [
    "arrows that run back up inside a package",
    {
      "packages/low/src/one.ts": `import type { two } from "./rest/two.js";\nexport const other: typeof two = 2;`,
      "packages/low/src/rest/more.ts": `import { other } from "../one.js";\nexport const more = other;`,
    },
    "low: one.ts → rest/",
  ],
  [
    "functions that follow references themselves",
    {
      "packages/low/src/a.ts": "export const follow = (reference: string) => parsePointer(decodeFragment(reference));",
    },
    "packages/low/src/a.ts:1",
  ],
  [
    "files that start a process or worker",
    { "packages/low/src/a.ts": `import { fork } from "node:child_process";\nexport const child = fork("x");` },
    "packages/low/src/a.ts",
  ],
  [
    "files that escape tokens of JSON Pointers",
    { "packages/low/src/a.ts": `export const escape = (token: string) => token.replaceAll("/", "~1");` },
    "packages/low/src/a.ts",
  ],
])("the figures count %s", (figure, files, offender) => {
  expect(measure()[figure]).toEqual([]);
  expect(measure(files)[figure]).toContain(offender);
});

test("the figures of loaded lines follow a name through a private door, and take public ones whole", () => {
  const figures = measure();
  expect(figures["lines that hasp build can load"]).toBe(2 + 3 + 2);
  expect(figures["lines that hasp check can load"]).toBe(2 + 2 + 2);
  expect(figures["lines that compile() can load"]).toBe(1);
});

test("limits may be added and sink but not rise, except that one package may take the room of another", () => {
  const base = { circles: 2, "leaves of packages/a": 100, "leaves of packages/b": 50 };
  expect(findRaisedLimits({ ...base, circles: 1, arrows: 3 }, base)).toEqual([]);
  expect(findRaisedLimits({ ...base, circles: 3 }, base)).toEqual(["circles: the limit has risen from 2 to 3"]);
  const moved = { circles: 2, "leaves of packages/a": 60, "leaves of packages/c": 90 };
  expect(findRaisedLimits(moved, base)).toEqual([]);
  expect(findRaisedLimits({ ...moved, "leaves of packages/a": 61 }, base)).toEqual([
    "leaves of all packages: the limits together have risen from 150 to 151",
  ]);
  const granted = { circles: 3, "leaves of packages/a": 101 };
  expect(findRaisedLimits({ ...moved, circles: 3, "leaves of packages/a": 61 }, base, granted)).toEqual([]);
  expect(findRaisedLimits({ ...moved, circles: 4, "leaves of packages/a": 62 }, base, granted)).toHaveLength(2);
});
