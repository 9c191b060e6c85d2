import { thrownText } from "../diagnostics/thrown-text.js";

/** A call of a handler function by a test. */
export interface Question {
  /**
   * A condition of the decision table is synchronous and receives only the input; a check may be asynchronous and
   * receives the context.
   */
  readonly as: "condition" | "check";
  readonly input: unknown;
  /** The context that the test sets. */
  readonly context?: object;
}

/** The outcome of a call to a handler function. */
export type Answer =
  | { readonly kind: "answered"; readonly isTrue: boolean; readonly text?: string }
  | { readonly kind: "threw"; readonly reason: string }
  /** The check reads the context of the call, but there is none. */
  | { readonly kind: "wants-context" }
  /** It did not return in time, or ended its process; `reason` says which, with the function as subject. */
  | { readonly kind: "lapsed"; readonly reason: string };

/** A function that a handler exports, wherever it runs. Never rejects. */
export type HandlerFunction = (question: Question) => Promise<Answer>;

/** Functions that a handler exports, by name; `undefined` for an unknown one. */
export type HandlerFunctions = (name: string) => HandlerFunction | undefined;

/** Calls a function as the runtime does. `common` is the context if the test sets none. Has no timeout. */
export async function askFunction(
  candidate: (...parameters: readonly unknown[]) => unknown,
  { as, input, context: given }: Question,
  common?: object,
): Promise<Answer> {
  const call = callOf(given ?? common);
  let answer: Answer;
  try {
    const value = as === "condition" ? candidate(input) : await candidate(input, call.parameters);
    answer = { kind: "answered", isTrue: value === true, ...(typeof value === "string" ? { text: value } : {}) };
  } catch (error) {
    answer = { kind: "threw", reason: thrownText(error) };
  }
  // A check that catches the error and returns anyway does not count as run.
  return call.wantedContext() ? { kind: "wants-context" } : answer;
}

/** The second argument of a check. Without a context, reading it is recorded and throws. */
function callOf(context: object | undefined): { readonly parameters: object; wantedContext(): boolean } {
  let isWanted = false;
  const { signal } = new AbortController();
  if (context !== undefined) return { parameters: { context, signal }, wantedContext: () => false };
  const parameters = {
    signal,
    get context(): never {
      isWanted = true;
      throw new Error("this test has no context");
    },
  };
  return { parameters, wantedContext: () => isWanted };
}
