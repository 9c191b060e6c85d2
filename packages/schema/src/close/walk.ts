import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import { childPointer } from "../json/pointer.js";
import { eachSubschema, holdsSchemas } from "../vocabulary/subschemas.js";

/** Keywords whose subschemas judge another place of the instance. */
const CHILD_KEYWORDS: ReadonlySet<string> = new Set([
  "properties", "patternProperties", "additionalProperties", "unevaluatedProperties",
  "prefixItems", "items", "additionalItems", "unevaluatedItems",
]); // prettier-ignore

/** Keywords whose subschemas judge the same place and may narrow it. */
const BRANCH_KEYWORDS: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "then",
  "else",
  "dependentSchemas",
  "dependencies",
]);

/**
 * How a subschema stands to the schema it is in. `fixed`: narrowing it could widen the whole, or it judges no value.
 */
export type Step = "child" | "branch" | "fixed";

/** How a keyword's subschemas stand to the schema; `undefined` for a keyword that has none. */
export function stepOf(keyword: string): Step | undefined {
  if (CHILD_KEYWORDS.has(keyword)) return "child";
  if (BRANCH_KEYWORDS.has(keyword)) return "branch";
  return holdsSchemas(keyword) ? "fixed" : undefined;
}

/** A subschema, with the way to it from the schema that it is in. */
export interface Inner {
  readonly keyword: string;
  /** The name or the index below the keyword. */
  readonly step: string | undefined;
  readonly schema: JsonSchema;
}

/** The subschemas of one kind that a schema has. */
export function innerSchemas(node: SchemaObject, kind: "child" | "branch"): Inner[] {
  const found: Inner[] = [];
  const keywords = kind === "child" ? CHILD_KEYWORDS : BRANCH_KEYWORDS;
  eachSubschema(node, (schema, keyword, step) => {
    if (keywords.has(keyword)) found.push({ keyword, step, schema });
  });
  return found;
}

/** The pointer to a subschema, from the pointer to the schema that it is in. */
export function pointerTo(pointer: string, keyword: string, step: string | undefined): string {
  return step === undefined ? childPointer(pointer, keyword) : childPointer(childPointer(pointer, keyword), step);
}
