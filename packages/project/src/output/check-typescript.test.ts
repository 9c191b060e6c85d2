import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkTypeScript, SMALLEST_TYPESCRIPT } from "./check-typescript.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hasp-check-typescript-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const findings = (): readonly string[] =>
  checkTypeScript(root).map(({ code, location, severity }) =>
    [code, severity, location?.uri, location?.range.start.line, location?.range.start.column].join(" "),
  );

test("says nothing where there is no compiler and no tsconfig.json, or one that works", () => {
  expect(findings()).toEqual([]);
  write("tsconfig.json", '{ "compilerOptions": { "module": "nodenext" }, }');
  expect(findings()).toEqual([]);
  write("tsconfig.json", "{");
  expect(findings()).toEqual([]);
});

test.each(["classic", "Node10", "node"])("names the place where moduleResolution is %s", (value) => {
  write("tsconfig.json", `{\n  // mine\n  "compilerOptions": { "moduleResolution": "${value}" }\n}`);
  expect(findings()).toEqual(["write/blind-resolution warning tsconfig.json 3 44"]);
});

test("follows what a tsconfig.json extends by path, of which the nearest holds", () => {
  write(
    "base/tsconfig.json",
    '{ "compilerOptions": { "moduleResolution": "classic" }, "extends": "../tsconfig.json" }',
  );
  write("tsconfig.json", '{ "extends": ["./other", "./base/tsconfig"] }');
  expect(findings()).toEqual(["write/blind-resolution warning base/tsconfig.json 1 44"]);
  write("tsconfig.json", '{ "extends": "./base/tsconfig.json", "compilerOptions": { "moduleResolution": "bundler" } }');
  expect(findings()).toEqual([]);
});

test.each([
  ["5.4.5", ["write/old-typescript warning   "]],
  ["4.9.5", ["write/old-typescript warning   "]],
  [`${SMALLEST_TYPESCRIPT}.0`, []],
  ["5.10.0", []],
  ["7.0.2", []],
])("judges the compiler that is installed in the project, as %s", (version, expected) => {
  write("package.json", "{}");
  write("node_modules/typescript/package.json", JSON.stringify({ name: "typescript", version }));
  expect(findings()).toEqual(expected);
});
