import { combinations, type ExpressionRow, expressionRows, holds, testedFields } from "../../../cel/index.js";
import type { FlatTool } from "../../../model/tool.js";

/** Facts about a row, proved by trying all combinations of relevant values. */
interface RowProof {
  readonly matches: boolean;
  readonly decides: boolean;
}

/**
 * Tries all combinations of relevant values against a tool's rows. Returns proofs for the longest prefix of rows with
 * few enough combinations.
 */
export function proveRows(tool: FlatTool): readonly RowProof[] {
  const rows = longestProvable(expressionRows(tool), tool);
  const proofs = rows.map(() => ({ matches: false, decides: false }));
  const { fields } = testedFields(listExpressions(rows), tool.input.schema);
  for (const input of rows.length === 0 ? [] : combinations({}, fields)) {
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

/** Finds the longest prefix of rows with few enough combinations, by bisection. */
function longestProvable(rows: readonly ExpressionRow[], tool: FlatTool): readonly ExpressionRow[] {
  const isProvable = (count: number): boolean =>
    testedFields(listExpressions(rows.slice(0, count)), tool.input.schema).isExhaustive;
  if (isProvable(rows.length)) return rows;
  let [provable, tooMany] = [0, rows.length];
  while (tooMany - provable > 1) {
    const middle = Math.floor((provable + tooMany) / 2);
    if (isProvable(middle)) provable = middle;
    else tooMany = middle;
  }
  return rows.slice(0, provable);
}

function listExpressions(rows: readonly ExpressionRow[]): readonly ExpressionRow["predicate"]["expression"][] {
  return rows.map(({ predicate }) => predicate.expression);
}
