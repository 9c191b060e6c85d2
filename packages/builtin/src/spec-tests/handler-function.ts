import { printThrown } from "@hasp/base/diagnostics";

export interface FunctionQuestion {
  /** A condition is synchronous and receives only the input; a check may be asynchronous and receives the context. */
  readonly as: "condition" | "check";
  readonly input: unknown;
  readonly context?: object;
}

export type FunctionAnswer =
  | { readonly kind: "answered"; readonly isTrue: boolean; readonly text?: string }
  | { readonly kind: "threw"; readonly reason: string }
  /** The check reads a context, but the test has none. */
  | { readonly kind: "wants-context" }
  /** The function did not return in time or ended its process; `reason` has it as subject. */
  | { readonly kind: "lapsed"; readonly reason: string };

/** A function of a handler in any process. Never rejects. */
export type HandlerFunction = (question: FunctionQuestion) => Promise<FunctionAnswer>;

export type FunctionsByName = (name: string) => HandlerFunction | undefined;

/** Calls a function as the runtime does, without a timeout. `common` is the context if the test sets none. */
export async function askFunction(
  candidate: (...parameters: readonly unknown[]) => unknown,
  { as, input, context: given }: FunctionQuestion,
  common?: object,
): Promise<FunctionAnswer> {
  const call = callOf(given ?? common);
  let answer: FunctionAnswer;
  try {
    const value = as === "condition" ? candidate(input) : await candidate(input, call.parameters);
    answer = { kind: "answered", isTrue: value === true, ...(typeof value === "string" ? { text: value } : {}) };
  } catch (error) {
    answer = { kind: "threw", reason: printThrown(error) };
  }
  // A check that catches the error and returns does not count as run.
  return call.wantedContext() ? { kind: "wants-context" } : answer;
}

/** Makes the second argument of a check. Without a context, reading it is recorded and throws. */
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
