import type { JsonValue } from "@hasp/schema";
import type { ConcurrencyClass } from "../../contract/metadata.js";
import type { ExecutionOptions, ToolCall, ToolResult } from "../../contract/definition.js";
import type { Attempt } from "./attempt.js";

/** What a handle passes on to the dispatcher. */
export interface HandleActions {
  readonly progress: (update: JsonValue) => void;
  readonly dispatch: (calls: readonly ToolCall[]) => Promise<readonly ToolResult[]>;
}

/**
 * What a handler is given beside its input. A class, because `signal` is made only when it is read: a signal costs more
 * than all the rest of a call, and an own getter would cost every call a hidden class of its own.
 */
export class ExecutionHandle implements ExecutionOptions<unknown> {
  readonly callId: string;
  readonly idempotencyKey: string;
  readonly class: ConcurrencyClass;
  readonly context: unknown;
  readonly progress: (update: JsonValue) => void;
  readonly dispatch: (calls: readonly ToolCall[]) => Promise<readonly ToolResult[]>;
  readonly #attempt: Attempt;

  constructor(
    call: { readonly callId: string; readonly idempotencyKey: string; readonly class: ConcurrencyClass },
    context: unknown,
    { progress, dispatch }: HandleActions,
    attempt: Attempt,
  ) {
    this.callId = call.callId;
    this.idempotencyKey = call.idempotencyKey;
    this.class = call.class;
    this.context = context;
    this.progress = progress;
    this.dispatch = dispatch;
    this.#attempt = attempt;
  }

  get signal(): AbortSignal {
    return this.#attempt.signal;
  }
}
