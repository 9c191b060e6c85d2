import type { ToolResult } from "../contract/definition.js";
import type { DispatchEvent } from "../contract/dispatcher.js";
import { fairLimit, limit, sizeOf, type Limited, type PutAway } from "../results/limits.js";
import { ourFault, type Outcome } from "../results/outcome.js";
import { cut, messageOf, textContent } from "../results/text.js";
import { bounded } from "./bounded.js";
import { displayLine } from "./display-line.js";
import type { Engine } from "./engine.js";
import { post } from "./lifecycle/hooks.js";
import { idsOf, type Slot } from "./slot.js";
import { GRACE_MS } from "./stop.js";
import type { TurnState } from "./turn-state.js";

/** Lets post-hooks see what was executed, in call order, and puts every result under its limit: the one exit for all. */
export async function finishBatch(
  engine: Engine,
  turn: TurnState,
  members: readonly Slot[],
  wasConcurrent: boolean,
): Promise<void> {
  for (const slot of members) {
    slot.outcome = withNotes(slot, slot.outcome ?? ourFault("it lost this call", "unknown"));
    if (slot.stage === "executed" && engine.hooks.post.length > 0) {
      const after = post(engine, turn, slot, slot.outcome, (before) => toResult(slot, before, before, wasConcurrent));
      slot.outcome = after instanceof Promise ? await after : after;
    }
    const { content } = slot.outcome;
    const most = limitOf(slot);
    const fits = most === "unlimited" || sizeOf(content) <= most;
    const limited = fits ? slot.outcome : await limit(content, most, putAway(engine, turn, slot));
    slot.result = toResult(slot, slot.outcome, limited, wasConcurrent);
    engine.emit?.(settled(slot, slot.result));
  }
}

function settled(slot: Slot, result: ToolResult): DispatchEvent {
  const { attempts, classification, stage } = slot;
  const phase = result.error?.phase;
  const isRejected = phase === "permission" || phase === "guard";
  const state = isRejected ? "rejected" : stage !== "executed" ? undefined : result.isError ? "failed" : "done";
  const line = state === undefined ? {} : displayLine(slot, state);
  return { type: "settled", ...idsOf(slot), result, attempts, class: classification.class, phase, ...line };
}

/** The results of a turn in call order, cut further where they exceed its budget together. */
export async function finishTurn(
  engine: Engine,
  turn: TurnState,
  finished: readonly Slot[],
): Promise<readonly ToolResult[]> {
  const results = finished.flatMap(({ result }) => result ?? []);
  if (engine.turnResultBudgetChars === Infinity) return Object.freeze(results);
  const sizes = finished.map((slot, index) => ({ sizeChars: sizeOf(results[index]?.content ?? []), limit: limitOf(slot) }));
  const most = fairLimit(sizes, engine.turnResultBudgetChars);
  for (const [index, slot] of finished.entries()) {
    const { outcome, result } = slot;
    if (most === undefined || outcome === undefined || result === undefined) continue;
    if (limitOf(slot) === "unlimited" || sizeOf(result.content) <= most) continue;
    const limited = await limit(outcome.content, most, putAway(engine, turn, slot), result.offloaded);
    results[index] = toResult(slot, outcome, limited, result.wasConcurrent);
  }
  return Object.freeze(results);
}

function withNotes({ notes }: Slot, outcome: Outcome): Outcome {
  return notes.length === 0 ? outcome : { ...outcome, content: [...outcome.content, ...notes.flatMap(textContent)] };
}

function limitOf({ entry }: Slot): number | "unlimited" {
  return entry?.tool.metadata.limits.maxResultSizeChars ?? UNKNOWN_TOOL_LIMIT;
}

/** A call to a tool that does not exist is answered with a sentence. */
const UNKNOWN_TOOL_LIMIT = 2000;

/** Puts a result into the host's store, whatever that does; `undefined` where there is none, or it failed. */
function putAway({ resultStore, hookTimeoutMs, emit }: Engine, turn: TurnState, slot: Slot): PutAway {
  return async (content) => {
    if (resultStore === undefined) return undefined;
    let message = "the result store did not answer with a reference";
    try {
      const pending = Promise.resolve(resultStore.put({ ...idsOf(slot), content }));
      const reference: unknown = await bounded(pending, turn, { milliseconds: hookTimeoutMs, graceMs: GRACE_MS });
      if (typeof reference === "string" && reference !== "") return cut(reference, 1000);
    } catch (error) {
      message = messageOf(error);
    }
    emit?.({ type: "problem", ...idsOf(slot), code: "result-store-failed", message });
    return undefined;
  };
}

function toResult(
  { callId, calledAs, toolName }: Slot,
  outcome: Outcome,
  { content, offloaded }: Limited,
  wasConcurrent: boolean,
): ToolResult {
  for (const block of content) Object.freeze(block);
  const { isError, output, details, terminate, error, durationMs } = outcome;
  const result: Writable<ToolResult> = {
    callId,
    toolName,
    isError,
    content: Object.freeze(content),
    durationMs,
    wasConcurrent,
  };
  if (calledAs !== toolName) result.calledAs = calledAs;
  if (output !== undefined) result.output = output;
  if (details !== undefined) result.details = details;
  if (error !== undefined) result.error = error;
  if (terminate === true && !isError) result.terminate = true;
  if (offloaded !== undefined) result.offloaded = Object.freeze(offloaded);
  return Object.freeze(result);
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
