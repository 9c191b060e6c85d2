import type { Stoppable, StopCause } from "../scheduling/with-timeout.js";
import type { CallProgress, TurnOptions } from "./dispatcher-types.js";
import type { ToolSnapshot } from "./engine.js";
import type { CallState } from "./call-state.js";
import type { Conversation } from "./conversation.js";

export interface Running {
  readonly isCancellable: boolean;
  /** Resolves when its end is known; never rejects. */
  readonly over: Promise<void>;
  stop(cause: StopCause): void;
}

export class TurnState implements Stoppable {
  readonly context: unknown;
  /** This turn, or the outermost one around the handler that dispatches it. */
  readonly outermost: TurnState;
  tools: ToolSnapshot;
  readonly onStop: Set<(cause: StopCause) => void> = new Set();
  /** The handlers that have returned a promise. */
  readonly running: Set<Running> = new Set();
  /** The handler that was called and has not returned. */
  starting: Running | undefined;
  readonly storing: Promise<void>[] = [];
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
  readonly refuse: TurnOptions["refuse"];
  readonly conversation: Conversation;
  /** The id of a stored turn. */
  readonly turnId: string | undefined;
  /** The calls that bring in labels, with those of their handlers, until the batch ends. */
  labelled: CallState[] = [];
  isInBatch = false;
  #stopped: StopCause | undefined;
  #batchStopped: StopCause | undefined;
  #controller: AbortController | undefined;

  constructor(
    context: unknown,
    tools: ToolSnapshot,
    conversation: Conversation,
    options: {
      readonly turnId?: string | undefined;
      readonly onProgress?: TurnState["onProgress"];
      readonly refuse?: TurnState["refuse"];
      readonly outer?: TurnState | undefined;
    } = {},
  ) {
    this.context = context;
    this.tools = tools;
    this.conversation = conversation;
    this.turnId = options.turnId;
    this.onProgress = options.onProgress;
    this.refuse = options.refuse;
    this.outermost = options.outer?.outermost ?? this;
  }

  /** Set if nothing more may start: calls that have not started are answered with it. */
  get stopped(): StopCause | undefined {
    return this.#stopped ?? this.#batchStopped;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.stopped !== undefined) this.#controller.abort(new Error(this.stopped.message));
    }
    return this.#controller.signal;
  }

  /** Stops the turn: wakes all waits, starts nothing more, and stops handlers; spared `blocking` ones finish. */
  stop(cause: StopCause, spare: "none" | "blocking" = "none"): void {
    this.#stopped ??= cause;
    this.#stop(cause, spare);
  }

  /** Stops the calls of the running batch, and no later ones. */
  stopBatch(cause: StopCause): void {
    if (this.#batchStopped !== undefined) return;
    this.#batchStopped = cause;
    this.#stop(cause, "none");
  }

  endBatch(): void {
    if (this.#batchStopped === undefined) return;
    this.#batchStopped = undefined;
    if (this.#stopped === undefined) this.#controller = undefined;
  }

  #stop(cause: StopCause, spare: "none" | "blocking"): void {
    this.#controller?.abort(new Error(cause.message));
    for (const wake of this.onStop) wake(cause);
    for (const handler of [...this.running, ...(this.starting === undefined ? [] : [this.starting])]) {
      if (spare === "none" || handler.isCancellable) handler.stop(cause);
    }
  }
}
