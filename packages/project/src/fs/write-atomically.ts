import { closeSync, linkSync, openSync, renameSync, unlinkSync, writeFileSync } from "node:fs";

interface AtomicWriteSettings {
  /** Fail with `EEXIST` if something is there already. */
  readonly isNew?: boolean;
  readonly mode?: number;
}

/** Returns the temporary file that a process writes before it renames it to `path`. */
export function createTemporaryPath(path: string): string {
  return `${path}.${process.pid}.hasp-tmp`;
}

/** Returns a second name for the file at `path`, kept until the file is certainly not needed. */
export function createBackupPath(path: string): string {
  return `${path}.old.${process.pid}.hasp-tmp`;
}

export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

/** Returns the name of the file that a temporary file or a backup stands for. */
export function readOriginalName(name: string): string {
  return name.replace(TEMPORARY, "");
}

const TEMPORARY = /(?:\.old)?\.\d+\.hasp-tmp$/u;

export function writeAtomically(
  path: string,
  content: string | Iterable<string | Buffer>,
  { isNew = false, mode = 0o666 }: AtomicWriteSettings = {},
): void {
  const temporary = createTemporaryPath(path);
  writeTemporary(temporary, content, mode);
  try {
    if (isNew) linkSync(temporary, path);
    else renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  if (isNew) unlinkSync(temporary);
}

/** Writes a new file under a temporary name, to its end: a system call may write less on a nearly full disk. */
export function writeTemporary(path: string, content: string | Iterable<string | Buffer>, mode = 0o666): void {
  // Left by a killed process with the same id.
  removeQuietly(path);
  const file = openSync(path, "wx", mode);
  try {
    for (const part of typeof content === "string" ? [content] : gathered(content)) writeFileSync(file, part);
  } catch (error) {
    removeQuietly(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

const GATHERED = 1 << 18;

/** Joins short parts, to make few system calls. */
function* gathered(parts: Iterable<string | Buffer>): Iterable<string | Buffer> {
  let texts: string[] = [];
  let length = 0;
  for (const part of parts) {
    if (typeof part !== "string") {
      yield texts.join("");
      texts = [];
      length = 0;
      yield part;
      continue;
    }
    texts.push(part);
    length += part.length;
    if (length < GATHERED) continue;
    yield texts.join("");
    texts = [];
    length = 0;
  }
  yield texts.join("");
}

/** Removes a file if it can. A missing or protected file is not an error. */
export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The result does not depend on it.
  }
}
