import { runInThisContext } from "node:vm";

const place = globalThis as { haspBoundedWork?: () => unknown };

/** Runs synchronous work, and throws if it is not done in time, so that a hang is a failure and not a hung test. */
export function bounded<Result>(milliseconds: number, work: () => Result): Result {
  place.haspBoundedWork = work;
  return runInThisContext("globalThis.haspBoundedWork()", { timeout: milliseconds }) as Result;
}
