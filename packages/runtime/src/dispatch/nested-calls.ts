import type { JsonValue } from "@hasp/schema";
import type { ToolCall, ToolResult } from "../tool/definition.js";
import { Activity, createLimiter } from "./scheduling/concurrency.js";
import { createInnerGate } from "./scheduling/gate.js";
import { ABORTED, type StopCause } from "./scheduling/with-timeout.js";
import type { BeginNested, CallState } from "./state/call-state.js";
import type { ProgramCalls, SettledProgramCall } from "./state/program-types.js";
import type { Engine, NestedDispatch, RunningHandler } from "./state/engine.js";
import { AskingOrder } from "./state/asking-order.js";
import type { OwnPart } from "./state/attachments.js";
import type { RunningTurn, TurnState } from "./state/turn-state.js";
import type { runTurn } from "./turn.js";

/** The most levels of handlers that call handlers: deeper than any plan, shallower than a runaway. */
const MAX_DEPTH = 16;

// A function: a bundler keeps a constant with a template in it even if nobody uses it.
const createTooDeep = (): StopCause => ({
  code: "nested-too-deep",
  message: `Handlers call each other more than ${MAX_DEPTH} levels deep.`,
});
const SETTLED: StopCause = {
  code: "handler-settled",
  message: "The handler that made this call has already answered.",
};

/**
 * Creates a handler's `dispatch`. Its calls run under a gate and a limit of their own; those of a program, which holds
 * neither, under the dispatcher's.
 */
export function createNestedDispatch(
  openTurn: typeof runTurn,
  engine: Engine,
  outer: TurnState,
  call: CallState,
  handler: RunningHandler,
): NestedDispatch {
  const { callId, classification, resource, trace, entry, part, votes } = call;
  const depth = (engine.nested?.depth ?? 0) + 1;
  const holdsNothing = entry?.holds === "nothing";
  const gate = holdsNothing ? engine.gate : createInnerGate(engine.gate);
  let effect: ProgramCalls["effect"] = "none";
  const order = new AskingOrder();
  const inner: Engine = {
    ...engine,
    gate,
    limiter: holdsNothing ? engine.limiter : createLimiter(engine.limiter.size),
    activity: new Activity(engine.activity),
    nested: {
      depth,
      outermostGate: engine.nested?.outermostGate ?? engine.gate,
      readersOnly: holdsNothing ? (engine.nested?.readersOnly ?? false) : classification.class === "READ_ONLY",
      resource: holdsNothing ? engine.nested?.resource : resource,
      isPreviewed: holdsNothing && engine.permissions.previewPrograms && votes.person !== undefined,
      reaches: entry?.reaches,
      program: holdsNothing ? { order, onWrite: () => (effect = "unknown") } : undefined,
    },
  };
  const open = new Set<RunningTurn>();

  let isListening = false;
  const stopAll = (): void => open.forEach(({ state }) => state.stop(ABORTED));

  function begin(own?: OwnPart): RunningTurn {
    const { signal } = handler;
    const { context, tools, conversation } = outer;
    const refuse = holdsNothing ? outer.refuse : undefined;
    const caller = holdsNothing ? "program" : "handler";
    const place = { tools, outer, parentCallId: callId, conversation, caller, own } as const;
    const turn = openTurn(inner, { context, trace, refuse }, place);
    open.add(turn);
    // One listener for all: a program may have hundreds of calls.
    if (!isListening) signal.addEventListener("abort", stopAll, { once: true });
    isListening = true;
    void turn.ended.then(() => open.delete(turn));
    if (signal.aborted) turn.state.stop(ABORTED);
    if (handler.isOver) turn.state.stop(SETTLED);
    else if (depth > MAX_DEPTH) turn.state.stop(createTooDeep());
    return turn;
  }

  async function dispatch(calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
    const turn = begin();
    try {
      for (const call of calls) turn.push(call);
    } finally {
      void turn.end();
    }
    return turn.end();
  }

  /** Tells extensions what reached a program, and its model what was noted: its result says whatever its calls returned. */
  function receive(results: readonly (ToolResult | undefined)[]): void {
    if (!holdsNothing) return;
    call.part?.pass("received", results);
    const notes = results.flatMap(
      (result) => result?.notes?.map((note) => `${result.toolName}, call ${result.callId}: ${note}`) ?? [],
    );
    // A call that is still under way at the end comes twice.
    if (notes.length > 0) call.notes = [...new Set([...call.notes, ...notes])];
  }

  const program = part?.kept?.program;
  const beginKept: BeginNested = (kept) => begin(engine.extensions.keptBy(kept));
  const callOf = (n: number, name: string, input: JsonValue): ToolCall => ({ id: `${callId}.${n}`, name, input });
  let settled = 0;

  async function runOnce(asked: ToolCall): Promise<SettledProgramCall | undefined> {
    const [result] = await dispatch([asked]);
    return result && { result, order: (settled += 1) };
  }

  return {
    dispatch,
    program: {
      load: async () => (program === undefined ? { calls: 0, order: [] } : program.load()),
      isSame: (n, name, input) => program?.isSame(n, callOf(n, name, input)) ?? true,
      async run(n, name, input) {
        const asked = callOf(n, name, input);
        order.add(asked.id);
        try {
          const settledCall = program === undefined ? await runOnce(asked) : await program.run(n, asked, beginKept);
          receive([settledCall?.result]);
          return settledCall;
        } finally {
          order.end(asked.id);
        }
      },
      suspend: () => program?.suspend(),
      get effect() {
        return program?.mayHaveWritten === true ? "unknown" : effect;
      },
    },
    async close() {
      const turns = [...open];
      for (const turn of turns) turn.state.stop(SETTLED);
      const left = await Promise.all(turns.map((turn) => turn.end()));
      receive(left.flat());
      order.endAll();
      if (holdsNothing) return program?.close(beginKept);
      const release = await gate.enter("exclusive").granted;
      release();
    },
  };
}
