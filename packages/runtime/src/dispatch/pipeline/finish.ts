import { callError } from "../../results/call-errors.js";
import { measureContent, measureOutput } from "../../results/content.js";
import { judgeEffect } from "../../results/from-returned.js";
import { createInternalFailure, failure, type Outcome } from "../../results/outcome.js";
import { createTextContent } from "../../results/text.js";
import { readOrigin } from "../state/call-origin.js";
import type { ToolResult } from "../../tool/definition.js";
import { displayLine, createEventSubject, findResultLimit, type CallState } from "../state/call-state.js";
import type { DispatchEvent } from "../state/dispatcher-types.js";
import type { Engine } from "../state/engine.js";
import type { TurnState } from "../state/turn-state.js";
import { ExtensionFailure } from "../state/extension-answers.js";
import { cutToBudget, cutToLimit, type Limited } from "./cut-results.js";
import { runPosts } from "./hooks.js";

/** Runs the post-hooks of executed calls in call order, and truncates every result to its limit. */
export async function finishBatch(
  engine: Engine,
  turn: TurnState,
  members: readonly CallState[],
  storing: Promise<unknown>[],
): Promise<void> {
  const { keeping } = engine.extensions;
  for (const call of members) {
    // It stays open, or another process answered it.
    if (keeping?.isLeftOpen(call) === true || call.result !== undefined) continue;
    log(engine, call);
    call.outcome = withNotes(call, call.outcome ?? createInternalFailure("it lost this call", "unknown"));
    if (call.stage === "executed" && engine.hooks.post.length > 0) {
      call.outcome = await runPosts(engine, turn, call, call.outcome, (before) => toResult(call, before, before));
    }
    const most = findResultLimit(call);
    const limited =
      most === "unlimited" || fits(call.outcome, most) ? call.outcome : await cut(engine, turn, call, most);
    const { outcome } = call;
    const result = (call.result = toSoundResult(call, outcome, limited));
    if (!call.isStored || keeping === undefined) {
      engine.emit?.(settled(call, result));
      continue;
    }
    const stored = keeping
      .settle(call, result)
      .catch(() => toSoundResult(call, outcome, limited))
      .then((kept) => {
        call.result = kept;
        engine.emit?.(settled(call, kept));
      });
    if (engine.extensions.first("keepsOrder") === true) storing.push(stored);
    else await stored;
  }
}

/** Creates a result; an error in its place if an extension has failed. */
function toSoundResult(call: CallState, outcome: Outcome, limited: Limited): ToolResult {
  const result = toResult(call, outcome, limited);
  const failed = call.part?.fault;
  if (failed === undefined || result.error?.code === failed.code) return result;
  call.outcome = withhold(call, outcome, failed);
  return toResult(call, call.outcome, call.outcome);
}

async function cut(engine: Engine, turn: TurnState, call: CallState, most: number): Promise<Limited> {
  const outcome = call.outcome as Outcome;
  try {
    return await cutToLimit(engine, turn, call, outcome, most);
  } catch (error) {
    return (call.outcome = withhold(call, outcome, error));
  }
}

/** Returns an error instead of a result that an extension could not see, or that cannot be redacted or cut. */
function withhold({ toolName, stage, classification }: CallState, { error }: Outcome, fault: unknown): Outcome {
  const effect = error?.effect ?? (stage === "executed" ? judgeEffect(classification, "landed") : "none");
  if (!(fault instanceof ExtensionFailure)) return createInternalFailure(fault, effect);
  const { extension, reason } = fault;
  return failure(callError("result/extension-failed", { tool: toolName, extension, reason }), effect);
}

/** Lets extensions write down a call; the calls of a program wait for those that it asked for earlier. */
function log({ nested }: Engine, { callId, part }: CallState): void {
  if (part === undefined) return;
  if (nested?.program === undefined) part.pass("log");
  else nested.program.order.hold(callId, () => part.pass("log"));
}

function settled(call: CallState, result: ToolResult): DispatchEvent {
  const { attempts, classification, stage, idempotencyKey } = call;
  const { error } = result;
  const phase = error?.phase;
  const isRejected = phase === "permission" || phase === "guard";
  const state = isRejected ? "rejected" : stage !== "executed" ? undefined : result.isError ? "failed" : "done";
  const output = result.output ?? (error === undefined ? call.outcome?.plainText : undefined);
  const line = state === undefined ? {} : displayLine(call, state, error === undefined ? { output } : { error });
  const key = attempts === 0 || idempotencyKey === undefined ? {} : { idempotencyKey };
  return {
    type: "settled",
    ...createEventSubject(call),
    result,
    attempts,
    ...key,
    class: classification.class,
    phase,
    ...line,
  };
}

/** Returns the results of a turn within its budget. */
export function finishTurn(
  engine: Engine,
  turn: TurnState,
  finished: readonly CallState[],
): readonly ToolResult[] | Promise<readonly ToolResult[]> {
  const results = finished.map(({ result }) => result as ToolResult);
  const { turnResultBudgetChars } = engine;
  if (turnResultBudgetChars === undefined) return Object.freeze(results);
  const cutting = cutToBudget(engine, turn, finished, results, turnResultBudgetChars, toResult);
  return cutting.then(() => Object.freeze(results));
}

function fits(outcome: Outcome, most: number): boolean {
  return measureContent(outcome.content) <= most && measureOutput(outcome) <= most;
}

function withNotes({ notes }: CallState, outcome: Outcome): Outcome {
  return notes.length === 0
    ? outcome
    : { ...outcome, notes, content: [...outcome.content, ...notes.flatMap(createTextContent)] };
}

function toResult(
  { received, callId, calledAs, toolName, wasConcurrent, part }: CallState,
  outcome: Outcome,
  { content, output, offloaded }: Limited,
): ToolResult {
  for (let index = 0; index < content.length; index += 1) Object.freeze(content[index]);
  const { isError, details, terminate, error, notes, durationMs } = outcome;
  const result: Writable<ToolResult> = {
    callId,
    toolName,
    isError,
    content: Object.freeze(content),
    durationMs,
    wasConcurrent,
  };
  if (calledAs !== toolName) result.calledAs = calledAs;
  const origin = readOrigin(received);
  if (origin !== undefined && origin !== false) result.origin = origin;
  if (output !== undefined) result.output = output;
  if (details !== undefined) result.details = details;
  if (error !== undefined) result.error = error;
  if (terminate === true && !isError) result.terminate = true;
  const labels = part?.labels();
  if (labels !== undefined) result.labels = labels;
  if (notes !== undefined) result.notes = notes;
  if (offloaded !== undefined) result.offloaded = Object.freeze(offloaded);
  return Object.freeze(result);
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
