import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { headerMark } from "@hasp/builtin";
import type { Diagnostic, Found } from "@hasp/base/diagnostics";
import type { OutputFile } from "@hasp/compiler";
import { once } from "@hasp/base/json";
import { findConflict } from "@hasp/compiler/source";
import { findDetours } from "../fs/detours.js";
import { createInsideCheck } from "../fs/read-inside.js";
import { reportLinks, writeDiagnostics } from "./output-diagnostics.js";
import {
  readHandlers,
  isSameText,
  isUnedited,
  type PreviousManifest,
  readPreviousManifest,
  readTextIfThere,
} from "./previous-manifest.js";

/**
 * Finds files of the previous build that no spec makes now: unedited ones, and the others. Files that depend on several
 * tools count as unedited: nothing could tell an edit from a merge.
 */
export function findStaleOutputs(
  files: readonly OutputFile[],
  { outputs, shared, merged }: PreviousManifest,
  root: string,
  outDir: string,
  isInside: (path: string) => boolean = createInsideCheck(root),
): { readonly unedited: readonly string[]; readonly edited: readonly string[] } {
  const made = new Set(files.map(({ path }) => path));
  const unedited: string[] = [];
  const edited: string[] = [];
  for (const path of new Set([...outputs.keys(), ...shared])) {
    if (made.has(path) || !isGeneratedPath(path, outDir) || !isInside(path)) continue;
    const present = readTextIfThere(join(root, path));
    if (present === undefined) continue;
    // A merged generated file holds no edits of its own: Git has both sides.
    const isMerged = merged.has(path) || findConflict(present) !== undefined;
    if (isMerged || shared.has(path) || isUnedited(present, outputs.get(path))) unedited.push(path);
    else edited.push(path);
  }
  return { unedited, edited };
}

/** True for a path in hasp's own folder. A manifest may be edited, so it is obeyed only there. */
export function isGeneratedPath(path: string, outDir: string): boolean {
  return path.startsWith(`${outDir}/`) && !path.split("/").includes("..");
}

export interface WriteOptions {
  readonly root: string;
  /** The folder that belongs to hasp; only there is anything ever deleted. */
  readonly outDir: string;
  readonly handlersDir?: string;
  /** Tools that were left out: their handlers are not orphaned. */
  readonly excluded?: readonly string[];
  readonly isDryRun?: boolean;
}

export interface WritePlan {
  readonly created: readonly OutputFile[];
  readonly updated: readonly OutputFile[];
  readonly unchanged: readonly OutputFile[];
  readonly kept: readonly OutputFile[];
  readonly deleted: readonly string[];
}

export const emptyPlan: WritePlan = {
  created: [],
  updated: [],
  unchanged: [],
  kept: [],
  deleted: [],
};

export function changesAnything({ created, updated, deleted }: WritePlan): boolean {
  return created.length + updated.length + deleted.length > 0;
}

/** Decides about each file of this build and of the last one. Writes nothing. Throws if a place cannot be read. */
export function planWrites(files: readonly OutputFile[], options: WriteOptions): Found<WritePlan> {
  const { root, outDir } = options;
  const linked = reportLinks(findDetours(root, outDir));
  if (linked.length > 0) return { value: emptyPlan, diagnostics: linked };
  const previous = once(() => readPreviousManifest(root, `${outDir}/manifest.json`));
  const isInside = createInsideCheck(root);
  const diagnostics: Diagnostic[] = [];
  const plan = {
    created: [] as OutputFile[],
    updated: [] as OutputFile[],
    unchanged: [] as OutputFile[],
    kept: [] as OutputFile[],
  };
  for (const file of files) {
    const decision = decideWrite(file, options, isInside, previous);
    if (decision.kind === "refused") diagnostics.push(writeDiagnostics(decision.code, undefined, { path: file.path }));
    else plan[decision.kind].push(file);
  }
  const stale = findStaleOutputs(files, previous(), root, outDir, isInside);
  diagnostics.push(...stale.edited.map((path) => writeDiagnostics("edited-leftover", undefined, { path })));
  diagnostics.push(...findOrphanedHandlers(files, plan.created, previous(), options));
  return { value: { ...plan, deleted: stale.unedited }, diagnostics };
}

