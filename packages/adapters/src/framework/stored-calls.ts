import type { CallSession, Dispatcher, RunArguments, RunOutcome, ToolCall, ToolResult } from "@hasp/runtime";
import { answerNow } from "../../../runtime/src/tool/callback.js";
import { previewQuestion, type CallQuestion } from "./approvals.js";
import type { FrameworkCalls } from "./framework-calls.js";

/**
 * Runs each call as a turn of its own in the dispatcher's call store. A framework that starts over after a crash, or
 * repeats a step to bring an answer, starts the same call again; the store answers it with its result.
 */
export function storedCalls<Context>(
  dispatcher: Dispatcher<Context>,
  turnId: (callId: string) => string,
  answeredBy: string | undefined,
): FrameworkCalls<Context> {
  const run = async (call: ToolCall, { context, signal }: CallSession<Context>): Promise<RunOutcome> => {
    // The type of the context was settled where the framework's tools were created.
    const options = [{ turnId: answerNow(turnId(call.id)), context, signal }] as unknown as RunArguments<Context>;
    return await dispatcher.run([call], ...options);
  };
  return {
    async question(call, session) {
      const preview = await previewQuestion(dispatcher, call, session.context);
      if (preview === undefined) return undefined;
      return questionIn(await run(call, session));
    },
    async run(call, session, answer) {
      let outcome = await run(call, session);
      if (outcome.status === "waiting" && answer !== undefined) {
        for (const { id } of outcome.questions) await dispatcher.answer(id, { ...answer, by: answeredBy });
        outcome = await run(call, session);
      }
      return outcome.results[0] ?? stillWaiting(call);
    },
  };
}

function questionIn(outcome: RunOutcome): CallQuestion | undefined {
  if (outcome.status === "settled") return undefined;
  const [question] = outcome.questions;
  if (question === undefined) return undefined;
  const { id, callId, toolName, input, hidden, refuseOnly, inputDigest, isDestructive, reason } = question;
  return {
    callId,
    toolName,
    input,
    ...(hidden !== undefined && { hidden }),
    ...(refuseOnly && { refuseOnly }),
    inputDigest,
    class: question.class,
    isDestructive,
    ...(reason !== undefined && { reason }),
    questionId: id,
  };
}

/** Creates the result of a call whose question is open, if the framework continued without an answer. */
function stillWaiting({ id, name }: ToolCall): ToolResult {
  const message = `The call of ${name} waits for a person's answer. It has not run. Do not repeat it.`;
  return Object.freeze({
    callId: id,
    toolName: name,
    isError: true,
    content: [{ type: "text" as const, text: message }],
    error: { phase: "permission" as const, code: "waiting", message, effect: "none" as const },
    durationMs: 0,
    wasConcurrent: false,
  });
}
