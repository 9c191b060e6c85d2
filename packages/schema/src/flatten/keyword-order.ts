import { ARRAY, NUMBER, OBJECT, STRING, type TypeMask } from "../bind/type-mask.js";
import type { MutableSchema } from "./merge/merge.js";

/** The order in which keywords stand in the result. Words that are not listed (annotations of others) come last. */
const ORDER: readonly string[] = [
  "$ref", "title", "description", "deprecated", "readOnly", "writeOnly",
  "type", "const", "enum",
  "minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType", "contentSchema",
  "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
  "properties", "patternProperties", "additionalProperties", "propertyNames", "required",
  "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
  "prefixItems", "items", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems",
  "anyOf", "oneOf", "allOf", "not", "if", "then", "else",
  "unevaluatedProperties", "unevaluatedItems",
  "default", "examples", "$defs",
]; // prettier-ignore

const RANKS: ReadonlyMap<string, number> = new Map(ORDER.map((keyword, index) => [keyword, index]));

function rank(keyword: string): number {
  return RANKS.get(keyword) ?? ORDER.length;
}

/** The same keywords in the fixed order; unlisted ones keep theirs. */
export function inOrder(keywords: readonly (readonly [string, unknown])[]): MutableSchema {
  return Object.fromEntries(keywords.toSorted(([left], [right]) => rank(left) - rank(right))) as MutableSchema;
}

const APPLIES_TO: readonly (readonly [TypeMask, readonly string[]])[] = [
  [STRING, ["minLength", "maxLength", "pattern", "format"]],
  [NUMBER, ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"]],
  [OBJECT, ["properties", "patternProperties", "additionalProperties", "propertyNames", "required", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"]],
  [ARRAY, ["prefixItems", "items", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems"]],
];

/** Takes out the keywords that say nothing about the types that are left. */
export function dropInapplicable(out: MutableSchema, types: TypeMask): void {
  for (const [mask, keywords] of APPLIES_TO) {
    if ((types & mask) !== 0) continue;
    for (const keyword of keywords) delete out[keyword];
  }
}
