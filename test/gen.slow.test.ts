import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("indexes, editors' schemas and reference pages are what `pnpm gen` writes", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "../packages/hasp/scripts/gen.js"), "--check", "--built"],
    { encoding: "utf8" },
  );
  expect(stdout + stderr).toBe("");
  expect(status).toBe(0);
});
