/** The reason why calls are stopped: the session, the user, a failed sibling, or the handler that made them. */
export interface StopCause {
  readonly code:
    | "aborted"
    | "interrupted"
    | "sibling-failed"
    | "handler-settled"
    | "nested-too-deep"
    | "dispatched-around";
  readonly message: string;
}

export const ABORTED: StopCause = { code: "aborted", message: "The session was stopped." };

/** The milliseconds that a call has to stop once it is told to. */
export const GRACE_MS = 1000;

/** The longest delay of a platform timer, 24 days; a longer one would fire at once. */
export const LONGEST_TIMER = 0x7fff_ffff;

export class TimeoutError extends Error {
  override readonly name = "TimeoutError";

  constructor(milliseconds: number) {
    super(`it took longer than ${milliseconds / 1000} s`);
  }
}

export class Stopped extends Error {
  readonly stop: StopCause;

  constructor(stop: StopCause) {
    super(stop.message);
    this.stop = stop;
  }
}

/** Ends waits early, without one listener per wait on a signal of the host. */
export interface Stoppable {
  readonly stopped: StopCause | undefined;
  readonly onStop: Set<(cause: StopCause) => void>;
}

interface TimeoutOptions {
  readonly milliseconds?: number;
  readonly turn?: Stoppable | undefined;
  readonly graceMs?: number;
}

/** Awaits a promise. Rejects if its turn stops or its time runs out; handles a later rejection. */
export function withTimeout<Value>(
  pending: PromiseLike<Value>,
  { milliseconds = Infinity, turn, graceMs = 0 }: TimeoutOptions,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer =
      milliseconds > LONGEST_TIMER ? undefined : setTimeout(() => fail(new TimeoutError(milliseconds)), milliseconds);
    const done = (): void => {
      clearTimeout(timer);
      turn?.onStop.delete(stop);
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
    if (turn?.stopped !== undefined) stop(turn.stopped);
    else turn?.onStop.add(stop);
  });
}
