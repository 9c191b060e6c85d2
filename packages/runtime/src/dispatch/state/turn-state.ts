import type { Stoppable, StopCause } from "../scheduling/with-timeout.js";
import type { CallProgress } from "./dispatcher-types.js";
import type { ToolSnapshot } from "./tool-snapshot.js";

/** A running handler that can be told to stop. */
export interface Running {
  readonly isCancellable: boolean;
  stop(cause: StopCause): void;
}

/** The state of a turn. */
export class TurnState implements Stoppable {
  readonly context: unknown;
  /** The tools of this turn; they do not change once the first call is parsed. */
  tools: ToolSnapshot;
  /** Set once: calls that have not started are answered with it. */
  stopped: StopCause | undefined;
  readonly onStop: Set<(cause: StopCause) => void> = new Set();
  readonly running: Set<Running> = new Set();
  /** Never throws. */
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
  #controller: AbortController | undefined;

  constructor(context: unknown, tools: ToolSnapshot, onProgress?: (progress: CallProgress) => void) {
    this.context = context;
    this.tools = tools;
    this.onProgress = onProgress;
  }

  /** For checks that can stop early; created on first use. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.stopped !== undefined) this.#controller.abort(new Error(this.stopped.message));
    }
    return this.#controller.signal;
  }

  /** Stops running handlers. `spare: "blocking"` lets those finish whose tool says `block`. */
  stopRunning(cause: StopCause, spare: "none" | "blocking" = "none"): void {
    for (const handler of this.running) if (spare === "none" || handler.isCancellable) handler.stop(cause);
  }

  /** Stops the turn: wakes whatever waits, starts nothing more, and stops running handlers as {@link stopRunning}. */
  stop(cause: StopCause, spare: "none" | "blocking" = "none"): void {
    this.stopped ??= cause;
    this.#controller?.abort(new Error(cause.message));
    for (const wake of this.onStop) wake(cause);
    this.stopRunning(cause, spare);
  }
}
