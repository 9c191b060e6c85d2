import { mkdirSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostic, Found } from "../diagnostics/diagnostic.js";
import { hasErrors } from "../diagnostics/severity.js";
import { digestOfFile } from "../emitters/digest.js";
import { headerMark } from "../emitters/header.js";
import { hasSameText, type OutputFile, piecesOf } from "../model/output.js";
import { findAbandonedHandlers } from "./abandoned-handlers.js";
import { takeBuildLock } from "./build-lock.js";
import { once } from "../model/memory.js";
import { errorCode } from "./error-code.js";
import { insideProject, isBelow } from "./inside-project.js";
import { isSameText, isUnedited, type LastBuild, readLastBuild, readTextIfThere } from "./last-build.js";
import { writeDiagnostics } from "./output-diagnostics.js";
import { removeQuietly } from "./remove-quietly.js";
import { slashPath } from "./slash-path.js";
import { writePieces } from "./write-pieces.js";
import { interruptedManifests, placeAside, removeWrittenAside } from "./written-aside.js";

/** Where files are written. */
export interface WriteOptions {
  /** The project's root; every path of a file is relative to it. */
  readonly root: string;
  /** The folder that belongs to hasp; only there is anything ever deleted. */
  readonly outDir: string;
  /** Say what would be done, and do nothing. */
  readonly isDryRun?: boolean;
  /**
   * What the last build left and is known to stand on disk still, by path: for who is told of every change. Other files
   * are read.
   */
  readonly standing?: ReadonlyMap<string, OutputFile>;
  /**
   * The digest of a text that is known to stand on disk, for who knows it without reading; `undefined` for files that
   * must be read.
   */
  readonly digestAt?: (path: string) => string | undefined;
}

/** What became of the files, each list by path. Nothing stands in it but what happened. */
export interface WriteReport {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly unchanged: readonly string[];
  readonly deleted: readonly string[];
  /** Files of the user's that were there already. */
  readonly kept: readonly string[];
}

const nothing: WriteReport = { created: [], updated: [], unchanged: [], deleted: [], kept: [] };

/**
 * Puts the files of a build down: all or none, each at once (written aside, then renamed), and only those that changed.
 * Files of the user's are made once and never touched again; what no spec makes any longer is deleted, if hasp made it
 * and nobody edited it.
 */
export async function writeFiles(files: readonly OutputFile[], options: WriteOptions): Promise<Found<WriteReport>> {
  const { root, outDir } = options;
  if (options.isDryRun === true) {
    const planned = orDiagnostic(() => planWrites(files, options), root);
    return { value: reportOf(planned.value), diagnostics: planned.diagnostics };
  }
  // What another build writes meanwhile would be other than what was planned for.
  const lock = await takeBuildLock(root);
  if ("problem" in lock) return { value: nothing, diagnostics: [lock.problem] };
  try {
    const planned = orDiagnostic(() => planWrites(files, options), root);
    const { diagnostics } = planned;
    if (hasErrors(diagnostics)) return { value: nothing, diagnostics };
    const manifest = `${outDir}/manifest.json`;
    const remains = foldersOfRemains(files, planned.value, root, outDir);
    if (!changesAnything(planned.value) && remains.length === 0) return { value: reportOf(planned.value), diagnostics };
    const created = await withUsersFormat(planned.value.created, root);
    const failure = carryOut({ ...planned.value, created }, root, manifest);
    if (failure !== undefined) return { value: nothing, diagnostics: [...diagnostics, failure] };
    takeAwayRemains(remains, root);
    return { value: reportOf(planned.value), diagnostics };
  } finally {
    lock.release();
  }
}

/**
 * Folders in which a build that was killed may have left what it had written aside; none where nothing speaks for that.
 */
export function foldersOfRemains(
  files: readonly Pick<OutputFile, "path" | "owner">[],
  plan: WritePlan,
  root: string,
  outDir: string,
): readonly string[] {
  const manifest = `${outDir}/manifest.json`;
  const wasKilled = interruptedManifests(root, manifest).length > 0;
  if (!wasKilled && !changesAnything(plan)) return [];
  const own = files.filter(({ owner }) => owner === "hasp").map(({ path }) => path);
  const isInside = insideProject(root);
  const theirs = wasKilled ? [...readLastBuild(root, manifest).outputs.keys()] : [];
  const paths = [manifest, ...own, ...theirs.filter((path) => isOwnPlace(path, outDir) && isInside(path))];
  return [...new Set([...paths, ...plan.deleted].map((path) => dirname(path)))];
}

