import { Worker } from "node:worker_threads";
import { ownFile } from "../host/installation/own-package.js";
import type { SharedWork } from "./portions.js";

/** Threads that work on portions. */
export interface Helpers {
  /** The records of so many portions, or of fewer if a helper failed; then the helpers are ended. */
  resultsOf(portions: number): Promise<readonly Buffer[]>;
}

/** Starts so many helpers, or as many as can be had. Whatever becomes of one, the others go on. */
export function startHelpers(count: number, workerData: SharedWork): Helpers {
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
