import { combinations, type ExpressionRow, expressionRows, holds, testedFields } from "../../../cel/index.js";
import type { FlatTool } from "../../../model/tool.js";

/** Facts about a row, proved by trying every combination of the relevant values. */
interface RowProof {
  /** True if the row's condition holds of some input. */
  readonly matches: boolean;
  /** True if the row decides some input. */
  readonly decides: boolean;
}

/**
 * Tries every combination of the relevant values against a tool's table, once for all rows. Returns what that proves,
 * for the longest table of first rows whose combinations can all be tried; the rows behind them have no proof.
 */
export function proveRows(tool: FlatTool): readonly RowProof[] {
  const rows = longestProvable(expressionRows(tool), tool);
  const proofs = rows.map(() => ({ matches: false, decides: false }));
  const { fields } = testedFields(expressionsOf(rows), tool.input.schema);
  for (const input of rows.length === 0 ? [] : combinations({}, fields)) {
    let isDecided = false;
    for (const [position, proof] of proofs.entries()) {
      const row = rows[position];
      // An earlier row decides this input, and another input has matched this row: this one shows nothing new.
      if (row === undefined || (isDecided && proof.matches) || !holds(row.predicate, input)) continue;
      proof.matches = true;
      proof.decides ||= !isDecided;
      isDecided = true;
    }
  }
  return proofs;
}

/** Finds, by halving, how many first rows have few enough combinations. */
function longestProvable(rows: readonly ExpressionRow[], tool: FlatTool): readonly ExpressionRow[] {
  const isProvable = (count: number): boolean =>
    testedFields(expressionsOf(rows.slice(0, count)), tool.input.schema).isExhaustive;
  if (isProvable(rows.length)) return rows;
  let [provable, tooMany] = [0, rows.length];
  while (tooMany - provable > 1) {
    const middle = Math.floor((provable + tooMany) / 2);
    if (isProvable(middle)) provable = middle;
    else tooMany = middle;
  }
  return rows.slice(0, provable);
}

function expressionsOf(rows: readonly ExpressionRow[]): readonly ExpressionRow["predicate"]["expression"][] {
  return rows.map(({ predicate }) => predicate.expression);
}
