import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { buildLockPath, takeBuildLock } from "./build-lock.js";

let root = "";
let temporary = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hasp-locked-"));
  temporary = mkdtempSync(join(tmpdir(), "hasp-temporary-"));
  placeTemporaryFiles(temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of [root, temporary]) rmSync(folder, { recursive: true, force: true });
});

function placeTemporaryFiles(folder: string): void {
  for (const name of ["TMPDIR", "TEMP", "TMP"]) vi.stubEnv(name, folder);
}

async function outcome(): Promise<string> {
  const lock = await takeBuildLock(root);
  if ("problem" in lock) return lock.problem.code;
  const number = readFileSync(buildLockPath(root), "utf8");
  lock.release();
  return `${number === String(process.pid) ? "taken" : "not ours"}, ${existsSync(buildLockPath(root)) ? "left" : "released"}`;
}

test("takes and releases the lock, and names the holder and the place of a held one", async () => {
  const first = await takeBuildLock(root);
  const second = await takeBuildLock(root);
  expect(second).toMatchObject({ problem: { code: "write/locked" } });
  const { message, help } = "problem" in second ? second.problem : { message: "", help: "" };
  expect(message).toContain(String(process.pid));
  expect(help).toContain(buildLockPath(root));
  if ("release" in first) first.release();
  expect(await outcome()).toBe("taken, released");
});

test("takes over the lock of a dead process", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(buildLockPath(root), String(pid));
  expect(await outcome()).toBe("taken, released");
});

test("takes over a lock without a process id", async () => {
  writeFileSync(buildLockPath(root), "");
  expect(await outcome()).toBe("taken, released");
  writeFileSync(buildLockPath(root), "no number");
  expect(await outcome()).toBe("taken, released");
});

test("a lock that was taken over stays with its new holder", async () => {
  const lock = await takeBuildLock(root);
  writeFileSync(buildLockPath(root), "1");
  if ("release" in lock) lock.release();
  expect(readFileSync(buildLockPath(root), "utf8")).toBe("1");
});

test("reports anything else in place of the lock, and neither waits for it nor follows it", async () => {
  mkdirSync(buildLockPath(root));
  expect(await outcome()).toBe("write/no-lock");
  rmSync(buildLockPath(root), { recursive: true });
  const elsewhere = join(root, "elsewhere");
  symlinkSync(elsewhere, buildLockPath(root));
  expect(await outcome()).toBe("write/no-lock");
  writeFileSync(elsewhere, "999999999");
  expect(await outcome()).toBe("write/no-lock");
  expect(readFileSync(elsewhere, "utf8")).toBe("999999999");
});

test("reports a missing folder for the lock", async () => {
  placeTemporaryFiles(join(temporary, "missing"));
  expect(await outcome()).toBe("write/no-lock");
});
