import type { Keywords, SchemaNode } from "../../resolve/types.js";
import type { JsonSchema } from "../../vocabulary/json-schema.js";
import { residual } from "../conjunction/diagnostics.js";
import { alternatives, isTrivial, type Merge, type MutableSchema } from "./merge.js";

export function mergeConditions(merge: Merge): void {
  mergeDependentSchemas(merge);
  mergeConditionals(merge);
  mergeNegations(merge);
}

/** Conjoins the schemas that depend on one name. Those of required names have been merged into the node already. */
function mergeDependentSchemas(merge: Merge): void {
  const dependents = new Map<string, SchemaNode[]>();
  for (const { keywords } of merge.parts) {
    for (const [name, node] of keywords.dependentSchemas ?? []) {
      if (!merge.conjunction.promoted.has(node)) dependents.set(name, [...(dependents.get(name) ?? []), node]);
    }
  }
  const written = [...dependents]
    .map(([name, nodes]): [string, JsonSchema] => [name, merge.build(nodes, "branch")])
    .filter(([, schema]) => merge.observed || !isTrivial(schema));
  if (written.length > 0) merge.out.dependentSchemas = Object.fromEntries(written);
}

/** Keeps one conditional as it is; several go to an `allOf`, since a schema has room for one `if`. */
function mergeConditionals(merge: Merge): void {
  const found = merge.parts.filter(({ keywords }) => keywords.if !== undefined);
  const written = found
    .map(({ keywords }) => buildConditional(merge, keywords))
    .filter((schema) => schema !== undefined);
  const [only] = written;
  if (only === undefined) return;
  if (written.length === 1) {
    Object.assign(merge.out, only);
    return;
  }
  for (const schema of written) merge.residual(schema);
  const origins = found.map((part) => merge.origin(part, "if"));
  merge.report(residual("if", origins));
}

function buildConditional(merge: Merge, keywords: Keywords): MutableSchema | undefined {
  const consequences: (readonly [string, JsonSchema])[] = [];
  for (const keyword of ["then", "else"] as const) {
    const schema = keywords[keyword] && merge.build([keywords[keyword]], "branch");
    if (schema !== undefined && (merge.observed || !isTrivial(schema))) consequences.push([keyword, schema]);
  }
  // A condition without consequences asserts nothing, but what it evaluates may be examined.
  if (consequences.length === 0 && !merge.observed) return undefined;
  return Object.fromEntries([["if", keywords.if && merge.build([keywords.if], "branch")], ...consequences]);
}

/** Merges several `not`: neither A nor B is not (A or B). */
function mergeNegations(merge: Merge): void {
  const nodes = [...new Set(merge.parts.flatMap(({ keywords }) => keywords.not ?? []))];
  if (nodes.length === 0) return;
  const schemas = nodes.map((node) => merge.build([node], "test"));
  const index = schemas.findIndex((schema) => isTrivial(schema));
  const part = merge.parts.find(({ keywords }) => keywords.not !== undefined && keywords.not === nodes[index]);
  if (part !== undefined) {
    return merge.never([{ ...merge.because(part, "not", { variant: "excludingEverything" }), deliberate: true }]);
  }
  const excluded = schemas.filter((schema) => schema !== false);
  const branches = excluded.length > 1 ? alternatives(excluded) : excluded;
  const [only] = branches;
  if (only !== undefined) merge.out.not = branches.length === 1 ? only : { anyOf: branches };
}
