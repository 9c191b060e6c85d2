import type { ToolCall, ToolResult } from "../contract/definition.js";
import type { Engine } from "./engine.js";
import { createInnerGate, type Gate } from "./gate.js";
import type { LazySignal } from "./lifecycle/attempt.js";
import { createLimiter } from "./limiter.js";
import type { Slot } from "./slot.js";
import { runTurn, type RunningTurn } from "./turn.js";
import { stopTurn, type TurnState } from "./turn-state.js";

/** Handlers that call handlers that call handlers: deeper than any plan, shallower than a runaway. */
const MAX_DEPTH = 16;

/** The `dispatch` that a handler is given. */
export interface NestedDispatch {
  dispatch(calls: readonly ToolCall[], signal: LazySignal): Promise<readonly ToolResult[]>;
  /** The handler has settled: what it left running is stopped. The promise, if any, resolves when none of it runs. */
  close(): Promise<void> | undefined;
}

/** Runs a handler's own calls inside its hold of the gate, with one gate and one cap of their own. */
export function createNestedDispatch(
  engine: Engine,
  outer: TurnState,
  slot: Slot,
  keyPrefix: () => string,
): NestedDispatch {
  let inner: { readonly engine: Engine; readonly gate: Gate } | undefined;
  let isOver = false;
  const open = new Set<RunningTurn>();

  function innerEngine(): Engine {
    if (inner === undefined) {
      const gate = createInnerGate(engine.gate);
      const nested = {
        depth: (engine.nested?.depth ?? 0) + 1,
        readersOnly: slot.classification.class === "READ_ONLY",
        keyPrefix: keyPrefix(),
      };
      inner = { engine: { ...engine, gate, limiter: createLimiter(engine.maxConcurrency), nested }, gate };
    }
    return inner.engine;
  }

  return {
    async dispatch(calls, { signal }) {
      const turn = runTurn(innerEngine(), { context: outer.context, signal, toolset: outer.toolset });
      open.add(turn);
      if (isOver)
        stopTurn(
          turn.state,
          { code: "handler-settled", message: "The handler that made this call has already answered." },
          "none",
        );
      else if ((engine.nested?.depth ?? 0) + 1 > MAX_DEPTH) {
        stopTurn(
          turn.state,
          { code: "nested-too-deep", message: `Handlers call each other more than ${MAX_DEPTH} levels deep.` },
          "none",
        );
      }
      for (const call of calls) turn.push(call);
      try {
        return await turn.end();
      } finally {
        open.delete(turn);
      }
    },
    close() {
      isOver = true;
      if (inner === undefined) return undefined;
      const { gate } = inner;
      const turns = [...open];
      for (const turn of turns) {
        stopTurn(
          turn.state,
          { code: "handler-settled", message: "The handler that made this call has already answered." },
          "none",
        );
      }
      return Promise.all(turns.map((turn) => turn.end()))
        .then(() => gate.enter("exclusive").granted)
        .then((release) => release());
    },
  };
}
