import type { CallSession, Dispatcher, ToolCall, ToolResult } from "@hasp/runtime";
import { callsOneByOne } from "../../../runtime/src/providers/calls-one-by-one.js";
import type { AnsweredApprovals, CallAnswer, CallQuestion } from "./approvals.js";
import { storedCalls } from "./stored-calls.js";

/** The calls of an adapter: finds out if one must wait for a person, and runs it. */
export interface FrameworkCalls<Context> {
  /** Returns the question that holds the call back until a person answers; `undefined` if `run` may follow at once. */
  question(call: ToolCall, session: CallSession<Context>): Promise<CallQuestion | undefined>;
  /** Runs a call, with the person's answer if there is one. Rejects only if a call store fails. */
  run(call: ToolCall, session: CallSession<Context>, answer?: CallAnswer): Promise<ToolResult>;
}

/** The place where questions wait for a person. Without either setting, the dispatcher's own permissions decide. */
export interface QuestionSettings extends StoredQuestions {
  /** Keeps them in this process. The dispatcher's `permissions.ask` must be that of the approvals. */
  readonly approvals?: AnsweredApprovals | undefined;
}

/** Questions that outlive the process. */
export interface StoredQuestions {
  /**
   * Keeps them, and the calls, in the dispatcher's call store: returns the id of the turn that holds this call. It must
   * name the conversation too, if call ids are unique only within one. Give the dispatcher a `callStore` and no
   * `permissions.ask`.
   */
  readonly turnId?: ((callId: string) => string) | undefined;
  /**
   * The person who answers through the framework, if known. Questions with a principal accept only that person's
   * answer.
   */
  readonly answeredBy?: string | undefined;
}

/** Chooses where an adapter keeps its questions. */
export function frameworkCalls<Context>(
  dispatcher: Dispatcher<Context>,
  { approvals, turnId, answeredBy }: QuestionSettings,
): FrameworkCalls<Context> {
  if (turnId !== undefined) return storedCalls(dispatcher, turnId, answeredBy);
  const run = callsOneByOne(dispatcher);
  return {
    question: async (call, { context }) => await approvals?.question(dispatcher, call, context),
    async run(call, session, answer) {
      if (answer !== undefined) approvals?.answer(call.id, answer);
      return await run(call, session);
    },
  };
}
