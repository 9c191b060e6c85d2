import { thrownText } from "../diagnostics/thrown-text.js";

/** What a function of a handler is asked in a test. */
export interface Question {
  /**
   * A condition of the decision table answers at once and knows the input alone; a check may be asynchronous, and knows
   * the context.
   */
  readonly as: "condition" | "check";
  readonly input: unknown;
  /** The context that the test brings. */
  readonly context?: object;
}

/** What became of a question. */
export type Answer =
  | { readonly kind: "answered"; readonly isTrue: boolean; readonly text?: string }
  | { readonly kind: "threw"; readonly reason: string }
  /** The check looked at the context of the call, and there is none. */
  | { readonly kind: "wants-context" }
  /** It did not answer in time, or ended its process: `reason` says which, as what the function did. */
  | { readonly kind: "lapsed"; readonly reason: string };

/** A function that a handler brings, wherever it runs. Never rejects. */
export type HandlerFunction = (question: Question) => Promise<Answer>;

/** Functions that a handler brings, by name; `undefined` for one that is not known here. */
export type HandlerFunctions = (name: string) => HandlerFunction | undefined;

/**
 * Asks a function as the runtime does. `common` is the context where the test brings none. Waits as long as the
 * function does.
 */
export async function askFunction(
  judge: (...parameters: readonly unknown[]) => unknown,
  { as, input, context: given }: Question,
  common?: object,
): Promise<Answer> {
  const call = callOf(given ?? common);
  let answer: Answer;
  try {
    const value = as === "condition" ? judge(input) : await judge(input, call.parameters);
    answer = { kind: "answered", isTrue: value === true, ...(typeof value === "string" ? { text: value } : {}) };
  } catch (error) {
    answer = { kind: "threw", reason: thrownText(error) };
  }
  // Whoever catches the refusal and answers all the same was not asked either.
  return call.wantedContext() ? { kind: "wants-context" } : answer;
}

/** What a check is given beside the input. Without a context, to look for one is noticed and refused. */
function callOf(context: object | undefined): { readonly parameters: object; wantedContext(): boolean } {
  let isWanted = false;
  const { signal } = new AbortController();
  if (context !== undefined) return { parameters: { context, signal }, wantedContext: () => false };
  const parameters = {
    signal,
    get context(): never {
      isWanted = true;
      throw new Error("this test brings no context");
    },
  };
  return { parameters, wantedContext: () => isWanted };
}
