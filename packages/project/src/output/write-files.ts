import type { Found } from "../../../compiler/src/diagnostics/diagnostic.js";
import { hasErrors } from "../../../compiler/src/diagnostics/severity.js";
import type { OutputFile } from "../../../compiler/src/model/output.js";
import { takeBuildLock } from "./build-lock.js";
import { applyWritePlan } from "./apply-write-plan.js";
import { changesAnything, emptyPlan, planWrites, type WriteOptions, type WritePlan } from "./plan-writes.js";
import { foldersToTidy, removeTempFiles } from "./temp-files.js";
import { failureOf } from "./write-failure.js";

/** What happened to the files, each list sorted by path. */
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
    const tidied = foldersToTidy(files, planned.value, root, outDir);
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
  // Loaded only when a stub is made: prettier costs more than the whole of a small build.
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
    return { value: emptyPlan, diagnostics: [failureOf(error, root)] };
  }
}
