import type { JsonValue } from "@hasp/schema";
import { own } from "../model/own.js";

/** The values that a function of a declared handler is called with. */
export interface HandlerCall {
  readonly input: JsonValue;
  readonly context: JsonValue;
}

/** A question about one export of a generated module, as plain data. */
export interface Question {
  readonly path: string;
  readonly name: string;
  /** The keys that lead to the value in the export. */
  readonly at?: readonly string[];
  /** Constants that a bundler defines, by name: it leaves out the tools behind those that are false. */
  readonly constants?: { readonly [name: string]: boolean };
  /** The value is a provider's list, or a function that returns one for the gates that are open. */
  readonly list?: "constant" | { readonly open: readonly string[] };
  /** The inputs on which each condition is run, by its JSON Pointer in the value. */
  readonly conditions?: { readonly [pointer: string]: readonly JsonValue[] };
  /** The conditions are those of a policy, which take a call as their second parameter. */
  readonly isPolicy?: boolean;
  /** Calls on which every other function is run; without any, it returns data. */
  readonly calls?: readonly HandlerCall[];
}

/** Numbers equal texts alike, so that what several lists say crosses to another process once. */
type NumberText = (text: string) => number;

type Described = (...parameters: readonly unknown[]) => unknown;

/**
 * Answers a question about a value: data as it is, functions by what they return. A generated module and the model
 * agree if they give the same answer, as text.
 */
export function answerQuestion(question: Question, value: unknown, numberText: NumberText): string {
  const { list, conditions, isPolicy = false, calls } = question;
  if (list !== undefined) {
    const entries =
      list === "constant" ? value : (value as Described)((gate: unknown) => list.open.includes(`${gate}`));
    return JSON.stringify((entries as readonly unknown[]).map((entry) => numberText(JSON.stringify(entry))));
  }
  const describe = (part: unknown, pointer: string): JsonValue => {
    if (typeof part === "function") return describeFunction(part as Described, pointer);
    if (Array.isArray(part)) return part.map((item, index) => describe(item, `${pointer}/${index}`));
    if (typeof part !== "object" || part === null) return Object.is(part, -0) ? "-0" : ((part ?? null) as JsonValue);
    const entries = Object.entries(part).filter(([, inner]) => inner !== undefined);
    entries.sort(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(entries.map(([key, inner]) => [key, describe(inner, `${pointer}/${key}`)]));
  };
  const describeFunction = (called: Described, pointer: string): JsonValue => {
    const inputs = own(conditions, pointer);
    if (inputs === undefined && calls === undefined) {
      return { text: numberText(JSON.stringify(describe(called(), pointer))) };
    }
    const results =
      inputs === undefined
        ? (calls ?? []).map(({ input, context }) =>
            // A connection's function takes the context alone.
            attempt(() => describe(pointer.endsWith("/client") ? called(context) : called(input, context), "")),
          )
        : inputs.map((input) => attempt(() => isHeld(isPolicy ? called(undefined, input) : called(input))));
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

/** A call of a function of the runtime, as the modules' realm records it. */
export interface RecordedCall {
  readonly called: string;
  readonly from: string;
  readonly parameters: readonly unknown[];
}

/** Records a call of a function of a package. */
export function recordedCall(called: string, from: string, parameters: readonly unknown[]): RecordedCall {
  return { called, from, parameters };
}

/** The text of an argument that went through `argument` of the runtime. */
export function markedArgument(value: unknown): string {
  return `\u0001${String(value)}\u0001`;
}
