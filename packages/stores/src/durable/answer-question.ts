import { copyJson, dropUndefined, findValueAt, type JsonValue, refuseRounded } from "@hasp/base/json";
import type { CallRecord, Question, AnswerOutcome, StoredAnswer } from "@hasp/runtime/call-store";
import { presentQuestion } from "@hasp/runtime";
import { cut, withTimeout } from "@hasp/runtime/internal";
import { readMembers } from "@hasp/runtime/internal/durable";
import { NO_DIGEST } from "./bound-call.js";
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
  const { decision, reason, by, input } = checkAnswer(questionId, answer);
  const said = dropUndefined({ by, reason, questionId });
  const { store } = settings;
  for (;;) {
    const [question] = await within(settings, store.questions({ id: questionId }));
    if (question === undefined) return declined("unknown-question");
    const call = await callOf(settings, question);
    if (call === undefined) return declined("unknown-question");
    assertFilledIn(question, input);
    const { turnId, callId } = call;
    const advance = (to: CallRecord["state"], patch: object): Promise<boolean> =>
      within(settings, store.advance(turnId, callId, call, to, patch));
    const refusedAs = await findReasonToDecline(settings, question, call, answer);
    if (refusedAs === undefined) {
      const changedFrom = input === undefined ? undefined : question.inputDigest;
      const patch = dropUndefined({
        answered: true,
        decidedBy: by,
        reason,
        edit: input,
        // An older process knows no edits: it then takes the call for a changed one, and refuses it.
        inputDigest: input === undefined ? undefined : NO_DIGEST,
        audit: dropUndefined({ ...said, changedFrom }),
      });
      if (await advance(decision === "allow" ? "allowed" : "denied", patch)) return Object.freeze({ accepted: true });
    } else {
      const to = refusedAs === "expired" ? "expired" : call.state;
      if (await advance(to, { audit: { ...said, code: refusedAs } })) return declined(refusedAs);
    }
  }
}

/** The most characters of what an answer or a completion gives, as JSON. */
export const MOST_INPUT = 1_000_000;

/** Thrown for an answer that does not fit: the mistake of the one who answers, and no fault of the call store. */
export class InvalidAnswer extends TypeError {
  readonly code = "invalid-answer";
}

/** Reads an answer. Throws {@link InvalidAnswer} for one that does not fit. */
export function checkAnswer(questionId: unknown, answer: unknown): StoredAnswer {
  try {
    return readAnswer(questionId, answer);
  } catch (error) {
    throw error instanceof TypeError ? new InvalidAnswer(error.message) : error;
  }
}

function readAnswer(questionId: unknown, answer: unknown): StoredAnswer {
  const { decision, reason, by, input } = readMembers(
    Object(answer) as object,
    ["decision", "reason", "by", "input"],
    "The answer has",
  );
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  if (typeof questionId !== "string" || !isText(reason) || !isText(by)) {
    throw new TypeError("answer takes the id of a question, and strings as `reason` and `by`.");
  }
  if (decision !== "allow" && decision !== "deny") throw new TypeError('The decision must be "allow" or "deny".');
  if (input !== undefined && decision !== "allow") throw new TypeError('`input` needs the decision "allow".');
  const edit = input === undefined ? undefined : copyJson(input, refuseRounded);
  if (JSON.stringify(edit ?? null).length > MOST_INPUT) {
    throw new TypeError(`The \`input\` of an answer may have at most ${MOST_INPUT} characters of JSON.`);
  }
  const given = answer as StoredAnswer;
  return dropUndefined({
    decision: given.decision,
    reason: given.reason === undefined ? undefined : cut(given.reason, MOST_REASON),
    by: given.by,
    input: edit,
  });
}

/** Throws {@link InvalidAnswer} for an input that repeats the mark which the question shows in place of a hidden part. */
export function assertFilledIn({ hidden: [place] = [], input: shown }: Question, input: JsonValue | undefined): void {
  const mark = place === undefined ? undefined : findValueAt(shown, place);
  if (typeof mark !== "string" || JSON.stringify(input)?.includes(mark) !== true) return;
  throw new InvalidAnswer(
    `The \`input\` has ${mark}, which only stands for a part that was hidden. Fill that part in.`,
  );
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

/** Finds the call that a question is about. */
async function callOf(
  settings: DurableSettings,
  { id: asked, turnId, callId }: Question,
): Promise<CallRecord | undefined> {
  // The calls of a program are turns of their own; another call of the model's may have such an id, too.
  for (const id of [turnId, createNestedTurnId(turnId, callId)]) {
    const turn = await within(settings, settings.store.read(id));
    const found = turn?.calls.find(({ question }) => question?.id === asked);
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
