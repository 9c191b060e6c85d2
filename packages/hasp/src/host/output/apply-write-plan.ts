import { mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { piecesOf } from "../../model/output.js";
import { errorCode } from "../fs/error-code.js";
import type { WritePlan } from "./plan-writes.js";
import { letGoLater } from "./let-go-later.js";
import { removeEmptyFolders } from "./remove-empty-folders.js";
import { removeQuietly } from "../fs/remove-quietly.js";
import { failureOf } from "./write-failure.js";
import { writePieces } from "../fs/write-pieces.js";
import { placeAside } from "./temp-files.js";

/** A file of more pieces is large. */
const MANY_PIECES = 100;

/**
 * Does all that a plan says, or undoes what was done and says what failed. The manifest is written aside before all else
 * and put in its place after all else: whoever comes after a build that was killed on the way finds both manifests, and
 * knows of every file whose it is.
 */
export function carryOut(plan: WritePlan, root: string, manifest: string): Diagnostic | undefined {
  const undo: (() => void)[] = [];
  const letGo: (() => void)[] = [];
  let current = "";
  const putInPlace = (path: string, { temporary, isLarge }: Aside): void => {
    current = path;
    const present = plan.before.get(path);
    if (present !== undefined && isLarge) letGo.push(letGoLater(join(root, path)));
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
    const aside = new Map<string, Aside>();
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
      aside.set(path, { temporary, isLarge: piecesOf(file).length > MANY_PIECES });
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
  } finally {
    for (const each of letGo) each();
  }
  for (const path of plan.deleted) removeEmptyFolders(dirname(join(root, path)), root);
  return undefined;
}

/** A file that was written under another name. */
interface Aside {
  readonly temporary: string;
  readonly isLarge: boolean;
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

function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // Undoing goes as far as it can; what failed first is what is reported.
  }
}
