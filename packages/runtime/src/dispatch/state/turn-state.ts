import { guard } from "../../tool/callback.js";
import type { CallTrace, ToolCall, ToolResult } from "../../tool/definition.js";
import { ABORTED, type Stoppable, type StopCause } from "../scheduling/with-timeout.js";
import type { CallProgress, TurnOptions } from "./dispatcher-types.js";
import type { ToolSnapshot } from "./engine.js";
import type { JoinedTurn, OwnPart } from "./attachments.js";

export interface Running {
  readonly isCancellable: boolean;
  /** Resolves when its end is known; never rejects. */
  readonly over: Promise<void>;
  stop(cause: StopCause): void;
}

export interface RunningTurn {
  readonly state: TurnState;
  push(call: ToolCall): void;
  /** Resolves when every call is settled or stays open; never rejects. */
  end(): Promise<readonly ToolResult[]>;
  /** Stops it; handlers that cannot be cancelled finish. */
  abort(message: string): void;
  readonly ended: Promise<unknown>;
}

/** The place of a turn: its tools and conversation, and the handler that dispatches it. */
export interface TurnPlace {
  readonly tools: ToolSnapshot;
  /** The host's id of the conversation. */
  readonly conversation: string;
  readonly namesConversation?: boolean;
  readonly principal?: string | undefined;
  /** The code that dispatches the turn, if it is nested. */
  readonly caller?: "handler" | "program";
  readonly outer?: TurnState | undefined;
  readonly parentCallId?: string | undefined;
  /** The part of the extension that begins the turn. */
  readonly own?: OwnPart | undefined;
}

export class TurnState implements Stoppable {
  readonly context: unknown;
  readonly trace: CallTrace | undefined;
  readonly parentCallId: string | undefined;
  /** This turn, or the outermost one around the handler that dispatches it. */
  readonly outermost: TurnState;
  tools: ToolSnapshot;
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
  readonly refuse: TurnOptions["refuse"];
  readonly conversation: string;
  readonly place: TurnPlace;
  readonly turnId: string | undefined;
  /** The part of the extensions in it. */
  part: JoinedTurn | undefined;
  /** The handler that was called and has not returned. */
  starting: Running | undefined;
  #onStop: Set<(cause: StopCause) => void> | undefined;
  #running: Set<Running> | undefined;
  #stopped: StopCause | undefined;
  #batchStopped: StopCause | undefined;
  #controller: AbortController | undefined;

  constructor(
    { context, trace, refuse, onProgress, turnId }: TurnOptions & { readonly turnId?: string | undefined },
    place: TurnPlace,
  ) {
    const { tools, conversation, outer, parentCallId } = place;
    this.place = place;
    this.context = context;
    this.trace = trace;
    this.parentCallId = parentCallId;
    this.tools = tools;
    this.conversation = conversation;
    this.turnId = turnId;
    this.onProgress = guard(onProgress);
    this.refuse = refuse;
    this.outermost = outer?.outermost ?? this;
  }

  get onStop(): Set<(cause: StopCause) => void> {
    return (this.#onStop ??= new Set());
  }

  /** The handlers that have returned a promise. */
  get running(): Set<Running> {
    return (this.#running ??= new Set());
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

  /** Stops the turn once the host's signal aborts. Returns a function that ends this. */
  follow(signal: AbortSignal | undefined): () => void {
    const stop = (): void => this.stop(ABORTED);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
    return () => signal?.removeEventListener("abort", stop);
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
