import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { entryAt, isFolder, linkAt } from "./entries.js";

test("tells folders, links and missing entries apart, in bigints", () => {
  const root = mkdtempSync(join(tmpdir(), "hasp-entries-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "folder"));
  symlinkSync("folder", join(root, "link"));
  symlinkSync("loop", join(root, "loop"));
  expect(["folder", "link", "loop", "none"].map((name) => isFolder(join(root, name)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([linkAt(join(root, "link"))?.isSymbolicLink(), entryAt(join(root, "link"))?.isDirectory()]).toEqual([
    true,
    true,
  ]);
  expect([linkAt(join(root, "none")), entryAt(join(root, "none"))]).toEqual([undefined, undefined]);
  // Numbers would be left where Node's module resolution reads them; entries.ts explains the effect.
  expect([typeof linkAt(root)?.mode, typeof entryAt(root)?.mode]).toEqual(["bigint", "bigint"]);
});
