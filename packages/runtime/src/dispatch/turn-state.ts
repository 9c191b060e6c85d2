import type { CallProgress } from "./dispatcher-types.js";
import type { Stoppable } from "./scheduling/bounded.js";
import type { StopCause } from "./scheduling/stop.js";
import type { Toolset } from "./registry/toolset.js";

/** Something that runs and can be told to stop. */
export interface Running {
  readonly isCancellable: boolean;
  stop(cause: StopCause): void;
}

/** What is known of a turn while it lasts. */
export class TurnState implements Stoppable {
  readonly context: unknown;
  /** The tools of this turn; they do not change once the first call is parsed. */
  toolset: Toolset;
  /** Set once: calls that have not started are answered with it. */
  stopped: StopCause | undefined;
  readonly onStop: Set<(cause: StopCause) => void> = new Set();
  readonly running: Set<Running> = new Set();
  /** Never throws. */
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
  #controller: AbortController | undefined;

  constructor(context: unknown, toolset: Toolset, onProgress?: (progress: CallProgress) => void) {
    this.context = context;
    this.toolset = toolset;
    this.onProgress = onProgress;
  }

  /** For checks that want to stop early; made when first asked for. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.stopped !== undefined) this.#controller.abort(new Error(this.stopped.message));
    }
    return this.#controller.signal;
  }

  /** Stops what runs; `spare: "blocking"` lets calls finish that ask for it. */
  stopRunning(cause: StopCause, spare: "none" | "blocking" = "none"): void {
    for (const call of this.running) if (spare === "none" || call.isCancellable) call.stop(cause);
  }

  /** Whatever waits is woken and nothing more starts. `spare: "blocking"` lets running calls finish that ask for it. */
  stop(cause: StopCause, spare: "none" | "blocking" = "none"): void {
    this.stopped ??= cause;
    this.#controller?.abort(new Error(cause.message));
    for (const wake of this.onStop) wake(cause);
    this.stopRunning(cause, spare);
  }
}
