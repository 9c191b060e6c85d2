import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { RecordBook } from "../cache/record-book.js";
import { ownFile } from "../io/own-package.js";
import type { ProjectFiles } from "../io/project-files.js";
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
  const helpers = startHelpers(count, shares);
  const own = await workOnPortions(shares, files, shared, () => records);
  for (const packed of await helpers.resultsOf(portionsOf(specs) - own)) records.add(packed);
  return shared;
}

interface Helpers {
  /** The records of so many portions, or of fewer if a helper failed; then the helpers are ended. */
  resultsOf(portions: number): Promise<readonly Buffer[]>;
}

function startHelpers(count: number, workerData: SharedWork): Helpers {
  const results: Buffer[] = [];
  let wanted = Number.POSITIVE_INFINITY;
  const workers = Array.from({ length: count }).flatMap(() => newHelper(workerData) ?? []);
  let running = workers.length;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const endIfDone = (): void => {
    if (running === 0 || results.length >= wanted) end();
  };
  for (const worker of workers) {
    worker.on("message", (records: Uint8Array<ArrayBuffer>) => {
      results.push(Buffer.from(records.buffer));
      endIfDone();
    });
    // What it took and did not finish is done by `compile`.
    worker.on("error", () => undefined);
    worker.on("exit", () => {
      running -= 1;
      endIfDone();
    });
  }
  return {
    async resultsOf(portions) {
      wanted = portions;
      endIfDone();
      await ended;
      for (const worker of workers) void worker.terminate();
      return results;
    },
  };
}

/** `undefined` where no thread can be had, as in a process that Node does not allow any: then the others do the work. */
function newHelper(workerData: SharedWork): Worker | undefined {
  try {
    // Options of this process's command line are for it alone. What stands in `NODE_OPTIONS` is run in there, too: some
    // package managers have packages found by it. But what that prints would stand among the findings.
    const options = { workerData, execArgv: [], stdout: true, stderr: true };
    return new Worker(ownFile("dist/workers/portion-worker.js"), options);
  } catch {
    return undefined;
  }
}
