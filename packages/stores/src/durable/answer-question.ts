import { dropUndefined } from "@hasp/base/json";
import type { CallRecord, Question, AnswerOutcome, StoredAnswer } from "@hasp/runtime/call-store";
import { presentQuestion } from "@hasp/runtime";
import { cut, withTimeout } from "@hasp/runtime/internal";
import { readMembers } from "@hasp/runtime/internal/durable";
import { createNestedTurnId } from "./turn-record.js";
import type { DurableSettings } from "./stored-turn.js";

export const MOST_REASON = 500;

type AnswerSettings = Pick<DurableSettings, "timeoutMs" | "allowUnseenInput" | "mayAnswer">;
type DeclineReason = Extract<AnswerOutcome, { readonly accepted: false }>["reason"];

export async function answerQuestion(
  settings: DurableSettings,
  questionId: string,
  answer: StoredAnswer,
): Promise<AnswerOutcome> {
  const { decision, reason, by } = checkAnswer(questionId, answer);
  const said = dropUndefined({ by, reason, questionId });
  const { store } = settings;
  for (;;) {
    const [question] = await within(settings, store.questions({ id: questionId }));
    if (question === undefined) return declined("unknown-question");
    const call = await callOf(settings, question);
    if (call?.question?.id !== questionId) return declined("unknown-question");
    const { turnId, callId } = call;
    const advance = (to: CallRecord["state"], patch: object): Promise<boolean> =>
      within(settings, store.advance(turnId, callId, call, to, patch));
    const refusedAs = await findReasonToDecline(settings, question, call, answer);
    if (refusedAs === undefined) {
      const patch = dropUndefined({ decidedBy: by, reason, audit: said });
      if (await advance(decision === "allow" ? "allowed" : "denied", patch)) return Object.freeze({ accepted: true });
    } else {
      const to = refusedAs === "expired" ? "expired" : call.state;
      if (await advance(to, { audit: { ...said, code: refusedAs } })) return declined(refusedAs);
    }
  }
}

export function checkAnswer(questionId: unknown, answer: unknown): StoredAnswer {
  if (Object.hasOwn(Object(answer), "input")) {
    throw new TypeError("An answer to a stored question cannot change the input of its call. Refuse it with a reason.");
  }
  const { decision, reason, by } = readMembers(
    Object(answer) as object,
    ["decision", "reason", "by"],
    "The answer has",
  );
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  if (typeof questionId !== "string" || !isText(reason) || !isText(by)) {
    throw new TypeError("answer takes the id of a question, and strings as `reason` and `by`.");
  }
  if (decision !== "allow" && decision !== "deny") throw new TypeError('The decision must be "allow" or "deny".');
  const given = answer as StoredAnswer;
  return given.reason === undefined ? given : { ...given, reason: cut(given.reason, MOST_REASON) };
}

/** Returns why an answer to this call's question is declined, or `undefined` if it counts. */
export async function findReasonToDecline(
  settings: AnswerSettings,
  question: Question,
  call: Pick<CallRecord, "state">,
  { by, decision }: StoredAnswer,
): Promise<DeclineReason | undefined> {
  if (!(await isPermitted(settings, question, by))) return "not-permitted";
  if (call.state !== "asked") return call.state === "expired" ? "expired" : "already-decided";
  if (new Date(question.expiresAt).getTime() <= Date.now()) return "expired";
  const isUnseen = question.refuseOnly || !(settings.allowUnseenInput || presentQuestion(question).mayAllow);
  return decision === "allow" && isUnseen ? "not-judgeable" : undefined;
}

async function isPermitted(settings: AnswerSettings, question: Question, by: string | undefined): Promise<boolean> {
  const { mayAnswer } = settings;
  if (mayAnswer === undefined) return question.principal === undefined || question.principal === by;
  try {
    return (await within(settings, (async () => mayAnswer(question, by))())) === true;
  } catch {
    return false;
  }
}

async function callOf(settings: DurableSettings, { turnId, callId }: Question): Promise<CallRecord | undefined> {
  // The calls of a program are turns of their own.
  for (const id of [turnId, createNestedTurnId(turnId, callId)]) {
    const turn = await within(settings, settings.store.read(id));
    const found = turn?.calls.find((call) => call.callId === callId);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Limits a request to the store. */
export function within<Value>(
  { timeoutMs }: Pick<DurableSettings, "timeoutMs">,
  pending: Promise<Value>,
): Promise<Value> {
  return withTimeout(pending, { milliseconds: timeoutMs });
}

function declined(reason: DeclineReason): AnswerOutcome {
  return Object.freeze({ accepted: false, reason });
}
