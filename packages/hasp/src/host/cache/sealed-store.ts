import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Environment, projectCacheFolder, userCacheFolder } from "./cache-place.js";
import { isFolder, linkAt } from "../fs/entries.js";
import { ownDigest } from "../installation/compiler-fingerprint.js";
import { removeQuietly } from "../fs/remove-quietly.js";
import { userSecret } from "./user-secret.js";

/**
 * What hasp keeps from run to run. Each is sealed with the user's secret for one project, one purpose and this very
 * program: what is damaged, foreign, or from another version has another seal, and is as if it were not there.
 */
export interface SealedStore {
  /** What was kept for a purpose: a view into what was read, not a copy. */
  read(purpose: string): Buffer | undefined;
  /** Keeps a content, if it can; a full or read-only disk is no failure, for nothing is lost but time. */
  write(purpose: string, content: Buffer | string): void;
  /** Forgets all that is kept for this project, by whichever version of hasp, and says how much that was. */
  clear(options: { readonly isDryRun: boolean }): number;
}

/** All files together, those of other projects and versions included; the oldest go first. */
const MOST_BYTES = 512 * 1024 * 1024;
const MOST_FILES = 48;
const ENDING = ".sealed";
const SEAL_LENGTH = 64;

/** The store of a project; `undefined` where nothing can be kept safely, or there is no project. */
export function openSealedStore(root: string, environment: Environment): SealedStore | undefined {
  if (!isFolder(root)) return undefined;
  const userFolder = userCacheFolder(environment);
  const secret = userFolder === undefined ? undefined : userSecret(userFolder);
  const folder = userFolder === undefined || secret === undefined ? undefined : projectCacheFolder(root, userFolder);
  if (secret === undefined || folder === undefined) return undefined;
  const project = realpathSync(root);
  const prefix = shortDigest(project);
  const pathOf = (purpose: string): string => join(folder, `${prefix}-${shortDigest(purpose)}${ENDING}`);
  const sealOf = (purpose: string, content: Buffer | string): string =>
    createHmac(
      "sha256",
      createHmac("sha256", secret)
        .update(JSON.stringify([ownDigest(), project, purpose]))
        .digest(),
    )
      .update(content)
      .digest("hex");
  return {
    read(purpose) {
      const file = readBounded(pathOf(purpose));
      if (file === undefined || file.length < SEAL_LENGTH) return undefined;
      const content = file.subarray(SEAL_LENGTH);
      return timingSafeEqual(file.subarray(0, SEAL_LENGTH), Buffer.from(sealOf(purpose, content)))
        ? content
        : undefined;
    },
    write(purpose, content) {
      const path = pathOf(purpose);
      const temporary = `${path}.${process.pid}.tmp`;
      try {
        writeParts(temporary, [sealOf(purpose, content), content]);
        renameSync(temporary, path);
        makeRoom(folder);
      } catch {
        removeQuietly(temporary);
      }
    },
    clear({ isDryRun }) {
      const own = entriesOf(folder).filter(({ name }) => name.startsWith(`${prefix}-`));
      for (const { name } of isDryRun ? [] : own) removeQuietly(join(folder, name));
      return own.length;
    },
  };
}

function shortDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Writes a new file of several parts, which need not be joined in memory for that. */
function writeParts(path: string, parts: readonly (Buffer | string)[]): void {
  const file = openSync(path, "wx", 0o600);
  try {
    for (const part of parts) writeFileSync(file, part);
  } finally {
    closeSync(file);
  }
}

function readBounded(path: string): Buffer | undefined {
  try {
    const entry = linkAt(path);
    return entry?.isFile() === true && entry.size <= MOST_BYTES ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function makeRoom(folder: string): void {
  let bytes = 0;
  for (const [index, { name, size }] of entriesOf(folder).entries()) {
    bytes += size;
    if (index >= MOST_FILES || bytes > MOST_BYTES) removeQuietly(join(folder, name));
  }
}

/** What lies in the folder, the youngest first. Only what hasp itself names so is looked at. */
function entriesOf(folder: string): readonly { readonly name: string; readonly size: number }[] {
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]{16}-[0-9a-f]{16}\.sealed(?:\.\d+\.tmp)?$/u.test(name))
    .flatMap((name) => {
      const entry = lstatSync(join(folder, name), { throwIfNoEntry: false });
      return entry === undefined ? [] : [{ name, size: entry.size, time: entry.mtimeMs }];
    })
    .toSorted((left, right) => right.time - left.time);
}