/** Takes away what builds that were killed left in these folders, and the folders that nothing else stands in. */
export function takeAwayRemains(folders: readonly string[], root: string): void {
  removeWrittenAside(root, folders);
  for (const folder of folders) removeEmptyFolders(join(root, folder), root);
}

/** A manifest is a file like any other: what it says is obeyed only inside hasp's own folder. */
function isOwnPlace(path: string, outDir: string): boolean {
  return path.startsWith(`${outDir}/`) && !path.split("/").includes("..");
}

async function withUsersFormat(files: readonly OutputFile[], root: string): Promise<readonly OutputFile[]> {
  const users = files.filter(({ owner }) => owner === "user");
  if (users.length === 0) return files;
  // Loaded only when a stub is made: prettier costs more than the whole of a small build.
  const { formatUserFiles } = await import("./format-user-file.js");
  return [...files.filter(({ owner }) => owner === "hasp"), ...(await formatUserFiles(users, root))];
}

/** What is to be done, before anything is. */
export interface WritePlan {
  readonly created: readonly OutputFile[];
  readonly updated: readonly OutputFile[];
  readonly unchanged: readonly OutputFile[];
  readonly kept: readonly OutputFile[];
  readonly deleted: readonly string[];
  /** What stood there before, to be put back if anything fails. */
  readonly before: ReadonlyMap<string, Pick<OutputFile, "text">>;
}

/** Nothing to be done. */
export const emptyPlan: WritePlan = {
  created: [],
  updated: [],
  unchanged: [],
  kept: [],
  deleted: [],
  before: new Map(),
};

function changesAnything({ created, updated, deleted }: WritePlan): boolean {
  return created.length + updated.length + deleted.length > 0;
}

function reportOf({ created, updated, unchanged, deleted, kept }: WritePlan): WriteReport {
  const paths = (files: readonly OutputFile[]): readonly string[] => files.map(({ path }) => path);
  return { created: paths(created), updated: paths(updated), unchanged: paths(unchanged), deleted, kept: paths(kept) };
}

function orDiagnostic(plan: () => Found<WritePlan>, root: string): Found<WritePlan> {
  try {
    return plan();
  } catch (error) {
    return { value: emptyPlan, diagnostics: [failureOf(error, root)] };
  }
}

function planWrites(
  files: readonly OutputFile[],
  { root, outDir, standing = new Map(), digestAt }: WriteOptions,
): Found<WritePlan> {
  const diagnostics: Diagnostic[] = [];
  const lastBuild = once(() => readLastBuild(root, `${outDir}/manifest.json`));
  const plan = {
    created: [] as OutputFile[],
    updated: [] as OutputFile[],
    unchanged: [] as OutputFile[],
    kept: [] as OutputFile[],
  };
  const before = new Map<string, Pick<OutputFile, "text">>();
  const isInside = insideProject(root);
  const outside = (path: string): void =>
    void diagnostics.push(writeDiagnostics("outside-project", undefined, { path }));
  const update = (file: OutputFile, present: Pick<OutputFile, "text">): void => {
    plan.updated.push(file);
    before.set(file.path, present);
  };
  for (const file of files) {
    const { path, owner } = file;
    const known = standing.get(path);
    if (known?.owner === owner) {
      if (owner === "user") plan.kept.push(file);
      else if (hasSameText(known, file)) plan.unchanged.push(file);
      else if (isInside(path)) update(file, known);
      else outside(path);
      continue;
    }
    const digest = digestAt?.(path);
    if (digest !== undefined && (owner === "user" || digest === digestOfFile(file))) {
      (owner === "user" ? plan.kept : plan.unchanged).push(file);
      continue;
    }
    if (!isInside(path)) {
      outside(path);
      continue;
    }
    const text = readTextIfThere(join(root, path));
    if (text === undefined) plan.created.push(file);
    else if (owner === "user") plan.kept.push(file);
    else if (isSameText(text, file.text)) plan.unchanged.push(file);
    else if (isOurs(path, text, lastBuild())) update(file, { text });
    else diagnostics.push(writeDiagnostics("foreign-file", undefined, { path }));
  }
  // Where the last build made just these files, nothing else can be left of it.
  if (isSameBuild(files, standing)) return { value: { ...plan, deleted: [], before }, diagnostics };
  const leftovers = findLeftovers(files, lastBuild(), root, outDir, isInside);
  for (const [path, text] of leftovers.unedited) before.set(path, { text });
  diagnostics.push(...leftovers.edited.map((path) => writeDiagnostics("edited-leftover", undefined, { path })));
  diagnostics.push(...findAbandonedHandlers(files, plan.created, lastBuild(), root));
  return { value: { ...plan, deleted: [...leftovers.unedited.keys()], before }, diagnostics };
}

