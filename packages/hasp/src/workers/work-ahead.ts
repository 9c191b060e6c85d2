import { availableParallelism } from "node:os";
import type { RecordBook } from "../cache/record-book.js";
import type { ProjectFiles } from "../host/project/project-files.js";
import type { SourceText } from "../model/document.js";
import { portionsOf, type SharedWork, workOnPortions } from "./portions.js";

/**
 * With fewer new specs for each, a helper would cost more than it saves: it must load the compiler and get as fast as the
 * first thread is already. On two processors that takes about a second of one.
 */
const SPECS_A_HELPER = 400;
/** Each holds a part of the project in memory. */
const MOST_HELPERS = 3;

/** How many threads are to help with so many new specs on this machine. */
export function helpersFor(specs: number): number {
  return Math.max(0, Math.min(availableParallelism() - 1, MOST_HELPERS, Math.floor(specs / SPECS_A_HELPER)));
}

/**
 * Does the work on specs that can be done on each by itself, together with threads that help, so that `compile` finds it
 * done in the records. Does nothing where no helper would pay. Gives the shared files that were read on the way, by
 * path. Whatever becomes of a helper, nothing is lost but time.
 */
export async function workAhead(
  { specs: all, ...work }: Omit<SharedWork, "taken">,
  files: ProjectFiles,
  records: RecordBook,
  helpersOn: (specs: number) => number = helpersFor,
): Promise<ReadonlyMap<string, SourceText>> {
  const shared = new Map<string, SourceText>();
  const specs = all.filter((spec) => !records.knows(spec));
  const count = helpersOn(specs.length);
  if (count === 0) return shared;
  const shares: SharedWork = { ...work, specs, taken: new Int32Array(new SharedArrayBuffer(4)) };
  // Most runs start none, and need not load what threads need.
  const { startHelpers } = await import("./helpers.js");
  const helpers = startHelpers(count, shares);
  const own = await workOnPortions(shares, files, shared, () => records);
  for (const packed of await helpers.resultsOf(portionsOf(specs) - own)) records.add(packed);
  return shared;
}
