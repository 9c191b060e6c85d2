import type { JsonSchema, JsonValue } from "@hasp/schema";
import type { Expression as JavaScript } from "../../typescript/javascript.js";
import type { ExpressionPredicate } from "../model/compiled-predicate.js";
import { boundedValidator } from "../patterns/bounded-validator.js";
import { edgeInputs } from "../samples/edge-inputs.js";
import { sampleInputs } from "../samples/sample-inputs.js";
import { readJavaScript } from "./read-javascript.js";
import { readingOf } from "./reading.js";
import { type Answer, type Sandbox } from "./run-javascript.js";

/** A condition as a generated module has it. */
export interface PrintedCondition {
  readonly text: string;
  readonly node: JavaScript;
}

/** What a printed condition is held against. */
export interface ConditionProof {
  readonly predicate: ExpressionPredicate;
  /** The flat schema of the input. */
  readonly input: JsonSchema;
  /** Inputs that the author wrote down. */
  readonly given: readonly JsonValue[];
  readonly sandbox: Sandbox;
  /** Most inputs for which it is run. */
  readonly limit: number;
}

/**
 * Proves that a printed condition says what the checked expression says: read back, it is the same tree; run on the
 * inputs at which its answer may change, it answers as the checker does. Gives the functions of the runtime that it
 * calls, or as a clause what is wrong with it.
 */
export function proveCondition(
  { text, node }: PrintedCondition,
  { predicate, input, given, sandbox, limit }: ConditionProof,
): { readonly helpers: ReadonlySet<string> } | { readonly fault: string } {
  const read = readJavaScript(node, predicate.judgesCall === true ? ["_", "call"] : ["input"]);
  if (read === undefined) return { fault: "is no condition" };
  if (JSON.stringify(read.reading) !== JSON.stringify(readingOf(predicate.expression))) {
    return { fault: "says something else" };
  }
  const inputs = conditionInputs(predicate, input, given, limit);
  const callable = predicate.judgesCall === true ? `(value) => (${text})(undefined, value)` : text;
  const answers = sandbox.answers(callable, read.helpers, inputs);
  const wrong = inputs.findIndex((each, index) => answers[index] !== answerOf(predicate, each));
  return wrong === -1
    ? { helpers: read.helpers }
    : { fault: `answers ${String(answers[wrong])} for ${JSON.stringify(inputs[wrong])}` };
}

/** Valid inputs at which a condition may change its answer, and those at the edges of the schema. */
function conditionInputs(
  { expression }: ExpressionPredicate,
  schema: JsonSchema,
  given: readonly JsonValue[],
  limit: number,
): readonly JsonValue[] {
  const inputs: JsonValue[] = [];
  for (const input of sampleInputs(schema, [expression], given)) {
    if (inputs.length === limit) return inputs;
    inputs.push(input);
  }
  const validate = boundedValidator(schema, { defaults: true });
  for (const edge of edgeInputs(schema, schema)) {
    if (inputs.length === limit) return inputs;
    const { valid, value } = validate(edge);
    if (valid) inputs.push(value as JsonValue);
  }
  return inputs;
}

function answerOf({ evaluate }: ExpressionPredicate, input: JsonValue): Answer {
  try {
    return evaluate(input);
  } catch {
    return "error";
  }
}
