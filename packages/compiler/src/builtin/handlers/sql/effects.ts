import type { Effect, Happening } from "../base/effect.js";
import { findChange } from "./changes.js";
import { findColumnDoubt, findKnownColumns } from "./known-columns.js";
import { parseNamedStatement } from "./named-statement.js";
import type { SqlNode } from "./parser.js";
import { findDoubt } from "./query-parts.js";
import { isList } from "../../../model/json-kind.js";
import { isNode, nodesBelow, readKnownNode } from "./syntax-tree.js";

/**
 * Finds a statement's effects. It reads only if all its parts are known to read: SELECT, VALUES, SHOW and EXPLAIN
 * without ANALYZE, with Postgres's own functions, operators and types that are not volatile. No statement shows the
 * effects of a view, a trigger, a domain's check or a user's function of the same name; the call's read-only
 * transaction keeps those from changing tables. A column qualified with a table may be a function, so it counts as
 * unknown, and so does a text that is no statement.
 */
export function findSqlEffects({ statement }: { readonly statement: string }): readonly Effect[] {
  const { tree, offsetOf } = parseNamedStatement(statement);
  const root = tree === undefined ? undefined : readKnownNode(tree.stmt);
  const whole = (happening: Happening): readonly Effect[] => [{ ...happening, at: "/statement" }];
  if (root === undefined) return whole({ verdict: "writes", reason: "is not one statement that Postgres can parse" });
  if (root.kind === "VariableShowStmt") return whole({ verdict: "reads", reason: "shows a setting" });
  const isPlanned = root.kind === "ExplainStmt";
  if (isPlanned && isAnalyzed(root.node)) {
    return whole({ verdict: "writes", reason: "runs the statement that it explains (EXPLAIN ANALYZE)" });
  }
  const parts = [...(isPlanned ? nodesBelow(root.node["query"] ?? null) : nodesBelow(root.node, root.kind))];
  const columns = findKnownColumns(parts);
  const found = parts.flatMap((part): readonly Effect[] => {
    // A statement that is only planned changes nothing.
    const happening = (isPlanned ? undefined : findChange(part)) ?? findDoubt(part) ?? findColumnDoubt(part, columns);
    if (happening === undefined) return [];
    const start = offsetOf(part.byte);
    return [{ ...happening, at: "/statement", span: { start, end: endOfWord(statement, start) } }];
  });
  return found.length > 0 ? found : whole({ verdict: "reads", reason: "only reads" });
}

function isAnalyzed({ options }: SqlNode): boolean {
  // ANALYZE FALSE as well: nobody needs to write it.
  return (
    isList(options) && options.some((option) => isNode(option) && readKnownNode(option)?.node["defname"] === "analyze")
  );
}

function endOfWord(text: string, start: number): number {
  return start + Math.max(1, /^[\p{L}\p{N}_.]*/u.exec(text.slice(start))?.[0].length ?? 0);
}
