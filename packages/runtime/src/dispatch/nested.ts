import { Activity } from "./scheduling/activity.js";
import { createInnerGate } from "./scheduling/gate.js";
import { createLimiter } from "./scheduling/limiter.js";
import type { StopCause } from "./scheduling/with-timeout.js";
import type { CallState } from "./state/call-state.js";
import type { Engine, NestedDispatch, RunningHandler } from "./state/engine.js";
import type { TurnState } from "./state/turn-state.js";
import { runTurn, type RunningTurn } from "./turn.js";

/** Levels of handlers that call handlers: deeper than any plan, shallower than a runaway. */
const MAX_DEPTH = 16;

const TOO_DEEP: StopCause = {
  code: "nested-too-deep",
  message: `Handlers call each other more than ${MAX_DEPTH} levels deep.`,
};
const SETTLED: StopCause = {
  code: "handler-settled",
  message: "The handler that made this call has already answered.",
};

/** Runs a handler's own calls inside its hold of the gate, with a gate and a concurrency limit of their own. */
export function createNestedDispatch(
  engine: Engine,
  outer: TurnState,
  { classification, trace }: CallState,
  handler: RunningHandler,
): NestedDispatch {
  const depth = (engine.nested?.depth ?? 0) + 1;
  const gate = createInnerGate(engine.gate);
  const inner: Engine = {
    ...engine,
    gate,
    limiter: createLimiter(engine.maxConcurrency),
    activity: new Activity(engine.activity),
    nested: {
      depth,
      outermostGate: engine.nested?.outermostGate ?? engine.gate,
      readersOnly: classification.class === "READ_ONLY",
    },
  };
  const open = new Set<RunningTurn>();

  return {
    async dispatch(calls) {
      const { signal } = handler;
      const turn = runTurn(inner, { context: outer.context, trace, signal, tools: outer.tools, outer });
      open.add(turn);
      if (handler.isOver) turn.state.stop(SETTLED);
      else if (depth > MAX_DEPTH) turn.state.stop(TOO_DEEP);
      try {
        for (const call of calls) turn.push(call);
      } finally {
        void turn.end().then(() => open.delete(turn));
      }
      return turn.end();
    },
    async close() {
      const turns = [...open];
      for (const turn of turns) turn.state.stop(SETTLED);
      await Promise.all(turns.map((turn) => turn.end()));
      const release = await gate.enter("exclusive").granted;
      release();
    },
  };
}
