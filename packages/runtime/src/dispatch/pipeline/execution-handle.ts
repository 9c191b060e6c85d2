import type { JsonValue } from "@hasp/schema";
import type { ConcurrencyClass } from "../../tool/fields.js";
import type { ExecutionOptions, ToolCall, ToolResult } from "../../tool/definition.js";
import { displayLine } from "../display-line.js";
import { idsOf } from "../slot.js";
import { partFor } from "../parts.js";
import type { Attempt } from "./attempt.js";
import type { Run } from "./execute.js";

/**
 * What a handler is given beside its input. A class whose functions are made when they are read: most handlers use none
 * of them, a signal alone costs more than all the rest of a call, and an own getter would cost every call a hidden
 * class.
 */
export class ExecutionHandle implements ExecutionOptions<unknown> {
  readonly callId: string;
  readonly idempotencyKey: string;
  readonly class: ConcurrencyClass;
  readonly context: unknown;
  readonly #run: Run;
  readonly #attempt: Attempt;

  constructor(run: Run, attempt: Attempt) {
    const { engine, turn, slot } = run;
    this.callId = slot.callId;
    this.idempotencyKey = slot.idempotencyKey ??= engine.nextIdempotencyKey();
    this.class = slot.classification.class;
    this.context = turn.context;
    this.#run = run;
    this.#attempt = attempt;
  }

  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  get progress(): (update: JsonValue) => void {
    return (update) => {
      if (this.#attempt.isOver) return;
      const { engine, turn, slot } = this.#run;
      if (engine.progress === undefined && engine.emit === undefined && turn.onProgress === undefined) return;
      const report = { ...idsOf(slot), update, ...displayLine(slot, "progress") };
      engine.progress?.(report);
      turn.onProgress?.(report);
      engine.emit?.({ type: "progress", ...report });
    };
  }

  get dispatch(): (calls: readonly ToolCall[]) => Promise<readonly ToolResult[]> {
    return async (calls) => {
      const { engine, turn, slot } = this.#run;
      this.#attempt.nested ??= partFor("`dispatch`", engine.parts.nestedDispatch)(engine, turn, slot, this.#attempt);
      return this.#attempt.nested.dispatch(calls);
    };
  }
}
