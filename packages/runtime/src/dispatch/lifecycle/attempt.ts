import { isThenable } from "../bounded.js";
import { GRACE_MS, type StopCause } from "../stop.js";

/** How one attempt at a call ended. `deaf`: it was told to stop and did not within the grace. */
export type AttemptEnd =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timed-out" }
  | { readonly kind: "deaf" };

/** One run of a handler. */
export interface Attempt {
  /** Never rejects. Settles by the handler, its time, or the grace after {@link stop}, whichever is first. */
  readonly end: AttemptEnd | Promise<AttemptEnd>;
  /** Tells the handler to stop by its signal; the grace begins. */
  stop(cause: StopCause): void;
  readonly stoppedBy: StopCause | undefined;
  /** Settles with the handler itself, however late; never rejects. */
  readonly settled: Promise<"returned" | "threw">;
}

/** An abort signal that exists only once somebody asks for it. */
export interface LazySignal {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
}

/** Makes a signal on demand: most handlers never look at theirs. */
export function lazySignal(): LazySignal {
  let controller: AbortController | undefined;
  let aborted: Error | undefined;
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (aborted !== undefined) controller.abort(aborted);
      }
      return controller.signal;
    },
    abort(reason) {
      aborted ??= reason;
      controller?.abort(aborted);
    },
  };
}

/** Runs a handler once, bounded by its time and by `stop`. */
export function startAttempt(body: () => unknown, signal: LazySignal, timeoutMs: number): Attempt {
  let stoppedBy: StopCause | undefined;
  let stop: ((cause: StopCause) => void) | undefined;
  let settled: Promise<"returned" | "threw"> | undefined;
  let returned: unknown;
  let pending: PromiseLike<unknown>;
  try {
    returned = body();
    if (!isThenable(returned)) return atOnce({ kind: "returned", value: returned });
    pending = returned;
  } catch (error) {
    return atOnce({ kind: "threw", error });
  }

  const end = new Promise<AttemptEnd>((resolve) => {
    let grace: unknown;
    const timer = Number.isFinite(timeoutMs)
      ? longTimeout(() => {
          signal.abort(namedError("TimeoutError", `The call took longer than ${timeoutMs / 1000} s.`));
          resolve({ kind: "timed-out" });
        }, timeoutMs)
      : undefined;
    stop = (cause) => {
      if (stoppedBy !== undefined) return;
      stoppedBy = cause;
      grace = setTimeout(() => {
        timer?.clear();
        resolve({ kind: "deaf" });
      }, GRACE_MS);
      signal.abort(namedError("AbortError", cause.message));
    };
    const done = (): void => {
      timer?.clear();
      clearTimeout(grace);
    };
    settled = Promise.resolve(pending).then(
      (value) => {
        done();
        resolve({ kind: "returned", value });
        return "returned";
      },
      (error: unknown) => {
        done();
        resolve({ kind: "threw", error });
        return "threw";
      },
    );
  });
  return {
    end,
    stop: (cause) => stop?.(cause),
    get stoppedBy() {
      return stoppedBy;
    },
    settled: settled ?? Promise.resolve("returned"),
  };
}

function atOnce(end: AttemptEnd & { readonly kind: "returned" | "threw" }): Attempt {
  return { end, stop: ignore, stoppedBy: undefined, settled: Promise.resolve(end.kind) };
}

function ignore(): void {
  // It is over already: there is nothing to stop.
}

function namedError(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}

/** The longest wait that a timer of the platform can hold; a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

function longTimeout(callback: () => void, milliseconds: number): { clear(): void } {
  let timer: unknown;
  let left = milliseconds;
  const wait = (): void => {
    const step = Math.min(left, LONGEST_TIMER);
    left -= step;
    timer = setTimeout(left > 0 ? wait : callback, step);
  };
  wait();
  return { clear: () => clearTimeout(timer) };
}
