import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { digestOfPackage, compilerFingerprint } from "./compiler-fingerprint.js";

/** A package as it is installed, with one of ours and one of another's that it uses. */
function installed(): {
  readonly digest: () => string;
  readonly path: (path: string) => string;
  readonly put: (path: string, text: string) => void;
} {
  const root = mkdtempSync(join(tmpdir(), "hasp-own-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const path = (name: string): string => join(root, name);
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  put(
    "package.json",
    JSON.stringify({ dependencies: { "@hasp/schema": "1", yaml: "1" }, peerDependencies: { absent: "1" } }),
  );
  put("dist/index.js", "1;");
  put("dist/index.d.ts", "export {};");
  put("dist/shared/chunk.js", "2;");
  put("node_modules/@hasp/schema/package.json", "{}");
  put("node_modules/@hasp/schema/dist/index.js", "3;");
  put("node_modules/yaml/package.json", '{ "version": "1" }');
  put("node_modules/yaml/dist/index.js", "4;");
  return { digest: () => digestOfPackage(root), path, put };
}

test("the fingerprint changes with code or a version only", () => {
  const { digest, put, path } = installed();
  const seen = new Set([digest()]);
  expect(digest()).toBe([...seen][0]);
  for (const change of [
    () => put("dist/shared/chunk.js", "5;"),
    () => put("dist/shared/other.js", ""),
    () => put("node_modules/@hasp/schema/dist/index.js", "6;"),
    () => put("node_modules/yaml/package.json", '{ "version": "2" }'),
    () => renameSync(path("dist/shared/other.js"), path("dist/other.js")),
  ]) {
    change();
    expect(seen).not.toContain(digest());
    seen.add(digest());
  }
});

test("notices code of the same size and time, and ignores times", () => {
  const { digest, put, path } = installed();
  utimesSync(path("dist/index.js"), 1000, 1000);
  const before = digest();
  put("dist/index.js", "9;");
  utimesSync(path("dist/index.js"), 1000, 1000);
  expect(digest()).not.toBe(before);
  put("dist/index.js", "1;");
  linkSync(path("dist/index.js"), path("another-project"));
  expect(digest()).toBe(before);
});

test("ignores types and the code of other packages", () => {
  const { digest, put } = installed();
  const before = digest();
  put("dist/index.d.ts", "export const a: 1;");
  put("node_modules/yaml/dist/index.js", "7;");
  expect(digest()).toBe(before);
});

test("compilerFingerprint covers the running program", () => {
  expect(compilerFingerprint()).toMatch(/^[0-9a-f]{64}$/);
});
