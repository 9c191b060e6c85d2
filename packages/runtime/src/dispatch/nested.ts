import type { ToolCall, ToolResult } from "../tool/definition.js";
import type { Engine } from "./engine.js";
import { createInnerGate } from "./scheduling/gate.js";
import type { Attempt } from "./pipeline/attempt.js";
import { createLimiter } from "./scheduling/limiter.js";
import type { Slot } from "./slot.js";
import type { StopCause } from "./scheduling/stop.js";
import { runTurn, type RunningTurn } from "./turn.js";
import type { TurnState } from "./turn-state.js";

/** Handlers that call handlers that call handlers: deeper than any plan, shallower than a runaway. */
const MAX_DEPTH = 16;

const TOO_DEEP: StopCause = {
  code: "nested-too-deep",
  message: `Handlers call each other more than ${MAX_DEPTH} levels deep.`,
};
const SETTLED: StopCause = {
  code: "handler-settled",
  message: "The handler that made this call has already answered.",
};

/** The `dispatch` that a handler is given. */
export interface NestedDispatch {
  dispatch(calls: readonly ToolCall[]): Promise<readonly ToolResult[]>;
  /** The handler has settled: what it left running is stopped. The promise resolves when none of it runs. */
  close(): Promise<void>;
}

/** Runs a handler's own calls inside its hold of the gate, with one gate and one cap of their own. */
export function createNestedDispatch(
  engine: Engine,
  outer: TurnState,
  { classification }: Slot,
  attempt: Attempt,
): NestedDispatch {
  const depth = (engine.nested?.depth ?? 0) + 1;
  const gate = createInnerGate(engine.gate);
  const inner: Engine = {
    ...engine,
    gate,
    limiter: createLimiter(engine.maxConcurrency),
    nested: {
      depth,
      outermostGate: engine.nested?.outermostGate ?? engine.gate,
      readersOnly: classification.class === "READ_ONLY",
    },
  };
  const open = new Set<RunningTurn>();

  return {
    async dispatch(calls) {
      const { signal } = attempt;
      const turn = runTurn(inner, { context: outer.context, signal, toolset: outer.toolset });
      open.add(turn);
      if (attempt.isOver) turn.state.stop(SETTLED);
      else if (depth > MAX_DEPTH) turn.state.stop(TOO_DEEP);
      try {
        for (const call of calls) turn.push(call);
      } finally {
        void turn.end().then(() => open.delete(turn));
      }
      return turn.end();
    },
    close() {
      const turns = [...open];
      for (const turn of turns) turn.state.stop(SETTLED);
      return Promise.all(turns.map((turn) => turn.end()))
        .then(() => gate.enter("exclusive").granted)
        .then((release) => release());
    },
  };
}