type WriteDecision =
  | { readonly kind: "created" | "updated" | "unchanged" | "kept" }
  | { readonly kind: "refused"; readonly code: "outside-project" | "foreign-file" };

const CREATED: WriteDecision = { kind: "created" };
const UPDATED: WriteDecision = { kind: "updated" };
const UNCHANGED: WriteDecision = { kind: "unchanged" };
const KEPT: WriteDecision = { kind: "kept" };
const OUTSIDE: WriteDecision = { kind: "refused", code: "outside-project" };
const FOREIGN: WriteDecision = { kind: "refused", code: "foreign-file" };

function decideWrite(
  file: OutputFile,
  { root }: WriteOptions,
  isInside: (path: string) => boolean,
  previous: () => PreviousManifest,
): WriteDecision {
  const { path, owner } = file;
  if (!isInside(path)) return OUTSIDE;
  const text = readTextIfThere(join(root, path));
  if (text === undefined) return CREATED;
  if (owner === "user") return KEPT;
  if (isSameText(text, file.text)) return UNCHANGED;
  return isOurs(path, text, previous()) ? UPDATED : FOREIGN;
}

/** True if hasp wrote this file: the last manifest lists it, or the file says so. */
function isOurs(path: string, text: string, { outputs, shared }: PreviousManifest): boolean {
  return outputs.has(path) || shared.has(path) || startsWithHeader(text) || path.endsWith("/manifest.json");
}

/** True if a module says that hasp wrote it; a merge conflict may begin above that line. */
function startsWithHeader(text: string): boolean {
  const start = findConflict(text) === 0 ? text.indexOf("\n") + 1 : 0;
  return text.startsWith(headerMark, start);
}

function listPaths(files: readonly OutputFile[], of: OutputFile["owner"]): ReadonlySet<string> {
  return new Set(files.filter(({ owner }) => owner === of).map(({ path }) => path));
}

/**
 * Finds handlers that no longer belong to their tools since the last build. Only the author knows if a tool was renamed
 * or dropped: nothing is moved or deleted, and the finding covers both cases. `created` are this build's new files; a
 * stub among them that takes the place of a handler is reported as well.
 */
function findOrphanedHandlers(
  files: readonly OutputFile[],
  created: readonly OutputFile[],
  { handlers }: PreviousManifest,
  { root, outDir, handlersDir, excluded = [] }: Pick<WriteOptions, "root" | "outDir" | "handlersDir" | "excluded">,
): readonly Diagnostic[] {
  const wanted = listPaths(files, "user");
  const stubs = listPaths(created, "user");
  const current = readHandlers(files.find(({ path }) => path === `${outDir}/manifest.json`)?.text ?? "");
  const [stub] = stubs;
  const anywhere = stubs.size === 1 && stub !== undefined ? stub : "the new tool's handler";
  const generated = listPaths(files, "hasp");
  const unused = [...current].flatMap(([tool, path]) => {
    const own = `${handlersDir ?? ""}/${basename(path)}`;
    return handlersDir !== undefined && generated.has(path) && existsSync(join(root, own)) ? [{ tool, path: own }] : [];
  });
  const reported = new Set(unused.map(({ path }) => path));
  const orphaned = [...handlers].flatMap(([tool, path]) => {
    if (reported.has(path) || excluded.includes(tool) || path.split("/").includes("..")) return [];
    if (stubs.has(path)) return [writeDiagnostics("handler-replaced", undefined, { path, tool })];
    if (wanted.has(path) || generated.has(path) || !existsSync(join(root, path))) return [];
    const target = current.get(tool);
    return target === undefined
      ? [writeDiagnostics("handler-without-tool", undefined, { path, tool, target: anywhere })]
      : [writeDiagnostics("handler-moved", undefined, { path, tool, target })];
  });
  return [
    ...unused.map((each) => writeDiagnostics("handler-unused", undefined, each, { tool: each.tool })),
    ...orphaned,
  ];
}
