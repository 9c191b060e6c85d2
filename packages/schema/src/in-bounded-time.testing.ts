import { runInThisContext } from "node:vm";

const shared = globalThis as { haspBoundedWork?: () => unknown };

/** The time after which work counts as hanging: far more than any takes, and within a test's time limit. */
const HANGING_MS = 30_000;

/**
 * Runs synchronous work that must end on hostile input, and throws if it does not, so that a hang is a failure and not a
 * hung test. It says nothing about speed, which the benchmarks measure.
 */
export function inBoundedTime<Result>(work: () => Result): Result {
  shared.haspBoundedWork = work;
  return runInThisContext("globalThis.haspBoundedWork()", { timeout: HANGING_MS }) as Result;
}
