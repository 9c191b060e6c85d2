import { attempt } from "../diagnostics/thrown-text.js";
import type { JsonSchema, JsonValue } from "@hasp/schema";
import { excerpt } from "@hasp/schema/internal/diagnostics";
import type { FlatRule, FlatTool } from "../model/tool.js";
import type { ExpressionPredicate, Expression } from "../model/conditions.js";
import { combineValues, findTestedFields, sampleInputs } from "./samples/sample-inputs.js";

export interface ExpressionRow {
  readonly rule: FlatRule;
  readonly predicate: ExpressionPredicate;
}

export function listExpressionRows(tool: FlatTool): readonly ExpressionRow[] {
  return tool.rules.flatMap((rule) => (rule.when.kind === "expression" ? [{ rule, predicate: rule.when }] : []));
}

/** True if a condition or check holds for an input. An error counts as false. */
export function holds(predicate: ExpressionPredicate, input: unknown): boolean {
  return attempt(() => predicate.evaluate(input)) ?? false;
}

/** Finds a valid input that passes `test` among those on which the expressions may answer differently. */
export function findInput(
  tool: FlatTool,
  expressions: readonly Expression[],
  test: (input: JsonValue) => boolean,
): JsonValue | undefined {
  for (const input of sampleInputs(tool.input.schema, expressions, listGivenInputs(tool))) {
    if (test(input)) return input;
  }
  return undefined;
}

/** Finds a valid input that a row decides; first tries those that the row's own condition tells apart. */
export function findDecidedInput(
  tool: FlatTool,
  rows: readonly ExpressionRow[],
  { rule, predicate }: ExpressionRow,
): JsonValue | undefined {
  const upToRow = rows.slice(0, rows.findIndex((row) => row.rule === rule) + 1);
  const isDecided = (input: JsonValue): boolean =>
    holds(predicate, input) && upToRow.find((row) => holds(row.predicate, input))?.rule === rule;
  return (
    findInput(tool, [predicate.expression], isDecided) ??
    findInput(
      tool,
      upToRow.map((row) => row.predicate.expression),
      isDecided,
    )
  );
}

/** Returns the answers that a condition gives for none of the inputs, unless it is proved to give them for no valid one. */
export function findUntriedAnswers(
  predicate: ExpressionPredicate,
  inputs: readonly JsonValue[],
  schema: JsonSchema,
): readonly boolean[] {
  const answer = (input: JsonValue): boolean | undefined => attempt(() => predicate.evaluate(input));
  const given = new Set(inputs.map(answer));
  const untried = [true, false].filter((wanted) => !given.has(wanted));
  if (untried.length === 0) return [];
  const { fields, isExhaustive } = findTestedFields([predicate.expression], schema);
  if (!isExhaustive) return untried;
  const possible = new Set([...combineValues({}, fields)].map(answer));
  return untried.filter((wanted) => possible.has(wanted));
}

export function listGivenInputs(tool: FlatTool): readonly JsonValue[] {
  return [...(tool.spec.examples ?? []), ...(tool.spec.tests ?? [])].map(({ input }) => input);
}

export function shortText(input: JsonValue): string {
  return excerpt(JSON.stringify(input));
}
