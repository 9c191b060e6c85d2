import { copyJson } from "@hasp/base/json";
import { Refusal } from "../../results/call-errors.js";
import { failure, refused, type Outcome } from "../../results/outcome.js";
import { answerBoolean, answerNow } from "../../tool/callback.js";
import type { ToolResult } from "../../tool/definition.js";
import { Stopped } from "../scheduling/with-timeout.js";
import { changeInput } from "./change-input.js";
import { isAwaited } from "./parse.js";
import type { JoinedCall } from "../state/attachments.js";
import { ExtensionFailure, readObject, readOutcome, readText } from "../state/extension-answers.js";
import type { CallState, Case } from "../state/call-state.js";
import type { KeptCall, KeptStep, PersonVote, PreparedCall, TurnPart } from "../state/extension.js";

/** Ends a call in a run that must not execute it. */
export class Departed {
  readonly code = "departed";
}

/** Gives a call to the extension that keeps it, and takes over what earlier runs know of it. */
export function takeOver(call: CallState, part: JoinedCall, keeper: TurnPart | undefined): void {
  attempt(part, "keep", () => {
    const kept = answerNow(keeper?.keep?.(call));
    if (kept === undefined) return;
    part.kept = readObject(kept) as KeptCall;
    const outcome = answerNow(part.kept.outcome);
    const earlier = answerNow(part.kept.earlier);
    if (outcome !== undefined) {
      call.outcome = readOutcome(outcome);
      call.stage = "parsed";
    }
    if (earlier === undefined) return;
    part.earlier = readObject(earlier) as PreparedCall;
    call.toolName = readText(part.earlier.toolName);
    if (outcome !== undefined) call.notes = part.earlier.notes;
  });
}

/**
 * Advances a kept call by one step, and gives it the input of the answer that allows it; it is reserved only after that.
 * Throws {@link Departed} if this run must not execute it.
 */
export async function advanceKept(
  about: Case,
  part: JoinedCall,
  door: "recall" | "ask" | "reserve",
  askHost?: () => Promise<PersonVote | undefined>,
): Promise<void> {
  const { call } = about;
  const step = await consult(part, door, async (kept) => {
    const given = door === "reserve" ? kept.reserve(isAwaited(about.engine, about.entry)) : kept[door](askHost);
    const { person, guardAllows, guardAsks, idempotencyKey, end, input, completion } = readObject(
      await given,
    ) as KeptStep;
    if (end !== undefined) {
      if (end !== "open") {
        if ("callId" in end) call.result = readResult(call, end);
        else call.outcome = readOutcome(end);
      }
      throw new Departed();
    }
    person?.topics.forEach(readText);
    if (guardAllows !== undefined) readText(guardAllows.reason);
    if (guardAsks?.reason !== undefined) readText(guardAsks.reason);
    if (door === "reserve" && input === undefined) call.idempotencyKey = readText(idempotencyKey);
    if (completion !== undefined) part.completion = readObject(completion) as typeof completion;
    return { person, guardAllows, guardAsks, ...(input !== undefined && { input: copyJson(input) }) };
  });
  const { person, guardAllows, guardAsks, input } = step;
  if (input !== undefined) await changeInput(about, input, "ask");
  if (person !== undefined) call.votes = { ...call.votes, person };
  if (guardAllows !== undefined) call.votes = { ...call.votes, guardAllows };
  if (guardAsks !== undefined) call.votes = { ...call.votes, guardAsks: { reason: guardAsks.reason } };
}

/** Stores a result. Returns it, or one that another process stored first. */
export async function settleKept(call: CallState, result: ToolResult, part: JoinedCall): Promise<ToolResult> {
  return consult(part, "settle", async (kept) => readResult(call, await kept.settle(result)));
}

/** Explains a refusal: another process may have begun the call. */
export function explainRefusal({ part }: CallState, reason: Refusal): Outcome {
  const kept = part?.kept;
  if (kept === undefined) return refused(reason);
  const explained = attempt(part, "explain", () => {
    const outcome = readOutcome(answerNow(kept.explain(reason)));
    if (outcome.isError) return outcome;
    throw new TypeError("it must answer an outcome that is an error");
  });
  return explained ?? failure(reason.error, "unknown");
}

/** True if this run leaves a kept call open: it gets no result. */
export function isLeftOpen({ part }: CallState): boolean {
  const kept = part?.kept;
  return kept !== undefined && attempt(part, "isOpen", () => answerBoolean(kept.isOpen)) === true;
}

/** Asks without waiting, and records a failure. */
function attempt<Answer>(part: JoinedCall | undefined, door: string, ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    part?.failKept(door, error);
    return undefined;
  }
}

/** Asks the extension that keeps a call. Throws its failure, or what refuses or stops the call. */
async function consult<Answer>(
  part: JoinedCall,
  door: keyof KeptCall,
  ask: (kept: KeptCall) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(part.kept as KeptCall);
  } catch (error) {
    const isOurs = [Refusal, Stopped, Departed, ExtensionFailure].some((kind) => error instanceof kind);
    throw isOurs ? error : part.failKept(door, error);
  }
}

function readResult({ callId }: CallState, given: unknown): ToolResult {
  const result = readObject(given) as ToolResult;
  if (result.callId === callId && Array.isArray(result.content)) return result;
  throw new TypeError("it must answer its result");
}
