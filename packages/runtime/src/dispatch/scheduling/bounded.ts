import { LONGEST_TIMER, type StopCause } from "./stop.js";

/** Rejects a wait that lasted longer than it may. */
class TookTooLong extends Error {
  constructor(milliseconds: number) {
    super(`it took longer than ${milliseconds / 1000} s`);
  }
}

/** Rejects a wait because its turn was stopped. */
export class Stopped extends Error {
  readonly stop: StopCause;

  constructor(stop: StopCause) {
    super(stop.message);
    this.stop = stop;
  }
}

/** Something that a wait can be ended by, without one listener a wait on anybody's signal. */
export interface Stoppable {
  readonly stopped: StopCause | undefined;
  readonly onStop: Set<(cause: StopCause) => void>;
}

/** For waits that no turn ends, only time. */
export const NEVER_STOPPED: Stoppable = Object.freeze({
  stopped: undefined,
  onStop: new Set<(cause: StopCause) => void>(),
});

/** Whether a value must be waited for. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}

/** How long a wait may last: without end, unless something is said. */
export interface Bounds {
  readonly milliseconds?: number;
  /** How long the wait goes on after a stop; default: it ends with it. */
  readonly graceMs?: number;
}

/** The value of a promise, unless its turn stops or its time ends before; the promise itself is then left to itself. */
export function bounded<Value>(
  pending: PromiseLike<Value>,
  stoppable: Stoppable,
  { milliseconds = Infinity, graceMs = 0 }: Bounds = {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer =
      milliseconds > LONGEST_TIMER ? undefined : setTimeout(() => fail(new TookTooLong(milliseconds)), milliseconds);
    const done = (): void => {
      clearTimeout(timer);
      stoppable.onStop.delete(stop);
    };
    const fail = (error: unknown): void => {
      done();
      reject(error);
    };
    const stop = (cause: StopCause): void => {
      if (graceMs === 0) return fail(new Stopped(cause));
      clearTimeout(timer);
      timer = setTimeout(() => fail(new Stopped(cause)), graceMs);
    };
    Promise.resolve(pending).then((value) => {
      done();
      resolve(value);
    }, fail);
    if (stoppable.stopped === undefined) stoppable.onStop.add(stop);
    else stop(stoppable.stopped);
  });
}
