import { canonicalText, isObject, type JsonObject, type JsonValue } from "@hasp/base/json";
import {
  type AskAnswer,
  type CallSession,
  type ConcurrencyClass,
  type Dispatcher,
  type PermissionRequest,
  presentQuestion,
  type ToolCall,
} from "@hasp/runtime";

/** The question about a call that a framework holds back. JSON, so that a framework can store it. */
export interface CallQuestion {
  readonly callId: string;
  readonly toolName: string;
  /** Decoded, coerced, with defaults: exactly what would run. */
  readonly input: JsonValue;
  /** JSON Pointers to the parts that `input` shows as `[secret]`. */
  readonly hidden?: readonly string[];
  /** Present if the call can only be refused, because its question hides too much. */
  readonly refuseOnly?: true;
  readonly inputDigest: string;
  readonly class: ConcurrencyClass;
  readonly isDestructive: boolean;
  readonly reason?: string;
  /** The id of the stored question, if a call store keeps it. */
  readonly questionId?: string;
}

export interface CallAnswer {
  readonly decision: "allow" | "deny";
  /** The reason that the model reads if the call is refused. */
  readonly reason?: string | undefined;
}

const UNREADABLE = "The answer to the question could not be read.";
const FIXED_INPUT = "An answer cannot change the input of the call here, so it is refused.";

/** Reads a person's answer as a framework hands it back. Anything unknown in it refuses the call. */
export function readCallAnswer(answer: unknown): CallAnswer {
  const { callId: _callId, decision, reason, ...others } = Object(answer) as { readonly [part: string]: unknown };
  if (Object.hasOwn(others, "input")) return { decision: "deny", reason: FIXED_INPUT };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || (decision !== "allow" && decision !== "deny")) {
    return { decision: "deny", reason: unknown === undefined ? UNREADABLE : `${UNREADABLE} It has \`${unknown}\`.` };
  }
  return { decision, ...(typeof reason === "string" && { reason }) };
}

type QuestionSession<Context> = Pick<CallSession<Context>, "context" | "conversation">;

export interface FrameworkApprovals {
  readonly ask: (request: PermissionRequest) => AskAnswer;
  /**
   * Returns true if the framework must ask a person. The framework asks with what it has now; executing the call with
   * that input then counts as consent.
   */
  needsApproval<Context>(
    dispatcher: Dispatcher<Context>,
    call: ToolCall,
    session: QuestionSession<Context>,
  ): Promise<boolean>;
}

export interface AnsweredApprovals extends FrameworkApprovals {
  /** Keeps the question that the framework now shows a person: an answer counts for its input alone. */
  show(question: CallQuestion): void;
  /** Keeps a person's answer to the question that was shown last about this call; it counts once. */
  answer(callId: string, answer: CallAnswer): void;
}

/** Limits the remembered questions: the oldest is forgotten, and its call refused. */
const MOST_QUESTIONS = 10_000;

/** Creates approvals. Each is bound to the call id and the exact input, is used once, and lives in this process. */
export function createApprovals(): AnsweredApprovals {
  const asked = new Map<string, { readonly question: CallQuestion; answer?: CallAnswer }>();

  function show(question: CallQuestion): void {
    asked.delete(question.callId);
    asked.set(question.callId, { question });
    const [oldest] = asked.keys();
    if (asked.size > MOST_QUESTIONS && oldest !== undefined) asked.delete(oldest);
  }

  function answer(callId: string, given: CallAnswer): void {
    const entry = asked.get(callId);
    if (entry !== undefined) entry.answer = readCallAnswer(given);
  }

  return Object.freeze({
    show,
    answer,
    ask(request: PermissionRequest): AskAnswer {
      const { callId, toolName, inputDigest } = request;
      const entry = asked.get(callId);
      if (entry?.answer === undefined) {
        return { decision: "deny", reason: `Nobody was asked about this call of ${toolName} with this input.` };
      }
      if (entry.question.inputDigest !== inputDigest) {
        return { decision: "deny", reason: explainChange(entry.question, request) };
      }
      asked.delete(callId);
      const { decision, reason } = entry.answer;
      const { mayAllow, notes } = presentQuestion(request);
      if (decision === "allow" && !mayAllow) return { decision: "deny", reason: notes.join(" ") };
      return decision === "allow" ? { decision, reason: "a person approved it" } : { decision: "deny", reason };
    },
    async needsApproval<Context>(
      dispatcher: Dispatcher<Context>,
      call: ToolCall,
      session: QuestionSession<Context>,
    ): Promise<boolean> {
      const question = await previewQuestion(dispatcher, call, session);
      if (question === undefined) return false;
      show(question);
      answer(call.id, { decision: "allow" });
      return true;
    },
  });
}

function explainChange({ toolName, input: shown }: CallQuestion, { input }: PermissionRequest): string {
  const [before, after] = [membersOf(shown), membersOf(input)];
  const changed = Object.keys({ ...before, ...after }).filter(
    (name) => canonicalText(before[name] ?? null) !== canonicalText(after[name] ?? null),
  );
  const where = changed.length === 0 ? "" : ` (${changed.map((name) => `\`${name}\``).join(", ")})`;
  return `The input of this call of ${toolName} has changed since a person was asked about it${where}, so the answer does not count. Call the tool again: a person is then asked about the new input.`;
}

function membersOf(input: unknown): JsonObject {
  return isObject(input) ? (input as JsonObject) : {};
}

/** Returns the question that the dispatcher would ask a person; `undefined` if it decides alone. */
export async function previewQuestion<Context>(
  dispatcher: Dispatcher<Context>,
  call: ToolCall,
  { context, conversation }: QuestionSession<Context>,
): Promise<CallQuestion | undefined> {
  const preview = await dispatcher.preview(call, { context, conversation });
  if (preview.decision !== "ask") return undefined;
  const { toolName, input, inputDigest, classification, reason } = preview;
  return {
    callId: call.id,
    toolName,
    input,
    inputDigest,
    class: classification.class,
    isDestructive: classification.isDestructive,
    reason,
  };
}
