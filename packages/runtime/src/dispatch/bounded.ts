import type { StopCause } from "./stop.js";

/** Rejects a wait that lasted longer than it may. */
export class TookTooLong extends Error {
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

/** The value of a promise, unless its turn stops or its time ends before; the promise itself is then left to itself. */
export function bounded<Value>(
  pending: PromiseLike<Value>,
  stoppable: Stoppable,
  milliseconds?: number,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (stoppable.stopped !== undefined) {
      reject(new Stopped(stoppable.stopped));
      Promise.resolve(pending).catch(() => undefined);
      return;
    }
    const timer =
      milliseconds === undefined
        ? undefined
        : setTimeout(() => {
            stoppable.onStop.delete(stop);
            reject(new TookTooLong(milliseconds));
          }, milliseconds);
    const stop = (cause: StopCause): void => {
      clearTimeout(timer);
      stoppable.onStop.delete(stop);
      reject(new Stopped(cause));
    };
    stoppable.onStop.add(stop);
    const done = (): void => {
      clearTimeout(timer);
      stoppable.onStop.delete(stop);
    };
    Promise.resolve(pending).then(
      (value) => {
        done();
        resolve(value);
      },
      (error: unknown) => {
        done();
        reject(error);
      },
    );
  });
}
