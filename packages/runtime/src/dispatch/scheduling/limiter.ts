import { cut } from "../../results/text.js";
import { aCount } from "../../tool/shape.js";
import { withTimeout, type Stoppable } from "./with-timeout.js";

const DEFAULT_CONCURRENCY = 10;

/** Returns the environment of the process, if there is one: edge workers may have none. */
export function environment(): { readonly [name: string]: string | undefined } | undefined {
  const { process } = globalThis as { process?: { env?: { readonly [name: string]: string | undefined } } };
  return process?.env;
}

/**
 * Reads `HASP_MAX_CONCURRENCY`; 10 if it is unset or empty. A value that is not a whole number above 0 is reported, and
 * calls then run one by one.
 */
export function readConcurrency(
  env: { readonly [name: string]: string | undefined } | undefined,
  report: (message: string) => void,
): number {
  const text = env?.["HASP_MAX_CONCURRENCY"];
  if (text === undefined || text === "") return DEFAULT_CONCURRENCY;
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (aCount.fits(number)) return number;
  report(`HASP_MAX_CONCURRENCY must be a whole number above 0, not "${cut(String(text), 40)}": calls run one by one.`);
  return 1;
}

/** Lets a limited number of calls run at once, first come, first served. */
export interface Limiter {
  /** Returns `undefined` if a place is free, or else a promise of one. A caller that gives up must still release it. */
  acquire(): Promise<void> | undefined;
  release(): void;
}

export function createLimiter(size: number): Limiter {
  let line: (() => void)[] = [];
  // Served by position: shifting an array of thousands would move all the others.
  let served = 0;
  let taken = 0;
  return {
    acquire() {
      if (taken < size) {
        taken += 1;
        return undefined;
      }
      return new Promise((resolve) => line.push(resolve));
    },
    release() {
      const next = line[served];
      if (next === undefined) {
        taken -= 1;
        return;
      }
      served += 1;
      if (served === line.length) {
        line = [];
        served = 0;
      }
      next();
    },
  };
}

/** Runs a function as soon as a place is free. Rejects as the function does, or when the turn stops first. */
export async function withinLimit<Value>(
  limiter: Limiter,
  turn: Stoppable,
  act: () => Value | Promise<Value>,
): Promise<Value> {
  const free = limiter.acquire();
  if (free !== undefined) await waitForPlace(limiter, free, turn);
  try {
    return await act();
  } finally {
    limiter.release();
  }
}

/** Waits for a requested place. Gives it back if the turn stops first. */
export async function waitForPlace(limiter: Limiter, free: Promise<void>, turn: Stoppable): Promise<void> {
  try {
    await withTimeout(free, { turn });
  } catch (error) {
    void free.then(limiter.release);
    throw error;
  }
}
