import { join } from "node:path";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import { digestOfFile } from "../../emitters/digest.js";
import { headerMark } from "../../emitters/header.js";
import { once } from "../../model/memory.js";
import { hasSameText, type OutputFile } from "../../model/output.js";
import { findAbandonedHandlers } from "./orphaned-handlers.js";
import { findLeftovers } from "./stale-outputs.js";
import { insideProject } from "../fs/inside-project.js";
import { isSameText, type LastBuild, readLastBuild, readTextIfThere } from "./previous-manifest.js";
import { writeDiagnostics } from "./output-diagnostics.js";

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

/** Whether a plan makes, changes or deletes any file. */
export function changesAnything({ created, updated, deleted }: WritePlan): boolean {
  return created.length + updated.length + deleted.length > 0;
}

/**
 * Settles what becomes of each file of a build, and of what the last one left. Reads, and writes nothing. Throws what
 * the system says of a place that cannot be read.
 */
export function planWrites(files: readonly OutputFile[], options: WriteOptions): Found<WritePlan> {
  const { root, outDir, standing = new Map() } = options;
  const lastBuild = once(() => readLastBuild(root, `${outDir}/manifest.json`));
  const isInside = insideProject(root);
  const diagnostics: Diagnostic[] = [];
  const plan = {
    created: [] as OutputFile[],
    updated: [] as OutputFile[],
    unchanged: [] as OutputFile[],
    kept: [] as OutputFile[],
  };
  const before = new Map<string, Pick<OutputFile, "text">>();
  for (const file of files) {
    const fate = fateOf(file, options, isInside, lastBuild);
    if (fate.kind === "refused") diagnostics.push(writeDiagnostics(fate.code, undefined, { path: file.path }));
    else plan[fate.kind].push(file);
    if (fate.kind === "updated") before.set(file.path, fate.present);
  }
  // Where the last build made just these files, nothing else can be left of it.
  if (isSameBuild(files, standing)) return { value: { ...plan, deleted: [], before }, diagnostics };
  const leftovers = findLeftovers(files, lastBuild(), root, outDir, isInside);
  for (const [path, text] of leftovers.unedited) before.set(path, { text });
  diagnostics.push(...leftovers.edited.map((path) => writeDiagnostics("edited-leftover", undefined, { path })));
  diagnostics.push(...findAbandonedHandlers(files, plan.created, lastBuild(), root));
  return { value: { ...plan, deleted: [...leftovers.unedited.keys()], before }, diagnostics };
}

/** What becomes of one file. */
type Fate =
  | { readonly kind: "created" | "unchanged" | "kept" }
  | { readonly kind: "updated"; readonly present: Pick<OutputFile, "text"> }
  | { readonly kind: "refused"; readonly code: "outside-project" | "foreign-file" };

const CREATED: Fate = { kind: "created" };
const UNCHANGED: Fate = { kind: "unchanged" };
const KEPT: Fate = { kind: "kept" };
const OUTSIDE: Fate = { kind: "refused", code: "outside-project" };
const FOREIGN: Fate = { kind: "refused", code: "foreign-file" };

/** What is known to stand there is asked first, and a file is read only where nobody knows. */
function fateOf(
  file: OutputFile,
  { root, standing, digestAt }: WriteOptions,
  isInside: (path: string) => boolean,
  lastBuild: () => LastBuild,
): Fate {
  const { path, owner } = file;
  const known = standing?.get(path);
  if (known?.owner === owner) {
    if (owner === "user") return KEPT;
    if (hasSameText(known, file)) return UNCHANGED;
    return isInside(path) ? { kind: "updated", present: known } : OUTSIDE;
  }
  const digest = digestAt?.(path);
  if (digest !== undefined && owner === "user") return KEPT;
  if (digest !== undefined && digest === digestOfFile(file)) return UNCHANGED;
  if (!isInside(path)) return OUTSIDE;
  const text = readTextIfThere(join(root, path));
  if (text === undefined) return CREATED;
  if (owner === "user") return KEPT;
  if (isSameText(text, file.text)) return UNCHANGED;
  return isOurs(path, text, lastBuild()) ? { kind: "updated", present: { text } } : FOREIGN;
}

/** Whether the last build made just these files, each for the same owner. */
function isSameBuild(files: readonly OutputFile[], standing: ReadonlyMap<string, OutputFile>): boolean {
  return standing.size === files.length && files.every(({ path, owner }) => standing.get(path)?.owner === owner);
}

/** Whether hasp made what stands there: the last manifest lists it, or it says so itself. */
function isOurs(path: string, text: string, { outputs }: LastBuild): boolean {
  return outputs.has(path) || text.startsWith(headerMark) || path.endsWith("/manifest.json");
}
