import { measureContent, measureOutput } from "../../results/content.js";
import { judgeEffect } from "../../results/from-returned.js";
import { createInternalFailure, type Outcome } from "../../results/outcome.js";
import { messageOf, createTextContent } from "../../results/text.js";
import { loadOnce } from "../../tool/callback.js";
import type { ToolResult } from "../../tool/definition.js";
import { displayLine, createEventSubject, findResultLimit, type CallState } from "../state/call-state.js";
import type { DispatchEvent } from "../state/dispatcher-types.js";
import type { Engine } from "../state/engine.js";
import type { TurnState } from "../state/turn-state.js";
import { LABELS } from "../state/conversation.js";
import type { Limited } from "./cut-results.js";

/** Loads the code that runs hooks, which few hosts have. */
export const loadHooks: () => Promise<typeof import("./hooks.js")> = /* @__PURE__ */ loadOnce(
  () => import("./hooks.js"),
);

/** Loads the code that cuts results that are too long. */
const loadCutting: () => Promise<typeof import("./cut-results.js")> = /* @__PURE__ */ loadOnce(
  () => import("./cut-results.js"),
);

/** Runs the post-hooks of executed calls in call order, and truncates every result to its limit. */
export async function finishBatch(engine: Engine, turn: TurnState, members: readonly CallState[]): Promise<void> {
  for (const call of members) {
    // It stays open, or another process answered it.
    if (call.stored?.question !== undefined || call.result !== undefined) continue;
    writeToTape(engine, call);
    call.outcome = withNotes(call, call.outcome ?? createInternalFailure("it lost this call", "unknown"));
    if (call.stage === "executed" && engine.posts.length > 0) {
      call.outcome = await runPosts(engine, turn, call, call.outcome);
    }
    const most = findResultLimit(call);
    const limited =
      most === "unlimited" || fits(call.outcome, most) ? call.outcome : await cut(engine, turn, call, most);
    const result = toResult(call, call.outcome, limited);
    call.result = result;
    if (call.stored === undefined) {
      engine.emit?.(settled(call, result));
      continue;
    }
    const storing = call.stored.settle(call).then(() => engine.emit?.(settled(call, call.result ?? result)));
    if (call.stored.isStoredInOrder) turn.storing.push(storing);
    else await storing;
  }
}

async function runPosts(engine: Engine, turn: TurnState, call: CallState, outcome: Outcome): Promise<Outcome> {
  try {
    const hooks = await loadHooks();
    return await hooks.runPosts(engine, turn, call, outcome, (before) => toResult(call, before, before));
  } catch (error) {
    return withhold(call, outcome, error);
  }
}

async function cut(engine: Engine, turn: TurnState, call: CallState, most: number): Promise<Limited> {
  const outcome = call.outcome as Outcome;
  try {
    const { cutToLimit } = await loadCutting();
    return await cutToLimit(engine, turn, call, outcome, most);
  } catch (error) {
    return (call.outcome = withhold(call, outcome, error));
  }
}

/** Returns an error instead of a result that cannot be redacted or cut, since the code for that is gone. */
function withhold({ classification }: CallState, { error }: Outcome, fault: unknown): Outcome {
  return createInternalFailure(fault, error?.effect ?? judgeEffect(classification, "landed"));
}

function writeToTape({ emit, nested }: Engine, call: CallState): void {
  const { writeToTape } = call;
  if (writeToTape === undefined) return;
  const write = (): void => {
    try {
      writeToTape();
    } catch (error) {
      emit?.({ type: "problem", ...createEventSubject(call), code: "tape-incomplete", message: messageOf(error) });
    }
  };
  if (nested?.program === undefined) write();
  else nested.program.writes.hold(call.callId, write);
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
  return loadCutting()
    .then(
      ({ cutToBudget }) => cutToBudget(engine, turn, finished, results, turnResultBudgetChars, toResult),
      // Without that code, each result keeps its own limit.
      () => undefined,
    )
    .then(() => Object.freeze(results));
}

function fits(outcome: Outcome, most: number): boolean {
  return measureContent(outcome.content) <= most && measureOutput(outcome) <= most;
}

function withNotes({ notes }: CallState, outcome: Outcome): Outcome {
  return notes.length === 0
    ? outcome
    : { ...outcome, content: [...outcome.content, ...notes.flatMap(createTextContent)] };
}

function toResult(
  { callId, calledAs, toolName, wasConcurrent, labels: own, innerLabels }: CallState,
  outcome: Outcome,
  { content, output, offloaded }: Limited,
): ToolResult {
  for (let index = 0; index < content.length; index += 1) Object.freeze(content[index]);
  const { isError, details, terminate, error, durationMs } = outcome;
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
  if (own?.untrusted === true && own.private) result.labels = LABELS;
  else if (own !== undefined || innerLabels.length > 0) {
    const labels = LABELS.filter((label) => own?.[label] === true || innerLabels.includes(label));
    if (labels.length > 0) result.labels = Object.freeze(labels);
  }
  if (offloaded !== undefined) result.offloaded = Object.freeze(offloaded);
  return Object.freeze(result);
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
