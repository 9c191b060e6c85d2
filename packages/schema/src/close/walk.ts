import type { SchemaObject } from "../vocabulary/json-schema.js";
import { holdsSchemas, keywordRow } from "../vocabulary/keywords.js";
import { subschemasOf, type Subschema } from "../vocabulary/walk-schema.js";

/**
 * The way in which a subschema applies relative to its parent. `child`: to another location. `branch`: to the same
 * location, which it may narrow. `fixed`: narrowing it could widen the whole, or it validates nothing.
 */
type Application = "child" | "branch" | "fixed";

const APPLICATIONS = { child: "child", inPlace: "branch", test: "fixed" } as const;

/** Returns how a keyword's subschemas apply; `undefined` if it has none. */
export function applicationOf(keyword: string): Application | undefined {
  if (!holdsSchemas(keyword)) return undefined;
  const applies = keywordRow(keyword)?.applies;
  return applies === undefined ? "fixed" : APPLICATIONS[applies];
}

export function innerSchemas(node: SchemaObject, kind: "child" | "branch"): readonly Subschema[] {
  return subschemasOf(node).filter(({ keyword }) => applicationOf(keyword) === kind);
}
