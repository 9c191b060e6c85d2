import { type Found, hasErrors } from "@hasp/base/diagnostics";
import type { OutputFile } from "@hasp/compiler";
import { takeBuildLock } from "./build-lock.js";
import { applyWritePlan, describeFailure, listFoldersToTidy, removeTempFiles } from "./apply-write-plan.js";
import { changesAnything, emptyPlan, planWrites, type WriteOptions, type WritePlan } from "./plan-writes.js";

/** The outcome of a build's writes, each list sorted by path. */
export interface WriteReport {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly unchanged: readonly string[];
  readonly deleted: readonly string[];
  /** Files of the user's that existed already. */
  readonly kept: readonly string[];
}

const nothing: WriteReport = reportOf(emptyPlan);

/**
 * Writes the files of a build: all or none, each atomically (written aside, then renamed), and only those that changed.
 * The user's files are created once and never touched again; a file that no spec makes any longer is deleted if hasp
 * made it and nobody edited it.
 */
export async function writeFiles(files: readonly OutputFile[], options: WriteOptions): Promise<Found<WriteReport>> {
  const { root, outDir } = options;
  if (options.isDryRun === true) {
    const planned = orDiagnostic(() => planWrites(files, options), root);
    return { value: reportOf(planned.value), diagnostics: planned.diagnostics };
  }
  // Another build's writes would invalidate the plan.
  const lock = await takeBuildLock(root);
  if ("problem" in lock) return { value: nothing, diagnostics: [lock.problem] };
  try {
    const planned = orDiagnostic(() => planWrites(files, options), root);
    const { diagnostics } = planned;
    if (hasErrors(diagnostics)) return { value: nothing, diagnostics };
    const manifest = `${outDir}/manifest.json`;
    const tidied = listFoldersToTidy(files, planned.value, root, outDir);
    if (!changesAnything(planned.value) && tidied.length === 0) return { value: reportOf(planned.value), diagnostics };
    const created = await withUsersFormat(planned.value.created, root);
    const failure = applyWritePlan({ ...planned.value, created }, root, manifest);
    if (failure !== undefined) return { value: nothing, diagnostics: [...diagnostics, failure] };
    removeTempFiles(tidied, root);
    return { value: reportOf(planned.value), diagnostics };
  } finally {
    lock.release();
  }
}

async function withUsersFormat(files: readonly OutputFile[], root: string): Promise<readonly OutputFile[]> {
  const users = files.filter(({ owner }) => owner === "user");
  if (users.length === 0) return files;
  // Loaded only to create a stub: prettier costs more than the whole of a small build.
  const { formatUserFiles } = await import("./format-user-file.js");
  return [...files.filter(({ owner }) => owner === "hasp"), ...(await formatUserFiles(users, root))];
}

function reportOf({ created, updated, unchanged, deleted, kept }: WritePlan): WriteReport {
  const paths = (files: readonly OutputFile[]): readonly string[] => files.map(({ path }) => path);
  return { created: paths(created), updated: paths(updated), unchanged: paths(unchanged), deleted, kept: paths(kept) };
}

function orDiagnostic(plan: () => Found<WritePlan>, root: string): Found<WritePlan> {
  try {
    return plan();
  } catch (error) {
    return { value: emptyPlan, diagnostics: [describeFailure(error, root)] };
  }
}
