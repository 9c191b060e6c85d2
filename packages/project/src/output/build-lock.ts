import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, realpathSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { describeOddity, readErrorCode } from "../fs/entries.js";
import { writeDiagnostics } from "./output-diagnostics.js";
import { removeQuietly } from "../fs/write-atomically.js";

const patienceMilliseconds = 3000;
const pollMilliseconds = 25;

type BuildLock = { readonly release: () => void } | { readonly problem: Diagnostic };

/**
 * Keeps two builds from writing to one project at once. Takes over a dead process's lock, and waits a moment for a live
 * one, since builds are short. The lock lies among the temporary files, where others may write: reports anything else
 * in its place, and never follows it.
 */
export async function takeBuildLock(root: string): Promise<BuildLock> {
  const path = buildLockPath(root);
  const refused = (reason: string): BuildLock => ({
    problem: writeDiagnostics("no-lock", undefined, { path, reason }),
  });
  const giveUpAt = performance.now() + patienceMilliseconds;
  for (;;) {
    const failure = codeOf(() => make(path));
    if (failure === undefined) return { release: () => release(path) };
    if (failure !== "EEXIST") return refused(`the system says ${failure}`);
    const { holder, reason } = holderOf(path);
    if (reason !== undefined) return refused(reason);
    const isOver = performance.now() > giveUpAt;
    // If it is empty, its process is about to write its id, or died before.
    if (holder !== undefined && (holder === "" ? isOver : !isAlive(holder))) {
      const kept = codeOf(() => unlinkSync(path));
      if (kept !== undefined && kept !== "ENOENT") {
        return refused(`a build that died left it, and the system says ${kept}`);
      }
    } else if (isOver) {
      return { problem: writeDiagnostics("locked", undefined, { process: holder ?? "unknown", path }) };
    } else await wait(pollMilliseconds);
  }
}

export function buildLockPath(root: string): string {
  const digest = createHash("sha256").update(realpathSync(root)).digest("hex").slice(0, 16);
  return join(tmpdir(), `hasp-build-${digest}.lock`);
}

function make(path: string): void {
  const file = openSync(path, "wx");
  try {
    writeFileSync(file, String(process.pid));
  } catch (error) {
    // An empty lock would delay the next build.
    removeQuietly(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

function codeOf(step: () => void): string | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    const code = readErrorCode(error);
    if (code === undefined) throw error;
    return code;
  }
}

function release(path: string): void {
  if (holderOf(path).holder === String(process.pid)) removeQuietly(path);
}

/** Reads the process id in a lock, or the reason why it cannot; neither if the lock is gone. */
function holderOf(path: string): { readonly holder?: string; readonly reason?: string } {
  try {
    const oddity = describeOddity(path);
    return oddity === undefined ? { holder: readFileSync(path, "utf8") } : { reason: `${oddity} stands there` };
  } catch (error) {
    const code = readErrorCode(error) ?? String(error);
    return code === "ENOENT" ? {} : { reason: `the system says ${code}` };
  }
}

function isAlive(holder: string): boolean {
  const id = Number(holder);
  if (!Number.isSafeInteger(id) || id <= 0) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return readErrorCode(error) === "EPERM";
  }
}
