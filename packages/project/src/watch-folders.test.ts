import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchFolders } from "./watch-folders.js";

let root = "";
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "hasp-watch-"))));
afterEach(() => rmSync(root, { recursive: true }));

test("watches a recreated folder again, whatever its file system's number for it", async () => {
  const folder = join(root, "specs");
  mkdirSync(folder);
  let hear: () => void = () => undefined;
  const watch = watchFolders((_folder, _name, kind) => {
    if (kind === "rename") hear();
  });
  const folders = new Set([folder]);
  expect(watch.follow(folders)).toBe(true);
  // Many file systems give the number of a deleted entry to the next one, though not every time.
  for (let count = 0; count < 20; count += 1) {
    const heard = new Promise<void>((resolve) => (hear = resolve));
    rmdirSync(folder);
    mkdirSync(folder);
    await heard;
    expect(watch.follow(folders)).toBe(true);
  }
  expect(watch.follow(folders)).toBe(false);
  watch.close();
});
