import type { JsonValue } from "@hasp/schema";
import { isStructured, own, sortBy } from "@hasp/base/json";
import type { HandlerCall } from "@hasp/compiler/plugin";

/** A question about one export of a generated module, as plain data. */
export interface ModuleQuestion {
  readonly path: string;
  readonly name: string;
  /** The keys that lead to the value. */
  readonly at?: readonly string[];
  /** Constants that a bundler sets to remove gated tools. */
  readonly constants?: { readonly [name: string]: boolean };
  /** The value is a provider's list, or a function that returns one for the open gates. */
  readonly list?: "constant" | { readonly open: readonly string[] };
  readonly conditions?: { readonly [pointer: string]: readonly JsonValue[] };
  /** Policy conditions take a call as their second parameter. */
  readonly isPolicy?: boolean;
  /** Calls for all other functions; without any, the value is data. */
  readonly calls?: readonly HandlerCall[];
}

/** Numbers equal texts alike, so that each crosses to another process once. */
type NumberText = (text: string) => number;

type TracedFunction = (...parameters: readonly unknown[]) => unknown;

/** Answers a question: data as it is, functions by results. Module and model agree if their answers are equal. */
export function answerQuestion(question: ModuleQuestion, value: unknown, numberText: NumberText): string {
  const { list, conditions, isPolicy = false, calls } = question;
  if (list !== undefined) {
    const entries =
      list === "constant" ? value : (value as TracedFunction)((gate: unknown) => list.open.includes(`${gate}`));
    return JSON.stringify((entries as readonly unknown[]).map((entry) => numberText(JSON.stringify(entry))));
  }
  const describe = (part: unknown, pointer: string): JsonValue => {
    if (typeof part === "function") return describeFunction(part as TracedFunction, pointer);
    if (Array.isArray(part)) return part.map((item, index) => describe(item, `${pointer}/${index}`));
    if (!isStructured(part)) return Object.is(part, -0) ? "-0" : ((part ?? null) as JsonValue);
    // `dropUndefined` would read a getter twice.
    const entries = Object.entries(part).filter(([, inner]) => inner !== undefined);
    return Object.fromEntries(
      sortBy(entries, ([key]) => key).map(([key, inner]) => [key, describe(inner, `${pointer}/${key}`)]),
    );
  };
  const describeFunction = (called: TracedFunction, pointer: string): JsonValue => {
    const inputs = own(conditions, pointer);
    if (inputs === undefined && calls === undefined) {
      return { text: numberText(JSON.stringify(describe(called(), pointer))) };
    }
    const results =
      inputs === undefined
        ? (calls ?? []).map(({ input, context }) =>
            attempt(() => describe(pointer.endsWith("/client") ? called(context) : called(input, context), "")),
          )
        : inputs.map((input) =>
            attempt(() => {
              const answer = isPolicy ? called(undefined, input) : called(input);
              return pointer.endsWith("/destination") ? describe(answer, "") : isHeld(answer);
            }),
          );
    return { "()": results };
  };
  return JSON.stringify(describe(value, ""));
}

function isHeld(answer: unknown): boolean {
  if (typeof answer !== "boolean") throw new TypeError("A condition must answer true or false.");
  return answer;
}

function attempt(run: () => JsonValue): JsonValue {
  try {
    return run();
  } catch {
    return "error";
  }
}
