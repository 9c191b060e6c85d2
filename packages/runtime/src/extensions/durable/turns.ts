import type { JsonValue } from "@hasp/schema";
import type { CallStore, Question } from "../../calls/call-store.js";
import type { CallCompletion } from "../../dispatch/state/extension.js";
import type { CallPreview, TurnOptions } from "../../dispatch/state/dispatcher-types.js";
import type { GivenOptions } from "../../dispatch/state/given-options.js";
import type { ToolCall, ToolResult } from "../../tool/definition.js";

/** The functions of an extension that keeps turns in a call store; `durableCalls` of `@hasp/stores` has them. */
export interface StoredTurns<Context = unknown> {
  readonly store: CallStore;
  /**
   * Runs a turn that the call store keeps. A call that needs a question waits in the store, not in memory. A used turn
   * id resumes that turn if the calls are the same, and otherwise rejects with `TurnConflict`. If the store fails, it
   * rejects with the store's own error and starts nothing more; `resume` continues.
   */
  run(calls: readonly ToolCall[], ...options: RunArguments<Context>): Promise<RunOutcome>;
  /**
   * Continues a stored turn in any process: runs allowed calls, refuses denied ones, settles those that a dead process
   * left behind. Calls are validated, classified and permitted again; hooks do not run again. Waits while another
   * process runs one of its calls. Rejects with `UnknownTurn`.
   */
  resume(turnId: string, ...options: ResumeArguments<Context>): Promise<RunOutcome>;
  /**
   * Completes, in any process, a call that somebody else has executed: one of `externals`, of a turn of this principal.
   * The first completion counts; `resume` then validates and limits its output like any. `too-late`: the call was
   * completed or has ended. `expired`: its time is up. Rejects with a `TypeError` for what is neither an output nor an error, or too long.
   */
  complete(
    id: string,
    completion: CallCompletion,
    options?: { readonly principal?: string | undefined },
  ): Promise<
    | { readonly accepted: true }
    | { readonly accepted: false; readonly reason: "unknown-call" | "not-permitted" | "too-late" | "expired" }
  >;
  /** Answers a stored question in any process. The first answer counts; `resume` then carries it out. */
  answer(questionId: string, answer: StoredAnswer): Promise<AnswerOutcome>;
}

/** Settings of one process's work on a turn that a call store keeps. */
export type StoredTurnOptions<Context = unknown> = Pick<
  TurnOptions<Context>,
  "signal" | "context" | "trace" | "refuse" | "onProgress" | "principal"
>;

/** Settings of a turn that a call store keeps. */
export interface RunOptions<Context = unknown> extends StoredTurnOptions<Context> {
  /** The host's own id of the turn: 1 to 200 characters, no control characters. A used id resumes that turn. */
  readonly turnId: string;
  /** The conversation of a new turn. A stored turn keeps its own. */
  readonly conversation?: string | undefined;
  /** The preview of the only call of a new turn, with the same input. Hooks that ran for it do not run again. */
  readonly preview?: CallPreview | undefined;
}

/** The options of `run`, including a context if handlers need one. */
export type RunArguments<Context> = GivenOptions<RunOptions<Context>, Context, readonly [options: RunOptions<Context>]>;

/** The options of `resume`, required if handlers need a context. */
export type ResumeArguments<Context> = GivenOptions<StoredTurnOptions<Context>, Context>;

/** The state of a stored turn: every call has its result, or some wait for somebody. All lists are in call order. */
export type RunOutcome =
  | { readonly status: "settled"; readonly results: readonly ToolResult[] }
  | {
      readonly status: "waiting";
      readonly turnId: string;
      /** The open questions of the current batch; later batches wait. */
      readonly questions: readonly Question[];
      /** The permitted calls of tools that are `external` and not completed yet. */
      readonly externals?: readonly {
        /** The id by which somebody completes the call; nobody can guess it. */
        readonly id: string;
        readonly callId: string;
        readonly toolName: string;
        readonly input: JsonValue;
        /** ISO date after which no completion is accepted, and the call has timed out. */
        readonly expiresAt?: string;
      }[];
      readonly results: readonly ToolResult[];
    };

export interface StoredAnswer {
  readonly decision: "allow" | "deny";
  /** The reason for the model if the call is refused; at most 500 characters. */
  readonly reason?: string | undefined;
  /** The person who answers. The host vouches for it. */
  readonly by?: string | undefined;
  /**
   * The input with which an allowed call runs instead, in the tool's own form: at most a million characters of JSON. It
   * is validated, classified, checked and judged again when the turn is resumed.
   */
  readonly input?: JsonValue | undefined;
}

/** The fate of an answer. One that is not accepted is recorded, unless nobody asked that question. */
export type AnswerOutcome =
  | { readonly accepted: true }
  | {
      readonly accepted: false;
      readonly reason: "unknown-question" | "already-decided" | "expired" | "not-permitted" | "not-judgeable";
    };
