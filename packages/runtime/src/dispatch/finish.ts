import type { ToolResult } from "../tool/definition.js";
import type { DispatchEvent } from "./dispatcher-types.js";
import { limit, sizeOf, type Limited, type PutAway } from "../results/limits.js";
import { ourFault, type Outcome } from "../results/outcome.js";
import { textContent } from "../results/text.js";
import { displayLine } from "./display-line.js";
import type { Engine } from "./engine.js";
import { idsOf, type Slot } from "./slot.js";
import type { TurnState } from "./turn-state.js";

/**
 * Lets post-hooks see what was executed, in call order, and puts every result under its limit: the one exit for all.
 */
export async function finishBatch(
  engine: Engine,
  turn: TurnState,
  members: readonly Slot[],
  wasConcurrent: boolean,
): Promise<void> {
  for (const slot of members) {
    slot.outcome = withNotes(slot, slot.outcome ?? ourFault("it lost this call", "unknown"));
    if (slot.stage === "executed" && engine.hooks !== undefined) {
      const after = engine.hooks.after(engine, turn, slot, slot.outcome, (before) =>
        toResult(slot, before, before, wasConcurrent),
      );
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

/** The results of a turn in call order, under its budget. */
export async function finishTurn(
  engine: Engine,
  turn: TurnState,
  finished: readonly Slot[],
): Promise<readonly ToolResult[]> {
  return Object.freeze(
    engine.cutToBudget === undefined ? resultsOf(finished) : await engine.cutToBudget(engine, turn, finished),
  );
}

/** What the calls of a turn have come to. */
export function resultsOf(finished: readonly Slot[]): ToolResult[] {
  const results: ToolResult[] = [];
  for (const { result } of finished) if (result !== undefined) results.push(result);
  return results;
}

function withNotes({ notes }: Slot, outcome: Outcome): Outcome {
  return notes.length === 0 ? outcome : { ...outcome, content: [...outcome.content, ...notes.flatMap(textContent)] };
}

/** How many characters of a call's result the model may see. */
export function limitOf({ entry }: Slot): number | "unlimited" {
  return entry?.tool.metadata.limits.maxResultSizeChars ?? UNKNOWN_TOOL_LIMIT;
}

/** A call to a tool that does not exist is answered with a sentence. */
const UNKNOWN_TOOL_LIMIT = 2000;

/** Puts a result away, where the host has a store. */
export function putAway(engine: Engine, turn: TurnState, slot: Slot): PutAway {
  return async (content) => engine.offload?.(engine, turn, slot, content);
}

/** A result as the host and the model get it. */
export function toResult(
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
