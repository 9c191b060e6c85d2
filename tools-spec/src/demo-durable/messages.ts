import type { AnswerOutcome, Question, RunOutcome, StoredAnswer, ToolCall } from "@hasp/runtime";

/** What the demo asks of a host process. */
export type Request =
  | { readonly type: "run"; readonly turnId: string; readonly calls: readonly ToolCall[] }
  | { readonly type: "resume"; readonly turnId: string }
  | { readonly type: "answer"; readonly questionId: string; readonly answer: StoredAnswer }
  | { readonly type: "pending" };

/** What a host process says to a request. */
export type Answer =
  { readonly outcome: RunOutcome } | { readonly accepted: AnswerOutcome } | { readonly questions: readonly Question[] };
