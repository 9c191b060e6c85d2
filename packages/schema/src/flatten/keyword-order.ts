import { ANY_TYPE, ARRAY, NUMBER, OBJECT, STRING, type TypeMask } from "../bind/type-mask.js";
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

/** Keywords with their values, on their way to a node. */
export type Entries = readonly (readonly [keyword: string, value: unknown])[];

/** A node with its keywords in the fixed order; unlisted ones keep theirs. */
export function inOrder(entries: Entries): MutableSchema {
  const sorted = entries.length < 2 ? entries : entries.toSorted(([left], [right]) => rank(left) - rank(right));
  return recordOf(sorted) as MutableSchema;
}

/** An object with these own properties; `__proto__` is a name like any other. */
export function recordOf<Value>(entries: Iterable<readonly [string, Value]>): { [name: string]: Value } {
  const record: { [name: string]: Value } = {};
  for (const [name, value] of entries) {
    if (name === "__proto__") Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
    else record[name] = value;
  }
  return record;
}

const APPLIES_TO: ReadonlyMap<string, TypeMask> = new Map(
  (
    [
      [STRING, ["minLength", "maxLength", "pattern", "format"]],
      [NUMBER, ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"]],
      [OBJECT, ["properties", "patternProperties", "additionalProperties", "propertyNames", "required", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"]],
      [ARRAY, ["prefixItems", "items", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems"]],
    ] as const
  ).flatMap(([mask, keywords]) => keywords.map((keyword) => [keyword, mask] as const)),
);

/** The keywords without those that say nothing about the types that are left. */
export function applicable(entries: Entries, types: TypeMask): Entries {
  return entries.filter(([keyword]) => ((APPLIES_TO.get(keyword) ?? ANY_TYPE) & types) !== 0);
}
