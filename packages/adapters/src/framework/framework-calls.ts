import type {
  CallPreview,
  CallSession,
  Dispatcher,
  DispatcherExtension,
  Effect,
  ToolCall,
  ToolResult,
  ToolContent,
  ToolError,
} from "@hasp/runtime";
import { type Question, type RunOutcome, type StoredTurns, TurnConflict, UnknownTurn } from "@hasp/runtime/call-store";
import { answerOrRefuse, runOneByOne } from "@hasp/runtime/internal";
import type { CallCompletion } from "@hasp/runtime/internal/durable";
import {
  type AnsweredApprovals,
  type CallAnswer,
  type CallQuestion,
  createCallQuestion,
  previewQuestion,
} from "./approvals.js";
import { answerNow } from "@hasp/runtime/contract";
import { canonicalText, dropUndefined, type JsonObject, type JsonValue } from "@hasp/base/json";

interface FrameworkCalls<Context> {
  readonly asksPeople: boolean;
  /** Returns the question that holds a call back; `undefined` if `run` may follow at once. */
  question(call: ToolCall, session: CallSession<Context>): Promise<CallQuestion | undefined>;
  /** Keeps the question that the framework now shows a person: an answer counts for what was shown. */
  show(question: CallQuestion, isResumed?: boolean): void;
  /** Refuses a call that a person has refused, though nobody would be asked about it now. */
  deny(
    call: ToolCall,
    session: CallSession<Context>,
    asked: Partial<CallQuestion>,
    answer: CallAnswer,
  ): Promise<ToolResult>;
  /** Runs a call, with the person's answer if there is one. Rejects only if a call store fails. */
  run(call: ToolCall, session: CallSession<Context>, answer?: CallAnswer): Promise<ToolResult>;
  /** The calls that somebody else executes; absent without a call store that keeps them. */
  readonly external?: ExternalCalls<Context>;
}

/** The code of the result for an id under which no call was handed out. */
export const UNKNOWN_CALL = "unknown-call";

/** Calls that the client of a framework executes. All functions reject only if the call store fails. */
interface ExternalCalls<Context> {
  /**
   * Keeps a permitted call until its output comes. `shown` is the input that the client sees, with the preview that made
   * it: if another one is permitted, the call ends. Returns false if it does not wait.
   */
  handOut(call: ToolCall, session: CallSession<Context>, shown?: ShownInput): Promise<boolean>;
  /** Ends a call that was handed out with the answer of its client; the first answer counts. */
  complete(call: ToolCall, session: CallSession<Context>, completion: CallCompletion): Promise<ToolResult>;
}

interface ShownInput {
  readonly input: unknown;
  readonly preview: CallPreview | undefined;
}

export interface QuestionSettings<Context> extends StoredQuestions<Context> {
  /** Keeps questions in this process. The dispatcher's `permissions.ask` must be that of the approvals. */
  readonly approvals?: AnsweredApprovals | undefined;
}

export interface StoredQuestions<Context> {
  /** The conversation whose labels the calls read and add to. Default: the dispatcher's. */
  readonly conversation?: string | undefined;
  /** The dispatcher's extension of `durableCalls`, which stores questions and calls in turns. `turnId` names these. */
  readonly durable?: DispatcherExtension<StoredTurns<NoInfer<Context>>> | undefined;
  /**
   * Returns the id of the turn that stores a call. Name the conversation in it if call ids are unique only within one.
   * The dispatcher needs no `permissions.ask` then.
   */
  readonly turnId?: ((callId: string) => string) | undefined;
  /** The person who answers, if known. Questions with a principal accept only that person's answer. */
  readonly answeredBy?: string | undefined;
}

/** Returns the id of a call. A caller may leave it out: then it is another in every process, since stores go by it. */
export function nameCall(id: string | undefined): string {
  return id ?? `unnamed-${crypto.randomUUID()}`;
}

/** Lists the tools for a framework, without those whose calls nobody executes and no call store keeps. */
export function listTools<Context>(
  dispatcher: Dispatcher<Context>,
  dialect: string,
  { durable }: StoredQuestions<Context> = {},
): readonly JsonObject[] {
  const list = dispatcher.definitions(dialect, { isFixed: true });
  return durable === undefined ? list.filter((entry) => !dispatcher.isAwaited(entry)) : list;
}

/** Chooses where an adapter keeps its questions. */
export function createFrameworkCalls<Context>(
  dispatcher: Dispatcher<Context>,
  { approvals, ...settings }: QuestionSettings<Context>,
): FrameworkCalls<Context> {
  const stored = createStoredCalls(dispatcher, settings);
  if (stored !== undefined) return stored;
  const run = runOneByOne(dispatcher);
  return {
    asksPeople: approvals !== undefined,
    question: async (call, session) => approvals && (await previewQuestion(dispatcher, call, session)),
    show: (question, isResumed) => approvals?.show(question, isResumed),
    deny: async (call, _session, _asked, answer) => refuseAsAnswered(call, answer),
    async run(call, session, answer) {
      if (answer !== undefined) approvals?.answer(call.id, answer);
      return await run(call, session);
    },
  };
}

/**
 * Runs each call as a stored turn, in which a repeated call is answered with its result; `undefined` without settings for
 * that. Frameworks repeat a step after a crash, and to bring an answer.
 */
