import { join } from "node:path";
import type { Found } from "@hasp/base/diagnostics";
import { takeBuildLock } from "./build-lock.js";
import { applyWritePlan, listFoldersToTidy, removeTempFiles } from "./apply-write-plan.js";
import { emptyPlan, findStaleOutputs, type WriteOptions, type WritePlan } from "./plan-writes.js";
import { findDetours } from "../fs/detours.js";
import { createInsideCheck } from "../fs/read-inside.js";
import { reportLinks } from "./output-diagnostics.js";
import { readPreviousManifest, readTextIfThere } from "./previous-manifest.js";

interface CleanReport {
  readonly deleted: readonly string[];
  readonly kept: readonly string[];
}

/**
 * Deletes the unedited files of the last build: all of them, or none. The manifest is deleted too, unless an edited
 * file stays: it alone knows hasp's version of that file.
 */
export async function cleanFiles(options: WriteOptions): Promise<Found<CleanReport>> {
  const { root, outDir } = options;
  const linked = reportLinks(findDetours(root, outDir));
  if (linked.length > 0) return { value: { deleted: [], kept: [] }, diagnostics: linked };
  if (options.isDryRun === true) return { value: planClean(options).report, diagnostics: [] };
  const lock = await takeBuildLock(root);
  if ("problem" in lock) return { value: { deleted: [], kept: [] }, diagnostics: [lock.problem] };
  try {
    const { report, plan } = planClean(options);
    const tidied = listFoldersToTidy([], plan, root, outDir);
    const failure = applyWritePlan(plan, root, `${outDir}/manifest.json`);
    if (failure !== undefined) return { value: { deleted: [], kept: report.kept }, diagnostics: [failure] };
    removeTempFiles(tidied, root);
    return { value: report, diagnostics: [] };
  } finally {
    lock.release();
  }
}

function planClean({ root, outDir }: WriteOptions): { readonly report: CleanReport; readonly plan: WritePlan } {
  const path = `${outDir}/manifest.json`;
  const { unedited, edited } = findStaleOutputs([], readPreviousManifest(root, path), root, outDir);
  const manifest = edited.length > 0 || !createInsideCheck(root)(path) ? undefined : readTextIfThere(join(root, path));
  const deleted = [...unedited, ...(manifest !== undefined && isManifest(manifest) ? [path] : [])].toSorted();
  return { report: { deleted, kept: edited }, plan: { ...emptyPlan, deleted } };
}

/** True for hasp's own manifest; any other file of that name is not hasp's to delete. */
function isManifest(text: string): boolean {
  if (/^[ \t]*"hasp": 1,\r?$/mu.test(text) && /^[ \t]*"outputs": \{\r?$/mu.test(text)) return true;
  try {
    const manifest: unknown = JSON.parse(text);
    return (
      typeof manifest === "object" &&
      manifest !== null &&
      "hasp" in manifest &&
      manifest.hasp === 1 &&
      "outputs" in manifest
    );
  } catch {
    return false;
  }
}
