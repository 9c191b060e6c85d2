import { copyJson } from "@hasp/base/json";
import { Refusal } from "../../results/call-errors.js";
import { failure } from "../../results/outcome.js";
import { answerBoolean, answerNow } from "../../tool/callback.js";
import type { ToolResult } from "../../tool/definition.js";
import { Stopped } from "../../dispatch/scheduling/with-timeout.js";
import { changeInput } from "../../dispatch/pipeline/change-input.js";
import { isAwaited } from "../../dispatch/pipeline/parse.js";
import type { JoinedCall } from "../../dispatch/state/attachments.js";
import {
  Departed,
  ExtensionFailure,
  readObject,
  readOutcome,
  readText,
} from "../../dispatch/state/extension-answers.js";
import type { CallState } from "../../dispatch/state/call-state.js";
import type { CallKeeping } from "../../dispatch/state/no-extensions.js";
import type { KeptCall, KeptStep, PreparedCall } from "../../dispatch/state/extension.js";

/** The calls between the dispatcher and the extension that keeps its calls. */
export const keeping: object = {
  takeOver(call, part, keeper) {
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
  },
  async advance(about, door, askHost) {
    const { call } = about;
    const part = call.part as JoinedCall;
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
  },
  settle: (call, result) =>
    consult(call.part as JoinedCall, "settle", async (kept) => readResult(call, await kept.settle(result))),
  explain({ part }, reason) {
    const kept = part?.kept;
    if (kept === undefined) return undefined;
    const explained = attempt(part, "explain", () => {
      const outcome = readOutcome(answerNow(kept.explain(reason)));
      if (outcome.isError) return outcome;
      throw new TypeError("it must answer an outcome that is an error");
    });
    return explained ?? failure(reason.error, "unknown");
  },
  isLeftOpen({ part }) {
    const kept = part?.kept;
    return kept !== undefined && attempt(part, "isOpen", () => answerBoolean(kept.isOpen)) === true;
  },
} satisfies CallKeeping;

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
