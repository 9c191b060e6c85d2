import type { Effect, Happening } from "../base/effect.js";
import { changeOf } from "./changes.js";
import { doubtAboutColumn, findKnownColumns } from "./known-columns.js";
import { namedStatement } from "./named-statement.js";
import type { SqlNode } from "./parser.js";
import { doubtAbout } from "./query-parts.js";
import { isList } from "../../../model/json-kind.js";
import { isNode, nodesBelow, knownNode } from "./syntax-tree.js";

/**
 * Tells what a statement does. It reads only if every part of it is known to read: SELECT, VALUES, SHOW and EXPLAIN
 * without ANALYZE, with functions, operators and types of Postgres itself that are not volatile. What a view, a trigger,
 * a check of a domain or a namesake of such a function in the database does, no statement shows; the read-only transaction
 * of a call keeps it from changing tables. Nothing is known of a column that is qualified with a table: it may be a function.
 * What is not a statement is not known to read.
 */
export function sqlEffects({ statement }: { readonly statement: string }): readonly Effect[] {
  const { tree, offsetOf } = namedStatement(statement);
  const root = tree === undefined ? undefined : knownNode(tree.stmt);
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
    // What is planned and not run changes nothing.
    const happening = (isPlanned ? undefined : changeOf(part)) ?? doubtAbout(part) ?? doubtAboutColumn(part, columns);
    if (happening === undefined) return [];
    const start = offsetOf(part.byte);
    return [{ ...happening, at: "/statement", span: { start, end: endOfWord(statement, start) } }];
  });
  return found.length > 0 ? found : whole({ verdict: "reads", reason: "only reads" });
}

function isAnalyzed({ options }: SqlNode): boolean {
  // ANALYZE FALSE as well: nobody needs to write it.
  return (
    isList(options) && options.some((option) => isNode(option) && knownNode(option)?.node["defname"] === "analyze")
  );
}

function endOfWord(text: string, start: number): number {
  return start + Math.max(1, /^[\p{L}\p{N}_.]*/u.exec(text.slice(start))?.[0].length ?? 0);
}
