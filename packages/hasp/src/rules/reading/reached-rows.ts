import { combinations, expressionRows, holds, testedFields } from "../../cel/index.js";
import type { FlatTool } from "../../model/tool.js";

/** Whether trying every combination of the relevant values proves that a row of a tool's table decides no input. */
export function isUnreachable(tool: FlatTool, position: number): boolean {
  const rows = expressionRows(tool).slice(0, position + 1);
  const own = rows.at(-1);
  const expressions = rows.map(({ predicate }) => predicate.expression);
  const { fields, isExhaustive } = testedFields(expressions, tool.input.schema);
  if (own === undefined || !isExhaustive) return false;
  return ![...combinations({}, fields)].some((input) => rows.find(({ predicate }) => holds(predicate, input)) === own);
}
