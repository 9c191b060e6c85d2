import { attempt, excerpt } from "@hasp/base/diagnostics";
import type { JsonSchema, JsonValue } from "@hasp/schema";
import type { FlatRule, FlatTool } from "../model/tool.js";
import type { ExpressionPredicate, Expression } from "../model/conditions.js";
import { combineValues, findTestedFields, MOST_COMBINATIONS, createInputSampler } from "./samples/sample-inputs.js";

interface ExpressionRow {
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
type FindInput = (expressions: readonly Expression[], test: (input: JsonValue) => boolean) => JsonValue | undefined;

/** Creates the search for inputs of a tool; all searches share the samples of its schema. */
export function createInputFinder(tool: FlatTool): FindInput {
  const sampleInputs = createInputSampler(tool.input.schema, listGivenInputs(tool));
  return (expressions, test) => {
    for (const input of sampleInputs(expressions)) if (test(input)) return input;
    return undefined;
  };
}

/** Finds a valid input that a row decides; first tries those that the row's own condition tells apart. */
export function findDecidedInput(
  findInput: FindInput,
  rows: readonly ExpressionRow[],
  { rule, predicate }: ExpressionRow,
): JsonValue | undefined {
  const upToRow = rows.slice(0, rows.findIndex((row) => row.rule === rule) + 1);
  const isDecided = (input: JsonValue): boolean =>
    holds(predicate, input) && upToRow.find((row) => holds(row.predicate, input))?.rule === rule;
  return (
    findInput([predicate.expression], isDecided) ??
    findInput(
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
  const possible = new Set<boolean | undefined>();
  for (const input of combineValues({}, fields)) {
    possible.add(answer(input));
    if (untried.every((wanted) => possible.has(wanted))) break;
  }
  return untried.filter((wanted) => possible.has(wanted));
}

interface RowProof {
  readonly matches: boolean;
  readonly decides: boolean;
}

/** Tries all combinations of relevant values against the longest prefix of rows that has few enough. */
export function proveRows(tool: FlatTool): readonly RowProof[] {
  const rows = findProvableRows(listExpressionRows(tool), tool);
  const proofs = rows.map(() => ({ matches: false, decides: false }));
  const { fields } = findTestedFields(listExpressions(rows), tool.input.schema);
  for (const input of rows.length === 0 ? [] : combineValues({}, fields)) {
    let isDecided = false;
    for (const [position, proof] of proofs.entries()) {
      const row = rows[position];
      // This input shows nothing new: an earlier row decides it, and the row has matched another.
      if (row === undefined || (isDecided && proof.matches) || !holds(row.predicate, input)) continue;
      proof.matches = true;
      proof.decides ||= !isDecided;
      isDecided = true;
    }
  }
  return proofs;
}

/** Limits the conditions that a proof evaluates: each combination of values meets each row. */
const MOST_EVALUATIONS = 1_000_000;

/** Finds the first row about which nothing is proved because the table is too long, and for no other reason. */
export function findFirstUnprovedRow(tool: FlatTool): ExpressionRow | undefined {
  const rows = listExpressionRows(tool);
  if (rows.length * MOST_COMBINATIONS <= MOST_EVALUATIONS) return undefined;
  const proved = findProvableRows(rows, tool).length;
  const upToRow = listExpressions(rows.slice(0, proved + 1));
  // Undefined if all rows are proved.
  return findTestedFields(upToRow, tool.input.schema).isExhaustive ? rows[proved] : undefined;
}

function findProvableRows(rows: readonly ExpressionRow[], tool: FlatTool): readonly ExpressionRow[] {
  const isProvable = (count: number): boolean => {
    const { fields, isExhaustive } = findTestedFields(listExpressions(rows.slice(0, count)), tool.input.schema);
    const combinations = fields.reduce((product, { values }) => product * values.length, 1);
    return isExhaustive && combinations * count <= MOST_EVALUATIONS;
  };
  if (isProvable(rows.length)) return rows;
  let [provable, tooMany] = [0, rows.length];
  while (tooMany - provable > 1) {
    const middle = Math.floor((provable + tooMany) / 2);
    if (isProvable(middle)) provable = middle;
    else tooMany = middle;
  }
  return rows.slice(0, provable);
}

function listExpressions(rows: readonly ExpressionRow[]): readonly Expression[] {
  return rows.map(({ predicate }) => predicate.expression);
}

export function listGivenInputs(tool: FlatTool): readonly JsonValue[] {
  return [...(tool.spec.examples ?? []), ...(tool.spec.tests ?? [])].map(({ input }) => input);
}

export function shortText(input: JsonValue): string {
  return excerpt(JSON.stringify(input));
}
