import { isThenable } from "../scheduling/bounded.js";
import { GRACE_MS, LONGEST_TIMER, type StopCause } from "../scheduling/stop.js";
import type { NestedDispatch } from "../nested.js";
import type { Running } from "../turn-state.js";

/** How one attempt at a call ended. `deaf`: it was told to stop and did not within the grace. */
export type AttemptEnd =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timed-out" }
  | { readonly kind: "deaf" };

/** One run of a handler, bounded by its time and by {@link Attempt.stop}. */
export class Attempt implements Running {
  readonly isCancellable: boolean;
  /** Its end is known; what the handler still does is no part of the call any more. */
  isOver = false;
  stoppedBy: StopCause | undefined;
  /** The handler's own calls, once it makes any. */
  nested: NestedDispatch | undefined;
  #controller: AbortController | undefined;
  #aborted: Error | undefined;
  #pending: PromiseLike<unknown> | undefined;
  #finish: ((end: AttemptEnd) => void) | undefined;
  #timer: unknown;
  #grace: unknown;

  constructor(isCancellable: boolean) {
    this.isCancellable = isCancellable;
  }

  /** Made when first asked for: most handlers never look at theirs. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted);
    }
    return this.#controller.signal;
  }

  /** Runs the handler. The answer never rejects; it comes with the handler, its time, or the grace after a stop. */
  start(body: () => unknown, timeoutMs: number): AttemptEnd | Promise<AttemptEnd> {
    let pending: PromiseLike<unknown>;
    try {
      const value = body();
      if (!isThenable(value)) return this.#over({ kind: "returned", value });
      pending = value;
    } catch (error) {
      return this.#over({ kind: "threw", error });
    }
    this.#pending = pending;
    return new Promise((resolve) => {
      this.#finish = resolve;
      if (timeoutMs !== Infinity) this.#wait(timeoutMs, timeoutMs);
      // A promise of the platform cannot throw here; any other thenable is made one.
      const promise = pending instanceof Promise ? pending : Promise.resolve(pending);
      promise.then(
        (value: unknown) => this.#end({ kind: "returned", value }),
        (error: unknown) => this.#end({ kind: "threw", error }),
      );
    });
  }

  /** Tells the handler to stop by its signal; the grace begins. */
  stop(cause: StopCause): void {
    if (this.stoppedBy !== undefined || this.isOver) return;
    this.stoppedBy = cause;
    this.#grace = setTimeout(() => this.#end({ kind: "deaf" }), GRACE_MS);
    this.#abort(namedError("AbortError", cause.message));
  }

  /** Settles with the handler itself, however late; never rejects. */
  get settled(): Promise<"returned" | "threw"> {
    return Promise.resolve(this.#pending).then(
      () => "returned",
      () => "threw",
    );
  }

  /**
   * Times out after `left` milliseconds, in steps that a timer of the platform can hold: a longer one fires at once.
   */
  #wait(left: number, timeoutMs: number): void {
    const rest = left - LONGEST_TIMER;
    this.#timer = setTimeout(
      () => (rest > 0 ? this.#wait(rest, timeoutMs) : this.#timeOut(timeoutMs)),
      rest > 0 ? LONGEST_TIMER : left,
    );
  }

  #timeOut(timeoutMs: number): void {
    this.#abort(namedError("TimeoutError", `The call took longer than ${timeoutMs / 1000} s.`));
    this.#end({ kind: "timed-out" });
  }

  #abort(reason: Error): void {
    this.#aborted ??= reason;
    this.#controller?.abort(this.#aborted);
  }

  #end(end: AttemptEnd): void {
    this.#finish?.(this.#over(end));
  }

  #over(end: AttemptEnd): AttemptEnd {
    this.isOver = true;
    clearTimeout(this.#timer);
    if (this.#grace !== undefined) clearTimeout(this.#grace);
    return end;
  }
}

function namedError(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
