import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { letGoLater } from "./let-go-later.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hasp-let-go-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a file that is held can be replaced, and what it is replaced with stays", () => {
  const [path, other] = [join(folder, "a"), join(folder, "b")];
  writeFileSync(path, "old");
  writeFileSync(other, "new");
  const letGo = letGoLater(path);
  renameSync(other, path);
  letGo();
  expect(readFileSync(path, "utf8")).toBe("new");
});

test("where nothing stands there is nothing to hold", () => {
  expect(() => letGoLater(join(folder, "missing"))()).not.toThrow();
});
