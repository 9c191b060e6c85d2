import type { JsonValue } from "@hasp/schema";
import type { ConcurrencyClass } from "../../contract/metadata.js";
import type { ExecutionOptions, ToolCall, ToolResult } from "../../contract/definition.js";
import type { Engine } from "../engine.js";
import { createNestedDispatch } from "../nested.js";
import type { Slot } from "../slot.js";
import type { TurnState } from "../turn-state.js";
import type { Attempt } from "./attempt.js";

/**
 * What a handler is given beside its input. A class whose functions are made when they are read: most handlers use none of
 * them, a signal alone costs more than all the rest of a call, and an own getter would cost every call a hidden class.
 */
export class ExecutionHandle implements ExecutionOptions<unknown> {
  readonly callId: string;
  readonly idempotencyKey: string;
  readonly class: ConcurrencyClass;
  readonly context: unknown;
  readonly #engine: Engine;
  readonly #turn: TurnState;
  readonly #slot: Slot;
  readonly #attempt: Attempt;

  constructor(engine: Engine, turn: TurnState, slot: Slot, attempt: Attempt) {
    this.callId = slot.callId;
    this.idempotencyKey = slot.idempotencyKey ??= engine.nextIdempotencyKey();
    this.class = slot.classification.class;
    this.context = turn.context;
    this.#engine = engine;
    this.#turn = turn;
    this.#slot = slot;
    this.#attempt = attempt;
  }

  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  get progress(): (update: JsonValue) => void {
    return (update) => {
      if (this.#attempt.isOver) return;
      const { callId, toolName } = this.#slot;
      this.#engine.progress?.({ callId, toolName, update });
      this.#engine.emit?.({ type: "progress", callId, toolName, update });
    };
  }

  get dispatch(): (calls: readonly ToolCall[]) => Promise<readonly ToolResult[]> {
    return (calls) => {
      this.#attempt.nested ??= createNestedDispatch(this.#engine, this.#turn, this.#slot, this.#attempt);
      return this.#attempt.nested.dispatch(calls);
    };
  }
}
