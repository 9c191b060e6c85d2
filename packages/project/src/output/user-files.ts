import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { printThrown } from "@hasp/base/diagnostics";
import { readErrorCode } from "../fs/entries.js";
import { placeWithin } from "../fs/read-inside.js";
import { writeAtomically } from "../fs/write-atomically.js";

export type UserFileResult =
  | { readonly state: "written" | "replaced" | "unchanged" | "exists" | "absent" }
  | { readonly state: "failed"; readonly reason: string };

interface MakeOptions {
  /** Replaces a file with other content. */
  readonly replace?: boolean;
  readonly isExecutable?: boolean;
}

/**
 * Creates a file that then belongs to the user. Never touches an existing one unless `replace` is set. Fails, as all
 * writers here do, if the path leads out of the folder `root` through a link.
 */
export async function makeUserFile(
  root: string,
  place: string,
  text: string,
  options: MakeOptions = {},
): Promise<UserFileResult> {
  return writeWithin(root, place, async (path) => {
    await mkdir(dirname(path), { recursive: true });
    try {
      // Fails if it exists: there is no gap between looking and writing.
      writeAtomically(path, text, { isNew: true });
      if (options.isExecutable === true) await chmod(path, 0o755);
      return { state: "written" };
    } catch (error) {
      if (readErrorCode(error) !== "EEXIST") throw error;
    }
    if ((await readFile(path, "utf8")) === text) return { state: "unchanged" };
    if (options.replace !== true) return { state: "exists" };
    await replaceFile(path, text);
    return { state: "replaced" };
  });
}

/** Changes a user's file. `edit` gets its text, if any, and returns a new one, or `undefined` for no change. */
export async function editUserFile(
  root: string,
  place: string,
  edit: (text: string | undefined) => string | undefined,
): Promise<UserFileResult> {
  return writeWithin(root, place, async (path) => {
    const before = existsSync(path) ? await readFile(path, "utf8") : undefined;
    const after = edit(before);
    if (after === undefined || after === before) return { state: before === undefined ? "absent" : "unchanged" };
    if (before === undefined) return makeUserFile(root, path, after);
    await replaceFile(path, after);
    return { state: "replaced" };
  });
}

/**
 * Changes a user's file that still has the text `before`; without it, the file is new. Returns the reason if the file is
 * left as it is.
 */
export async function updateUserFile(
  root: string,
  place: string,
  before: string | undefined,
  after: string,
): Promise<string | undefined> {
  let isOther = false;
  const result = await editUserFile(root, place, (text) => {
    isOther = text !== before;
    return isOther ? undefined : after;
  });
  if (result.state === "failed") return result.reason;
  return isOther ? "somebody else has just changed it" : undefined;
}

export async function removeUserFile(root: string, place: string): Promise<UserFileResult> {
  return writeWithin(root, place, async (path) => {
    await rm(path, { force: true });
    return { state: "absent" };
  });
}

async function replaceFile(path: string, text: string): Promise<void> {
  writeAtomically(path, text, { mode: (await stat(path)).mode });
}

async function writeWithin(
  root: string,
  place: string,
  write: (path: string) => Promise<UserFileResult>,
): Promise<UserFileResult> {
  const path = resolve(root, place);
  try {
    // A link in place of the file is replaced, not followed.
    if (placeWithin(root, dirname(path)) === undefined) return { state: "failed", reason: OUTSIDE };
    return await write(path);
  } catch (error) {
    return { state: "failed", reason: REASONS.get(readErrorCode(error) ?? "") ?? printThrown(error) };
  }
}

const OUTSIDE = "a link in its path leads out of the project; put a folder in its place";
const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "you are not allowed to write there; make the folder writable, or work in a copy"],
  ["EPERM", "you are not allowed to write there; make the folder writable, or work in a copy"],
  ["EROFS", "the disk is read-only; work in a copy"],
  ["ENOSPC", "the disk is full"],
  ["ENOENT", "it is a link that leads nowhere; remove it, or create what it names"],
  ["ENOTDIR", "a part of its path is not a folder"],
]);
