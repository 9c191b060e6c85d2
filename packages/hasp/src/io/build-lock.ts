import { createHash } from "node:crypto";
import { readFileSync, realpathSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { errorCode } from "./error-code.js";

const patienceMilliseconds = 3000;
const pollMilliseconds = 25;

/** A held lock, or who holds it. */
export type BuildLock = { readonly release: () => void } | { readonly heldBy: string };

/**
 * Keeps two builds from writing to one project at once. The lock lies among the temporary files, not in the project,
 * and that of a process that died is taken over. A build that finds it held waits a moment, for builds are short.
 */
export async function takeBuildLock(root: string): Promise<BuildLock> {
  const path = join(
    tmpdir(),
    `hasp-build-${createHash("sha256").update(realpathSync(root)).digest("hex").slice(0, 16)}.lock`,
  );
  const giveUpAt = Date.now() + patienceMilliseconds;
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      return { release: () => unlinkSync(path) };
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    const holder = holderOf(path);
    if (holder === undefined) continue;
    if (!isAlive(holder)) removeIfThere(path);
    else if (Date.now() > giveUpAt) return { heldBy: holder };
    else await wait(pollMilliseconds);
  }
}

function holderOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function isAlive(holder: string): boolean {
  const id = Number(holder);
  // An empty file: its maker is just about to write its number.
  if (holder === "") return true;
  if (!Number.isSafeInteger(id) || id <= 0) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
