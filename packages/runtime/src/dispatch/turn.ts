import type { ToolCall, ToolResult } from "../contract/definition.js";
import { runBatch } from "./batch.js";
import { createCallQueue } from "./call-queue.js";
import { hookLists, type Engine } from "./engine.js";
import { finishBatch, finishTurn, type Finished } from "./finish.js";
import { createSlot } from "./slot.js";
import { failure } from "../results/outcome.js";
import { messageOf } from "../results/text.js";
import type { Toolset } from "./toolset.js";
import { TurnState } from "./turn-state.js";

/** A turn at work. */
export interface RunningTurn {
  readonly state: TurnState;
  push(call: ToolCall): void;
  /** Answers when every call is settled; never rejects. */
  end(): Promise<readonly ToolResult[]>;
}

/** What a turn is begun with. */
export interface TurnBeginning {
  readonly context: unknown;
  readonly signal: AbortSignal | undefined;
  readonly toolset: Toolset | Promise<Toolset>;
  /** Called when all calls are settled, before the turn answers. Never throws. */
  readonly onEnd?: () => void | Promise<void>;
}

const NO_HOOKS = hookLists(undefined);

/** What a turn has until its tools are assembled; it parses no call before that. */
const NO_TOOLS: Toolset = { entries: [], leftOut: [], find: () => undefined, definitions: () => [] };

/** Begins a turn: parts its calls into batches and runs these in order. */
export function runTurn(engine: Engine, { context, signal, toolset, onEnd }: TurnBeginning): RunningTurn {
  const queue = createCallQueue();
  const callIds = new Set<string>();
  const state = new TurnState(context, NO_TOOLS);
  const finished: Finished[] = [];
  const stopOnAbort = (): void => state.stop({ code: "aborted", message: "The session was stopped." });
  if (signal?.aborted === true) stopOnAbort();
  else signal?.addEventListener("abort", stopOnAbort, { once: true });

  async function run(): Promise<readonly ToolResult[]> {
    try {
      state.toolset = await toolset;
      for (;;) {
        if (queue.peek() !== undefined) finished.push(...(await runBatch(engine, state, queue)));
        else if (queue.isClosed) break;
        else await queue.changed();
      }
    } catch (error) {
      await answerTheRest(error);
    } finally {
      signal?.removeEventListener("abort", stopOnAbort);
    }
    const results = await finishTurn(engine, finished);
    const ending = onEnd?.();
    if (ending !== undefined) await ending;
    return results;
  }

  /** A fault of ours, which must not cost a call its answer. */
  async function answerTheRest(error: unknown): Promise<void> {
    queue.close();
    const rest = queue.slots.slice(finished.length);
    for (const slot of rest) {
      const effect = slot.attempts === 0 ? "none" : "unknown";
      slot.outcome ??= failure({
        phase: "execute",
        code: "internal-error",
        message: `hasp failed, not the tool: ${messageOf(error)}`,
        effect,
      });
    }
    finished.push(...(await finishBatch({ ...engine, hooks: NO_HOOKS }, state, rest, false)));
  }

  const results = Promise.resolve().then(run);
  return {
    state,
    push(call) {
      if (queue.isClosed) throw new Error("The turn has ended; open a new one for further calls.");
      const slot = createSlot(call);
      slot.isDuplicate = callIds.has(slot.callId);
      callIds.add(slot.callId);
      queue.push(slot);
    },
    end() {
      queue.close();
      return results;
    },
  };
}
