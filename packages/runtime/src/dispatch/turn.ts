import type { ToolCall, ToolResult } from "../tool/definition.js";
import type { CallProgress } from "./dispatcher-types.js";
import { runBatch } from "./batch.js";
import { bounded } from "./scheduling/bounded.js";
import { CallQueue } from "./scheduling/call-queue.js";
import { safely, type Engine } from "./engine.js";
import { finishBatch, finishTurn } from "./finish.js";
import { createSlot, type Slot } from "./slot.js";
import { ourFault } from "../results/outcome.js";
import type { Toolset } from "./registry/toolset.js";
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
  readonly toolset: Toolset;
  /** Tools that are still being assembled; `toolset` serves where they do not come. */
  readonly renewed?: Promise<Toolset> | undefined;
  readonly onResult?: ((result: ToolResult) => void) | undefined;
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
  /** Called when all calls are settled, before the turn answers. Never throws. */
  readonly onEnd?: () => void | Promise<void>;
}

/** Begins a turn: parts its calls into batches and runs these in order. */
export function runTurn(engine: Engine, beginning: TurnBeginning): RunningTurn {
  const { context, signal, toolset, renewed, onEnd } = beginning;
  const onResult = safely(beginning.onResult);
  const queue = new CallQueue();
  const callIds = new Set<string>();
  const state = new TurnState(context, toolset, safely(beginning.onProgress));
  const finished: Slot[] = [];
  const stopOnAbort = (): void => state.stop({ code: "aborted", message: "The session was stopped." });
  if (signal?.aborted === true) stopOnAbort();
  else signal?.addEventListener("abort", stopOnAbort, { once: true });

  async function run(): Promise<readonly ToolResult[]> {
    try {
      if (renewed !== undefined) state.toolset = await bounded(renewed, state).catch(() => toolset);
      for (;;) {
        if (queue.peek() !== undefined) finish(await runBatch(engine, state, queue));
        else if (queue.isClosed) break;
        else await queue.changed();
      }
    } catch (error) {
      await answerTheRest(error);
    }
    const results = await finishTurn(engine, state, finished);
    const ending = onEnd?.();
    if (ending !== undefined) await bounded(ending, state).catch(() => undefined);
    signal?.removeEventListener("abort", stopOnAbort);
    return results;
  }

  /** A fault of ours, which must not cost a call its answer. */
  async function answerTheRest(error: unknown): Promise<void> {
    queue.close();
    const rest = queue.slots.slice(finished.length);
    for (const slot of rest) slot.outcome ??= ourFault(error, slot.attempts === 0 ? "none" : "unknown");
    await finishBatch({ ...engine, hooks: undefined }, state, rest, false);
    finish(rest);
  }

  function finish(batch: readonly Slot[]): void {
    finished.push(...batch);
    if (onResult !== undefined) for (const { result } of batch) if (result !== undefined) onResult(result);
  }

  const results = Promise.resolve().then(run);
  return {
    state,
    push(call) {
      if (queue.isClosed) throw new Error("The turn has ended; open a new one for further calls.");
      const slot = createSlot(call);
      // A call without an id is malformed, not a second one of its kind.
      slot.isDuplicate = slot.callId !== "" && callIds.has(slot.callId);
      callIds.add(slot.callId);
      queue.push(slot);
    },
    end() {
      queue.close();
      return results;
    },
  };
}
