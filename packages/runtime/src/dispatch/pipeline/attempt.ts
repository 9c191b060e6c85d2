import { isThenable } from "../../tool/callback.js";
import { GRACE_MS, LONGEST_TIMER, type StopCause } from "../scheduling/with-timeout.js";
import type { NestedDispatch, RunningHandler } from "../state/engine.js";
import type { Running } from "../state/turn-state.js";

/** The end of one attempt. `unresponsive`: it did not stop within the grace period. */
export type AttemptEnd =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timed-out" }
  | { readonly kind: "unresponsive" };

/** One run of a handler, limited by its timeout and by {@link Attempt.stop}. */
export class Attempt implements Running, RunningHandler {
  readonly isCancellable: boolean;
  /** True once its end is known; whatever the handler still does is no longer part of the call. */
  isOver = false;
  stoppedBy: StopCause | undefined;
  /** The handler's own calls, if it makes any. */
  nested: NestedDispatch | undefined;
  #controller: AbortController | undefined;
  #aborted: Error | undefined;
  #pending: Promise<unknown> | undefined;
  #whenOver: (() => void)[] | undefined;
  #finish: ((end: AttemptEnd) => void) | undefined;
  #timer: unknown;
  #grace: unknown;

  constructor(isCancellable: boolean) {
    this.isCancellable = isCancellable;
  }

  /** Created on first use: most handlers never read it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted);
    }
    return this.#controller.signal;
  }

  get over(): Promise<void> {
    return this.isOver ? Promise.resolve() : new Promise((resolve) => (this.#whenOver ??= []).push(resolve));
  }

  /** Waits until the handler settles, its time runs out, or the grace period after a stop ends. Never rejects. */
  waitFor(value: unknown, timeoutMs: number): AttemptEnd | Promise<AttemptEnd> {
    if (!isThenable(value)) return this.end({ kind: "returned", value });
    // A query builder runs its query with each `then`: only this promise calls it.
    const pending = (this.#pending = Promise.resolve(value));
    return new Promise((resolve) => {
      this.#finish = resolve;
      if (timeoutMs !== Infinity) this.#wait(timeoutMs, timeoutMs);
      pending.then(
        (returned) => this.#settle({ kind: "returned", value: returned }),
        (error: unknown) => this.#settle({ kind: "threw", error }),
      );
    });
  }

  stop(cause: StopCause): void {
    if (this.stoppedBy !== undefined || this.isOver) return;
    this.stoppedBy = cause;
    this.#grace = setTimeout(() => this.#settle({ kind: "unresponsive" }), GRACE_MS);
    this.#abort(namedError("AbortError", cause.message));
  }

  /** Settles with the handler itself, however late; never rejects. */
  get settled(): Promise<"returned" | "threw"> {
    return Promise.resolve(this.#pending).then(
      () => "returned",
      () => "threw",
    );
  }

  /** Times out after `left` milliseconds, in steps that a platform timer can hold. */
  #wait(left: number, timeoutMs: number): void {
    const rest = left - LONGEST_TIMER;
    this.#timer = setTimeout(
      () => (rest > 0 ? this.#wait(rest, timeoutMs) : this.#timeOut(timeoutMs)),
      rest > 0 ? LONGEST_TIMER : left,
    );
  }

  #timeOut(timeoutMs: number): void {
    this.#abort(namedError("TimeoutError", `The call took longer than ${timeoutMs / 1000} s.`));
    this.#settle({ kind: "timed-out" });
  }

  #abort(reason: Error): void {
    this.#aborted ??= reason;
    this.#controller?.abort(this.#aborted);
  }

  #settle(end: AttemptEnd): void {
    this.#finish?.(this.end(end));
  }

  end(end: AttemptEnd): AttemptEnd {
    this.isOver = true;
    this.#whenOver?.forEach((resolve) => resolve());
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    if (this.#grace !== undefined) clearTimeout(this.#grace);
    return end;
  }
}

function namedError(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
