import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSpecFiles } from "./find-specs.js";

const IGNORE = ["**/node_modules/**", "**/.git/**", "src/out/**", "hasp-ledger/**"];

test("finds a folder once, in order, and does not enter excluded ones", async () => {
  const root = mkdtempSync(join(tmpdir(), "hasp-find-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const path of [
    "specs/b.tool.yaml",
    "specs/a/c.tools.json",
    "specs/a/shared.yaml",
    "specs/a/.hidden.yaml",
    "specs/a/notes.md",
    "specs/far/shared.yaml",
    "specs/node_modules/x.tool.yaml",
    "specs/.d.tool.yaml",
    "other/e.tool.yaml",
  ]) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  expect(await findSpecFiles(root, ["specs/**"], IGNORE)).toEqual({
    paths: ["specs/a/c.tools.json", "specs/b.tool.yaml"],
    oddities: [],
    neighbours: ["specs/a/shared.yaml"],
  });
});

test("reports links and closed folders unless they are hidden", async () => {
  const root = mkdtempSync(join(tmpdir(), "hasp-find-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "specs/.hidden"), { recursive: true });
  mkdirSync(join(root, "elsewhere"));
  writeFileSync(join(root, "elsewhere/a.tool.yaml"), "");
  symlinkSync("../elsewhere", join(root, "specs/linked"));
  symlinkSync("../../elsewhere", join(root, "specs/.hidden/linked"));
  symlinkSync("../elsewhere/a.tool.yaml", join(root, "specs/b.tool.yaml"));
  const found = async (pattern: string): Promise<readonly string[]> =>
    (await findSpecFiles(root, [pattern], IGNORE)).oddities.map(({ path }) => path);
  expect(await found("specs/**")).toEqual(["specs/b.tool.yaml", "specs/linked"]);
  expect(await found("specs/.hidden/**")).toEqual(["specs/.hidden/linked"]);
});

test("reports specs that no pattern finds because of a line break in a name", async () => {
  const root = mkdtempSync(join(tmpdir(), "hasp-find-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const path of [
    "specs/a\nb/x.tool.yaml",
    "specs/c\rd.tool.yaml",
    "specs/e\nf/notes.md",
    "other/g\nh/y.tool.yaml",
  ]) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  const { paths, oddities } = await findSpecFiles(root, ["specs/**"], IGNORE);
  expect(paths).toEqual([]);
  expect(oddities.map(({ path }) => path)).toEqual(["specs/a\nb", "specs/c\rd.tool.yaml"]);
});
