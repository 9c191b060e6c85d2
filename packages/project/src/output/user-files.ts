import { chmod, mkdir, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { thrownText } from "../../../compiler/src/diagnostics/thrown-text.js";
import { errorCode } from "../fs/error-code.js";
import { writeAtomically } from "../fs/write-atomically.js";

/** What became of one file of the user's. */
export interface UserFileResult {
  readonly state: "written" | "replaced" | "unchanged" | "exists" | "absent" | "failed";
  /** Why it failed, in the words of the operating system. */
  readonly reason?: string;
}

/** Settings of {@link makeUserFile}. */
export interface MakeOptions {
  /** Write over a file that says something else. */
  readonly replace?: boolean;
  /** May be run as a program. */
  readonly isExecutable?: boolean;
}

/**
 * Makes one file that belongs to the user from then on. A file that is there already is never touched (`exists`, or
 * `unchanged` if it says the same) unless `replace` is set.
 */
export async function makeUserFile(path: string, text: string, options: MakeOptions = {}): Promise<UserFileResult> {
  return orFailure(async () => {
    await mkdir(dirname(path), { recursive: true });
    try {
      // Fails if anything is there: no moment between looking and writing.
      writeAtomically(path, text, { isNew: true });
      if (options.isExecutable === true) await chmod(path, 0o755);
      return { state: "written" };
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    if ((await readFile(path, "utf8")) === text) return { state: "unchanged" };
    if (options.replace !== true) return { state: "exists" };
    await replaceFile(path, text);
    return { state: "replaced" };
  });
}

/**
 * Changes a file of the user's. `edit` is given the text, `undefined` where there is no file, and answers the new one,
 * or `undefined` to leave all as it is.
 */
export async function editUserFile(
  path: string,
  edit: (text: string | undefined) => string | undefined,
): Promise<UserFileResult> {
  return orFailure(async () => {
    const before = await readFile(path, "utf8").catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    });
    const after = edit(before);
    if (after === undefined || after === before) return { state: before === undefined ? "absent" : "unchanged" };
    if (before === undefined) return makeUserFile(path, after);
    await replaceFile(path, after);
    return { state: "replaced" };
  });
}

/** Takes a file away that has become empty. */
export async function removeUserFile(path: string): Promise<UserFileResult> {
  return orFailure(async () => {
    await rm(path, { force: true });
    return { state: "absent" };
  });
}

async function replaceFile(path: string, text: string): Promise<void> {
  writeAtomically(path, text, { mode: (await stat(path)).mode });
}

async function orFailure(work: () => Promise<UserFileResult>): Promise<UserFileResult> {
  try {
    return await work();
  } catch (error) {
    return { state: "failed", reason: REASONS.get(errorCode(error) ?? "") ?? thrownText(error) };
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "you are not allowed to write there; make the folder writable, or work in a copy"],
  ["EPERM", "you are not allowed to write there; make the folder writable, or work in a copy"],
  ["EROFS", "the disk is read-only; work in a copy"],
  ["ENOSPC", "the disk is full"],
  ["ENOTDIR", "a part of its path is not a folder"],
]);
