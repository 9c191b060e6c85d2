import type { JsonValue } from "@hasp/schema";
import type { CallTrace, ExecutionOptions, ToolCall, ToolResult } from "../../tool/definition.js";
import type { ConcurrencyClass } from "../../tool/fields.js";
import { displayLine, idsOf } from "../state/call-state.js";
import type { Attempt } from "./attempt.js";
import type { Run } from "./execute.js";

/**
 * What a handler is given beside its input. A class whose functions are created when they are read: most handlers use
 * none of them, and an abort signal alone costs more than the rest of a call.
 */
export class ExecutionHandle implements ExecutionOptions<unknown> {
  readonly callId: string;
  readonly idempotencyKey: string;
  readonly class: ConcurrencyClass;
  readonly context: unknown;
  readonly trace: CallTrace | undefined;
  readonly #run: Run;
  readonly #attempt: Attempt;

  constructor(run: Run, attempt: Attempt) {
    const { engine, turn, call } = run;
    this.callId = call.callId;
    this.idempotencyKey = call.idempotencyKey ??= engine.nextIdempotencyKey();
    this.class = call.classification.class;
    this.context = turn.context;
    this.trace = call.trace;
    this.#run = run;
    this.#attempt = attempt;
  }

  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  get progress(): (update: JsonValue) => void {
    return (update) => {
      if (this.#attempt.isOver) return;
      const { engine, turn, call } = this.#run;
      if (engine.progress === undefined && engine.emit === undefined && turn.onProgress === undefined) return;
      const report = { ...idsOf(call), update, ...displayLine(call, "progress", { progress: update }) };
      engine.progress?.(report);
      turn.onProgress?.(report);
      engine.emit?.({ type: "progress", ...report });
    };
  }

  get dispatch(): (calls: readonly ToolCall[]) => Promise<readonly ToolResult[]> {
    return async (calls) => {
      const { engine, turn, call } = this.#run;
      this.#attempt.nested ??= engine.nest(engine, turn, call, this.#attempt);
      return this.#attempt.nested.dispatch(calls);
    };
  }
}