/** Whether the last build made just these files, each for the same owner. */
function isSameBuild(files: readonly OutputFile[], standing: ReadonlyMap<string, OutputFile>): boolean {
  return standing.size === files.length && files.every(({ path, owner }) => standing.get(path)?.owner === owner);
}

/** Whether hasp made what stands there: the last manifest lists it, or it says so itself. */
function isOurs(path: string, text: string, { outputs }: LastBuild): boolean {
  return outputs.has(path) || text.startsWith(headerMark) || path.endsWith("/manifest.json");
}

/** Files of the last build that no spec makes any longer. */
export function findLeftovers(
  files: readonly OutputFile[],
  { outputs }: LastBuild,
  root: string,
  outDir: string,
  isInside: (path: string) => boolean = insideProject(root),
): { readonly unedited: ReadonlyMap<string, string>; readonly edited: readonly string[] } {
  const made = new Set(files.map(({ path }) => path));
  const unedited = new Map<string, string>();
  const edited: string[] = [];
  for (const [path, digests] of outputs) {
    if (made.has(path) || !isOwnPlace(path, outDir) || !isInside(path)) continue;
    const present = readTextIfThere(join(root, path));
    if (present === undefined) continue;
    if (isUnedited(present, digests)) unedited.set(path, present);
    else edited.push(path);
  }
  return { unedited, edited };
}

/**
 * Does all of it, or undoes what was done and says what failed. The manifest is written aside before all else and put
 * in its place after all else: whoever comes after a build that was killed on the way finds both manifests, and knows
 * of every file whose it is.
 */
export function carryOut(plan: WritePlan, root: string, manifest: string): Diagnostic | undefined {
  const undo: (() => void)[] = [];
  let current = "";
  const putInPlace = (path: string, temporary: string): void => {
    current = path;
    const present = plan.before.get(path);
    renameSync(temporary, join(root, path));
    undo.push(() =>
      present === undefined ? removeQuietly(join(root, path)) : writeFileSync(join(root, path), present.text),
    );
  };
  const remove = (path: string): void => {
    current = path;
    const text = plan.before.get(path)?.text ?? "";
    unlinkSync(join(root, path));
    undo.push(() => writeFileSync(join(root, path), text));
  };
  const isManifest = (path: string): boolean => path === manifest;
  try {
    const aside = new Map<string, string>();
    const folders = new Set<string>();
    const files = [...plan.created, ...plan.updated];
    for (const file of [
      ...files.filter(({ path }) => isManifest(path)),
      ...files.filter(({ path }) => !isManifest(path)),
    ]) {
      const { path, owner } = file;
      current = path;
      const folder = dirname(join(root, path));
      if (!folders.has(folder)) makeFolders(folder, undo);
      folders.add(folder);
      if (owner === "user") continue;
      const temporary = placeAside(join(root, path));
      undo.push(() => removeQuietly(temporary));
      writePieces(temporary, piecesOf(file));
      aside.set(path, temporary);
    }
    for (const file of plan.created.filter(({ owner }) => owner === "user")) {
      current = file.path;
      makeUserFile(join(root, file.path), file.text, undo);
    }
    for (const [path, temporary] of aside) if (!isManifest(path)) putInPlace(path, temporary);
    for (const path of plan.deleted) if (!isManifest(path)) remove(path);
    const last = aside.get(manifest);
    if (last !== undefined) putInPlace(manifest, last);
    if (plan.deleted.includes(manifest)) remove(manifest);
  } catch (error) {
    for (const step of undo.toReversed()) quietly(step);
    return failureOf(error, root, current);
  }
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
    writeFileSync(path, text, { flag: "wx" });
    undo.push(() => removeQuietly(path));
  } catch (error) {
    // Somebody wrote it in the meantime: then it is theirs.
    if (errorCode(error) !== "EEXIST") throw error;
  }
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

function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // Undoing goes as far as it can; what failed first is what is reported.
  }
}

const noPermission: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);
const diskFull: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

function failureOf(error: unknown, root: string, path?: string): Diagnostic {
  const code = errorCode(error);
  if (code === undefined) throw error;
  const ownPath = error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : root;
  const place = path ?? (slashPath(root, ownPath) || ".");
  if (noPermission.has(code)) return writeDiagnostics("no-permission", undefined, { path: place });
  if (diskFull.has(code)) return writeDiagnostics("disk-full", undefined, { path: place });
  if (code === "EISDIR") return writeDiagnostics("not-a-file", undefined, { path: place });
  return writeDiagnostics("failed", undefined, { path: place, reason: code });
}
