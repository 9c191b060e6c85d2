import { join } from "node:path";
import type { Diagnostic, Found } from "../diagnostics/diagnostic.js";
import { takeBuildLock } from "./build-lock.js";
import { insideProject } from "./inside-project.js";
import { readLastBuild, readTextIfThere } from "./last-build.js";
import { writeDiagnostics } from "./output-diagnostics.js";
import { carryOut, emptyPlan, findLeftovers, type WriteOptions } from "./write-files.js";

/** What cleaning takes away, and what it leaves because somebody edited it. */
export interface CleanReport {
  readonly deleted: readonly string[];
  readonly kept: readonly string[];
}

/**
 * Deletes what the last build made and nobody has edited since: all of it, or nothing. The manifest goes with the rest;
 * as long as an edited file stays, it stays too, for it alone knows what hasp had made of that file.
 */
export async function cleanFiles({ root, outDir, isDryRun = false }: WriteOptions): Promise<Found<CleanReport>> {
  const path = `${outDir}/manifest.json`;
  const { unedited, edited } = findLeftovers([], readLastBuild(root, path), root, outDir);
  const manifest = edited.length > 0 || !insideProject(root)(path) ? undefined : readTextIfThere(join(root, path));
  const before = new Map([
    ...unedited,
    ...(manifest === undefined || !isManifest(manifest) ? [] : [[path, manifest] as const]),
  ]);
  const report: CleanReport = { deleted: [...before.keys()].toSorted(), kept: edited };
  if (isDryRun || before.size === 0) return { value: report, diagnostics: [] };

  const refused = (diagnostic: Diagnostic): Found<CleanReport> => ({
    value: { deleted: [], kept: edited },
    diagnostics: [diagnostic],
  });
  const lock = await takeBuildLock(root);
  if ("heldBy" in lock) return refused(writeDiagnostics("locked", undefined, { process: lock.heldBy }));
  try {
    const failure = carryOut(
      {
        ...emptyPlan,
        deleted: report.deleted,
        before: new Map(Array.from(before, ([each, text]) => [each, { text }])),
      },
      root,
    );
    return failure === undefined ? { value: report, diagnostics: [] } : refused(failure);
  } finally {
    lock.release();
  }
}

/** Whether a text says of itself that it is a manifest of ours; what else is called so is not ours to delete. */
function isManifest(text: string): boolean {
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
