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

test("follows what a tsconfig.json extends of an installed package, and names the place that does", () => {
  write("node_modules/@acme/settings/tsconfig.json", '{ "compilerOptions": { "moduleResolution": "node10" } }');
  write("node_modules/@acme/settings/package.json", '{ "name": "@acme/settings" }');
  for (const name of ["@acme/settings", "@acme/settings/tsconfig", "@acme/settings/tsconfig.json"]) {
    write("tsconfig.json", `{\n  "extends": "${name}"\n}`);
    expect(findings(), name).toEqual(["write/blind-resolution warning tsconfig.json 2 14"]);
  }
  write("tsconfig.json", '{ "extends": "@acme/missing" }');
  expect(findings()).toEqual([]);
});

test.each([
  ["5.9.3", '{ "module": "esnext" }', ["write/implied-resolution warning tsconfig.json 1 34"]],
  ["5.9.3", '{ "module": "commonjs" }', ["write/implied-resolution warning tsconfig.json 1 34"]],
  ["5.9.3", "{}", ["write/implied-resolution warning tsconfig.json 1 1"]],
  ["5.9.3", '{ "module": "Node16" }', []],
  ["5.9.3", '{ "module": "preserve" }', []],
  ["5.9.3", '{ "module": "esnext", "moduleResolution": "bundler" }', []],
  ["6.0.3", '{ "module": "esnext" }', []],
  ["6.0.3", "{}", []],
])("judges what TypeScript %s takes the options %s to mean", (version, options, expected) => {
  write("package.json", "{}");
  write("node_modules/typescript/package.json", JSON.stringify({ name: "typescript", version }));
  expect(findings()).toEqual([]);
  write("tsconfig.json", `{ "compilerOptions": ${options} }`);
  expect(findings()).toEqual(expected);
});

test("says nothing about a tsconfig.json that compiles no file and only refers to others", () => {
  write("package.json", "{}");
  write("node_modules/typescript/package.json", JSON.stringify({ name: "typescript", version: "5.9.3" }));
  write("tsconfig.json", '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }');
  expect(findings()).toEqual([]);
  write("tsconfig.json", '{ "files": ["main.ts"] }');
  expect(findings()).toEqual(["write/implied-resolution warning tsconfig.json 1 1"]);
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