function createStoredCalls<Context>(
  dispatcher: Dispatcher<Context>,
  { durable, turnId, answeredBy }: StoredQuestions<Context>,
): FrameworkCalls<Context> | undefined {
  if ((durable ?? turnId) === undefined) return undefined;
  if (durable === undefined || turnId === undefined) {
    throw new TypeError("Stored calls need both `durable`, the extension of `durableCalls`, and `turnId`.");
  }
  // The context's type was checked when the framework's tools were created.
  const stored = dispatcher.use(durable) as unknown as StoredTurns;
  const optionsOf = ({ id }: ToolCall, { context, conversation, signal }: CallSession<Context>) => ({
    turnId: answerNow(turnId(id)) as string,
    context,
    conversation,
    signal,
  });
  const run = async (call: ToolCall, session: CallSession<Context>) => stored.run([call], optionsOf(call, session));
  const end = async (id: string, completion: CallCompletion) => {
    try {
      await stored.complete(id, completion);
    } catch (error) {
      // The call ends all the same: its client will not answer again.
      if (!(error instanceof TypeError)) throw error;
      await stored.complete(id, { error: error.message });
    }
  };
  const external: ExternalCalls<Context> = {
    async handOut(call, session, shown) {
      const options = { ...optionsOf(call, session), preview: shown?.preview };
      const open = findExternal(await stored.run([call], options));
      if (open === undefined) return false;
      if (shown === undefined || canonicalText(shown.input) === canonicalText(open.input)) return true;
      await end(open.id, {
        error: "It was shown with another input than the permitted one, so its output does not count.",
      });
      return false;
    },
    async complete(call, session, completion) {
      const options = optionsOf(call, session);
      try {
        // A call that was never handed out stays unknown.
        await stored.resume(options.turnId, options);
        let outcome = await run(call, session);
        const open = findExternal(outcome);
        if (open !== undefined) {
          await end(open.id, completion);
          outcome = await run(call, session);
        }
        return outcome.results[0] ?? refuseWaiting(call, outcome);
      } catch (error) {
        const code = error instanceof UnknownTurn ? UNKNOWN_CALL : "another-call";
        if (code !== UNKNOWN_CALL && !(error instanceof TurnConflict)) throw error;
        const message = `This call of ${call.name} with this input was never handed out, so its output does not count.`;
        return refuseCall(call, code, message, "unknown");
      }
    },
  };
  return {
    asksPeople: true,
    external,
    async question(call, session) {
      if ((await previewQuestion(dispatcher, call, session)) === undefined) return undefined;
      const question = findQuestion(await run(call, session));
      return question && { ...createCallQuestion(question), questionId: question.id };
    },
    // The store has kept it.
    show: () => undefined,
    async deny(call, session, { questionId }, answer) {
      if (questionId === undefined) return refuseAsAnswered(call, answer);
      await answerOrRefuse(stored, questionId, { ...answer, by: answeredBy });
      const outcome = await run(call, session);
      return outcome.results[0] ?? refuseAsAnswered(call, answer);
    },
    async run(call, session, answer) {
      // Frameworks approve calls about which they never asked: an answer counts only for a question that waited before.
      let asked: string | undefined;
      try {
        const options = optionsOf(call, session);
        if (answer !== undefined) asked = findQuestion(await stored.resume(options.turnId, options))?.id;
      } catch (error) {
        if (!(error instanceof UnknownTurn)) throw error;
        if ((await previewQuestion(dispatcher, call, session)) !== undefined) {
          return refuseCall(call, "denied", `Nobody was asked about this call of ${call.name} with this input.`);
        }
      }
      let outcome = await run(call, session);
      if (answer !== undefined && asked !== undefined && findQuestion(outcome)?.id === asked) {
        await answerOrRefuse(stored, asked, { ...answer, by: answeredBy });
        outcome = await run(call, session);
      }
      return outcome.results[0] ?? refuseWaiting(call, outcome);
    },
  };
}

/** Returns the question that a person is shown: the first one that waits. */
function findQuestion(outcome: RunOutcome): Question | undefined {
  return outcome.status === "waiting" ? outcome.questions[0] : undefined;
}

/** Returns the call that waits for somebody who executes it. */
function findExternal(outcome: RunOutcome): { readonly id: string; readonly input: JsonValue } | undefined {
  return outcome.status === "waiting" ? outcome.externals?.[0] : undefined;
}

function refuseAsAnswered(call: ToolCall, { reason }: CallAnswer): ToolResult {
  return refuseCall(call, "denied", reason ?? `A person refused this call of ${call.name}.`);
}

/** Refuses a call that waits. What happens while somebody else executes it is unknown here. */
function refuseWaiting(call: ToolCall, outcome: RunOutcome): ToolResult {
  const isExternal = outcome.status === "waiting" && outcome.externals !== undefined;
  const waits = isExternal
    ? `The call of ${call.name} is executed elsewhere, and its result is not there yet. Do not repeat it.`
    : `The call of ${call.name} waits for a person's answer. It has not run. Do not repeat it.`;
  return refuseCall(call, "waiting", waits, isExternal ? "unknown" : "none");
}

function refuseCall({ id, name }: ToolCall, code: string, message: string, effect: Effect = "none"): ToolResult {
  return Object.freeze<ToolResult>({
    callId: id,
    toolName: name,
    isError: true,
    content: [{ type: "text", text: message }],
    error: { phase: "permission", code, message, effect, ...(effect === "unknown" && { indeterminate: true }) },
    durationMs: 0,
    wasConcurrent: false,
  });
}

/** A result as frameworks keep it: JSON, so that it can be stored. The result's `details` stay on the server. */
export interface PlainResult {
  readonly isError: boolean;
  readonly content: readonly ToolContent[];
  readonly output?: JsonValue;
  readonly error?: Pick<ToolError, "phase" | "code" | "message" | "effect">;
}

/** Picks the part of a result that may be stored and shown. */
export function toPlainResult({ isError, content, output, error }: ToolResult): PlainResult {
  const shown = error && { phase: error.phase, code: error.code, message: error.message, effect: error.effect };
  return dropUndefined({ isError, content, output, error: shown });
}
