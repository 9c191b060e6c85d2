import { cut } from "../../results/text.js";
import { aCount } from "../../tool/shape.js";
import { type StopCause, Stopped, type Stoppable } from "./with-timeout.js";

const DEFAULT_CONCURRENCY = 10;

/** Returns the environment of the process, if there is one: edge workers may have none. */
export function readEnvironment(): { readonly [name: string]: string | undefined } | undefined {
  const { process } = globalThis as { process?: { env?: { readonly [name: string]: string | undefined } } };
  return process?.env;
}

/** Reads `HASP_MAX_CONCURRENCY`, default 10. Reports a malformed value; calls then run one by one. */
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

export interface Limiter {
  readonly size: number;
  acquireAtOnce(): boolean;
  /** Returns `undefined` if a place is free, or else a promise of one. It rejects with {@link Stopped} if the turn stops. */
  acquire(turn: Stoppable): Promise<void> | undefined;
  release(): void;
}

interface Waiting {
  isOver: boolean;
  readonly grant: () => void;
}

export function createLimiter(size: number): Limiter {
  let line: (Waiting | undefined)[] = [];
  // Served by position: shifting an array of thousands would move all the others.
  let served = 0;
  let taken = 0;

  function nextInLine(): Waiting | undefined {
    while (served < line.length) {
      const next = line[served];
      line[served] = undefined;
      served += 1;
      if (next?.isOver === false) return next;
    }
    if (served > 0) line = [];
    served = 0;
    return undefined;
  }

  function acquireAtOnce(): boolean {
    if (taken >= size) return false;
    taken += 1;
    return true;
  }

  return {
    size,
    acquireAtOnce,
    acquire(turn) {
      if (acquireAtOnce()) return undefined;
      return new Promise((resolve, reject) => {
        const waiting: Waiting = {
          isOver: false,
          grant() {
            turn.onStop.delete(stop);
            resolve();
          },
        };
        const stop = (cause: StopCause): void => {
          waiting.isOver = true;
          turn.onStop.delete(stop);
          reject(new Stopped(cause));
        };
        if (turn.stopped !== undefined) return stop(turn.stopped);
        turn.onStop.add(stop);
        line.push(waiting);
      });
    },
    release() {
      const next = nextInLine();
      if (next === undefined) taken -= 1;
      else next.grant();
    },
  };
}

export async function runWithinLimit<Value>(
  limiter: Limiter,
  turn: Stoppable,
  act: () => Value | Promise<Value>,
): Promise<Value> {
  const free = limiter.acquire(turn);
  if (free !== undefined) await free;
  try {
    return await act();
  } finally {
    limiter.release();
  }
}

/** Counts executions in a dispatcher, or inside one handler, so that a call can tell whether it ran alone. */
export class Activity {
  readonly #outer: Activity | undefined;
  #active = 0;
  #started = 0;

  /** `outer` is the activity around the handler, inside which this one runs. */
  constructor(outer?: Activity) {
    this.#outer = outer;
  }

  /** Records the start of an execution. Returns a number for {@link end}. */
  start(): number {
    const wasAlone = this.#isAlone(0);
    this.#active += 1;
    this.#started += 1;
    return wasAlone ? this.#starts() : 0;
  }

  /** Records the end of an execution. Returns true if others overlapped. */
  end(started: number): boolean {
    this.#active -= 1;
    return this.#starts() !== started;
  }

  /** True if only `own` executions run here, and only the enclosing handlers run outside. */
  #isAlone(own: number): boolean {
    return this.#active === own && (this.#outer === undefined || this.#outer.#isAlone(1));
  }

  #starts(): number {
    return this.#outer === undefined ? this.#started : this.#started + this.#outer.#starts();
  }
}
