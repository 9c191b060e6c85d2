import { canonicalText, dropUndefined, type JsonObject, type JsonValue } from "@hasp/base/json";
import {
  type AskAnswer,
  type AskedCall,
  type CallSession,
  type Dispatcher,
  type PermissionRequest,
  presentQuestion,
  type ToolCall,
} from "@hasp/runtime";
import type { Question } from "@hasp/runtime/call-store";
import { hasHardened } from "@hasp/runtime/internal";

/** The question about a call that a framework holds back. JSON, so that a framework can store it. */
export interface CallQuestion extends Pick<
  Question,
  | "callId"
  | "toolName"
  | "input"
  | "hidden"
  | "refuseOnly"
  | "inputDigest"
  | "toolDigest"
  | "class"
  | "isDestructive"
  | "reason"
> {
  /** The id of the stored question, if a call store keeps it. */
  readonly questionId?: string;
}

export interface CallAnswer {
  readonly decision: "allow" | "deny";
  /** The reason that the model reads if the call is refused. */
  readonly reason?: string | undefined;
  /** The input with which an allowed call runs instead, in the tool's own form; validated and judged again. */
  readonly input?: JsonValue | undefined;
}

const UNREADABLE = "The answer to the question could not be read.";

/** Reads a person's answer as a framework hands it back. Anything unknown in it refuses the call. */
export function readCallAnswer(answer: unknown): CallAnswer {
  const parts = Object(answer) as { readonly [part: string]: unknown };
  const { callId: _callId, decision, reason, input, ...others } = parts;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || (decision !== "allow" && decision !== "deny")) {
    return { decision: "deny", reason: unknown === undefined ? UNREADABLE : `${UNREADABLE} It has \`${unknown}\`.` };
  }
  if (decision === "deny" && input !== undefined) return { decision, reason: `${UNREADABLE} It has \`input\`.` };
  // The dispatcher, or the call store, reads the input.
  return dropUndefined<CallAnswer>({
    decision,
    reason: typeof reason === "string" ? reason : undefined,
    input: input as JsonValue,
  });
}

type QuestionSession<Context> = Pick<CallSession<Context>, "context" | "conversation">;

/** The questions of a framework about calls, and people's answers. */
export interface AnsweredApprovals {
  readonly ask: (request: PermissionRequest) => AskAnswer;
  /**
   * Keeps the question that the framework now shows a person: an answer counts for its input alone. `isResumed`: another
   * process may have shown it, so a question of this process about the call stays.
   */
  show(question: CallQuestion, isResumed?: boolean): void;
  /** Keeps a person's answer to the question that was shown last about this call; it counts once. */
  answer(callId: string, answer: CallAnswer): void;
}

/** Limits the remembered questions: the oldest is forgotten, and its call refused. */
const MOST_QUESTIONS = 10_000;

/** Creates approvals. Each is bound to call id, tool and exact input, is used once, and lives in this process. */
export function createApprovals(): AnsweredApprovals {
  const asked = new Map<string, { readonly question: CallQuestion; answer?: CallAnswer; isUsed?: true }>();

  return Object.freeze<AnsweredApprovals>({
    show(question, isResumed = false) {
      if (isResumed && asked.has(question.callId)) return;
      asked.delete(question.callId);
      asked.set(question.callId, { question });
      const [oldest] = asked.keys();
      if (asked.size > MOST_QUESTIONS && oldest !== undefined) asked.delete(oldest);
    },
    answer(callId, answer) {
      const entry = asked.get(callId);
      if (entry !== undefined && entry.isUsed !== true) entry.answer = readCallAnswer(answer);
    },
    ask(request) {
      const { callId, toolName, inputDigest, toolDigest } = request;
      const entry = asked.get(callId);
      if (entry?.answer === undefined) {
        return { decision: "deny", reason: `Nobody was asked about this call of ${toolName} with this input.` };
      }
      if (entry.question.inputDigest !== inputDigest) {
        return { decision: "deny", reason: explainChange(entry.question, request) };
      }
      if (entry.question.toolDigest !== toolDigest) return { decision: "deny", reason: explainNewTool(request) };
      if (hasHardened(entry.question, request)) return { decision: "deny", reason: explainHardening(request) };
      const { decision, reason, input } = entry.answer;
      delete entry.answer;
      entry.isUsed = true;
      if (decision === "deny") return { decision, reason };
      const { mayAllow, notes } = presentQuestion(request);
      return mayAllow
        ? dropUndefined({ decision, reason: "a person approved it", input })
        : { decision: "deny", reason: notes.join(" ") };
    },
  });
}

function explainNewTool({ toolName }: PermissionRequest): string {
  return `${toolName} is another tool than when a person was asked about this call, so the answer does not count. Call the tool again: a person is then asked about it as it is now.`;
}

function explainHardening({ toolName }: PermissionRequest): string {
  return `This call of ${toolName} counts as more harmful than when a person was asked about it, so the answer does not count. Call the tool again: a person is then asked about it as it is now.`;
}

function explainChange({ toolName, input: shown }: CallQuestion, { input }: PermissionRequest): string {
  const before = Object(shown) as JsonObject;
  const after = Object(input) as JsonObject;
  const changed = Object.keys({ ...before, ...after }).filter(
    (name) => canonicalText(before[name] ?? null) !== canonicalText(after[name] ?? null),
  );
  const where = changed.length === 0 ? "" : ` (${changed.map((name) => `\`${name}\``).join(", ")})`;
  return `The input of this call of ${toolName} has changed since a person was asked about it${where}, so the answer does not count. Call the tool again: a person is then asked about the new input.`;
}

/** Creates the question of a framework from what the dispatcher lets a person see of the call. */
export function createCallQuestion(asked: AskedCall & Pick<CallQuestion, "callId" | "inputDigest">): CallQuestion {
  const { callId, toolName, input, hidden, refuseOnly, inputDigest, toolDigest = "", isDestructive, reason } = asked;
  const shown = { toolName, input: input as JsonValue, hidden, refuseOnly, class: asked.class, isDestructive, reason };
  return dropUndefined({ callId, inputDigest, toolDigest, ...shown });
}

/** Returns the question that the dispatcher would ask a person; `undefined` if it decides alone. */
export async function previewQuestion<Context>(
  dispatcher: Dispatcher<Context>,
  call: ToolCall,
  { context, conversation }: QuestionSession<Context>,
): Promise<CallQuestion | undefined> {
  const preview = await dispatcher.preview(call, { context, conversation });
  if (preview.decision === "invalid" || preview.question === undefined) return undefined;
  const { inputDigest, reason, question } = preview;
  return createCallQuestion({ ...question, callId: call.id, inputDigest, reason });
}
