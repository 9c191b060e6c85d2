import { spawnSync } from "node:child_process";

/** The megabytes that git may answer. */
const LONGEST_ANSWER = 1024;

/** The end of a run of git. */
interface GitRun {
  readonly status: number | null;
  readonly out: Buffer;
  readonly message: string;
  /** Set if git could not be started. */
  readonly error?: string;
}

/** Runs git in a folder, without hooks of its file system monitor and without taking a lock. */
export function runGit(folder: string, words: readonly string[], input: string = ""): GitRun {
  const { status, stdout, stderr, error } = spawnSync("git", ["-c", "core.fsmonitor=false", ...words], {
    cwd: folder,
    input,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
    maxBuffer: LONGEST_ANSWER * 1024 * 1024,
    windowsHide: true,
  });
  const message = (stderr as Buffer | null)?.toString("utf8").trim() ?? "";
  const out = (stdout as Buffer | null) ?? Buffer.alloc(0);
  return { status, out, message, ...(error && { error: error.message }) };
}
