import type { ToolCall } from "@hasp/runtime";
import type { AnswerOutcome, Question, RunOutcome, StoredAnswer } from "@hasp/runtime/call-store";

/** A request of the demo to a host process. */
export type Request =
  | { readonly type: "run"; readonly turnId: string; readonly calls: readonly ToolCall[] }
  | { readonly type: "resume"; readonly turnId: string }
  | { readonly type: "answer"; readonly questionId: string; readonly answer: StoredAnswer }
  | { readonly type: "page"; readonly turnId: string }
  | { readonly type: "pending" };

/** The answer of a host process to a request. */
export type Answer =
  | { readonly outcome: RunOutcome }
  | { readonly accepted: AnswerOutcome }
  | { readonly questions: readonly Question[] }
  | { readonly url: string };
