import { linkSync, mkdirSync, renameSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostic } from "@hasp/base/diagnostics";
import type { OutputFile } from "@hasp/compiler";
import { readErrorCode } from "../fs/entries.js";
import { createInsideCheck, isBelow } from "../fs/read-inside.js";
import { toSlashPath } from "../fs/slash-path.js";
import {
  createBackupPath,
  removeQuietly,
  createTemporaryPath,
  writeAtomically,
  writeTemporary,
} from "../fs/write-atomically.js";
import { writeDiagnostics } from "./output-diagnostics.js";
import { changesAnything, isGeneratedPath, type WritePlan } from "./plan-writes.js";
import { findInterruptedManifests, readPreviousManifest, findTemporaryFiles } from "./previous-manifest.js";

const noPermission: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);
const diskFull: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/**
 * Turns a system error into a finding. `path` is the file that was refused, relative to the root; without it, the error
 * names the file. Throws any other error.
 */
export function describeFailure(error: unknown, root: string, path?: string): Diagnostic {
  const code = readErrorCode(error);
  if (code === undefined) throw error;
  const ownPath = error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : root;
  const place = path ?? (toSlashPath(root, ownPath) || ".");
  if (noPermission.has(code)) return writeDiagnostics("no-permission", undefined, { path: place });
  if (diskFull.has(code)) return writeDiagnostics("disk-full", undefined, { path: place });
  if (code === "EISDIR") return writeDiagnostics("not-a-file", undefined, { path: place });
  return writeDiagnostics("failed", undefined, { path: place, reason: code });
}

/** Finds folders in which an interrupted build may have left temporary files; none without a sign of one. */
export function listFoldersToTidy(
  files: readonly Pick<OutputFile, "path">[],
  plan: WritePlan,
  root: string,
  outDir: string,
): readonly string[] {
  const manifest = `${outDir}/manifest.json`;
  const wasInterrupted = findInterruptedManifests(root, manifest).length > 0;
  if (!wasInterrupted && !changesAnything(plan)) return [];
  const isInside = createInsideCheck(root);
  const previous = wasInterrupted ? [...readPreviousManifest(root, manifest).outputs.keys()] : [];
  const paths = [
    manifest,
    ...files.map(({ path }) => path),
    ...previous.filter((path) => isGeneratedPath(path, outDir) && isInside(path)),
    ...plan.deleted,
  ];
  return [...new Set(paths.map((path) => dirname(path)))];
}

export function removeTempFiles(folders: readonly string[], root: string): void {
  for (const folder of folders) {
    for (const name of findTemporaryFiles(join(root, folder))) removeQuietly(join(root, folder, name));
  }
  for (const folder of folders) removeEmptyFolders(join(root, folder), root);
}

/** Removes a folder and those above it as long as they are empty, and never `end`. */
function removeEmptyFolders(folder: string, end: string): void {
  let current = folder;
  while (isBelow(end, current)) {
    try {
      rmdirSync(current);
    } catch {
      return;
    }
    current = dirname(current);
  }
}

/**
 * Executes a plan, or undoes its changes and reports the failure. Undoing needs no room on the disk: each replaced or
 * deleted file stays under another name until everything is done. The new manifest is written first and renamed last:
 * after an interrupted build both manifests are there, and the next build knows which files are hasp's.
 */
export function applyWritePlan(plan: WritePlan, root: string, manifest: string): Diagnostic | undefined {
  const undo: (() => void)[] = [];
  const backups: string[] = [];
  let current = "";
  const backUp = (path: string): void => {
    const backup = createBackupPath(path);
    removeQuietly(backup);
    linkSync(path, backup);
    backups.push(backup);
    undo.push(() => renameSync(backup, path));
  };
  const replace = (path: string, isThere: boolean): void => {
    const absolute = join(root, (current = path));
    if (isThere) backUp(absolute);
    else undo.push(() => removeQuietly(absolute));
    renameSync(createTemporaryPath(absolute), absolute);
  };
  const remove = (path: string): void => {
    const absolute = join(root, (current = path));
    const backup = createBackupPath(absolute);
    renameSync(absolute, backup);
    backups.push(backup);
    undo.push(() => renameSync(backup, absolute));
  };
  const isManifest = ({ path }: Pick<OutputFile, "path">): boolean => path === manifest;
  const updated = new Set(plan.updated.map(({ path }) => path));
  try {
    const files = [...plan.created, ...plan.updated];
    const own = files
      .filter(({ owner }) => owner === "hasp")
      .toSorted((a, b) => Number(isManifest(b)) - Number(isManifest(a)));
    const users = plan.created.filter(({ owner }) => owner === "user");
    for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
      current = folder;
      makeFolders(join(root, folder), undo);
    }
    for (const { path, text } of own) {
      const temporary = createTemporaryPath(join(root, (current = path)));
      undo.push(() => removeQuietly(temporary));
      writeTemporary(temporary, text);
    }
    for (const { path, text } of users) makeUserFile(join(root, (current = path)), text, undo);
    for (const file of own) if (!isManifest(file)) replace(file.path, updated.has(file.path));
    for (const path of plan.deleted) if (!isManifest({ path })) remove(path);
    if (own.some(isManifest)) replace(manifest, updated.has(manifest));
    if (plan.deleted.includes(manifest)) remove(manifest);
  } catch (error) {
    for (const step of undo.toReversed()) quietly(step);
    for (const backup of backups) removeQuietly(backup);
    return describeFailure(error, root, current);
  }
  for (const backup of backups) removeQuietly(backup);
  for (const path of plan.deleted) removeEmptyFolders(dirname(join(root, path)), root);
  return undefined;
}

function makeFolders(folder: string, undo: (() => void)[]): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  undo.push(() => removeEmptyFolders(folder, dirname(first)));
}

function makeUserFile(path: string, text: string, undo: (() => void)[]): void {
  try {
    writeAtomically(path, text, { isNew: true });
    undo.push(() => removeQuietly(path));
  } catch (error) {
    // Somebody wrote the file in the meantime, so it is theirs.
    if (readErrorCode(error) !== "EEXIST") throw error;
  }
}

function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // Undoing goes as far as it can; the first failure is reported.
  }
}
