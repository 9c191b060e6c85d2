import type { JsonObject, JsonValue, TypeName } from "@hasp/schema";

/** The JSON Schema types. */
export const TYPE_NAMES: ReadonlySet<string> = new Set<TypeName>([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);

/** Type names from other languages with an unambiguous meaning; `undefined` means any value. */
export const FOREIGN_TYPES: ReadonlyMap<string, TypeName | undefined> = new Map<string, TypeName | undefined>([
  ["any", undefined],
  ["bool", "boolean"],
  ["dict", "object"],
  ["double", "number"],
  ["float", "number"],
  ["int", "integer"],
  ["list", "array"],
  ["none", "null"],
  ["str", "string"],
  ["tuple", "array"],
  // Google writes the same names in capitals.
  ...[...TYPE_NAMES].map((name): [string, TypeName] => [name.toUpperCase(), name as TypeName]),
]);

/** How the value of a keyword contains schemas. */
export type KeywordShape = "value" | "schema" | "schemas" | "map" | "schema-or-schemas" | "map-of-schemas-or-names";

/** The keywords of 2020-12 and draft-07 in spec order. */
export const KEYWORDS: ReadonlyMap<string, KeywordShape> = new Map<string, KeywordShape>([
  ["$schema", "value"],
  ["$id", "value"],
  ["$anchor", "value"],
  ["$dynamicAnchor", "value"],
  ["$ref", "value"],
  ["$dynamicRef", "value"],
  ["$comment", "value"],
  ["title", "value"],
  ["type", "value"],
  ["description", "value"],
  ["enum", "value"],
  ["const", "value"],
  ["default", "value"],
  ["examples", "value"],
  ["deprecated", "value"],
  ["readOnly", "value"],
  ["writeOnly", "value"],
  ["minimum", "value"],
  ["exclusiveMinimum", "value"],
  ["maximum", "value"],
  ["exclusiveMaximum", "value"],
  ["multipleOf", "value"],
  ["minLength", "value"],
  ["maxLength", "value"],
  ["pattern", "value"],
  ["format", "value"],
  ["contentEncoding", "value"],
  ["contentMediaType", "value"],
  ["contentSchema", "schema"],
  ["minItems", "value"],
  ["maxItems", "value"],
  ["uniqueItems", "value"],
  ["prefixItems", "schemas"],
  ["items", "schema-or-schemas"],
  ["additionalItems", "schema"],
  ["unevaluatedItems", "schema"],
  ["contains", "schema"],
  ["minContains", "value"],
  ["maxContains", "value"],
  ["minProperties", "value"],
  ["maxProperties", "value"],
  ["required", "value"],
  ["properties", "map"],
  ["patternProperties", "map"],
  ["additionalProperties", "schema"],
  ["propertyNames", "schema"],
  ["unevaluatedProperties", "schema"],
  ["dependentRequired", "value"],
  ["dependentSchemas", "map"],
  ["dependencies", "map-of-schemas-or-names"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["$defs", "map"],
  ["definitions", "map"],
]);

const RANK: ReadonlyMap<string, number> = new Map([...KEYWORDS.keys()].map((word, index) => [word, index]));

/** Sorts the keywords of a schema in the order of {@link KEYWORDS}; unknown ones come last, in their original order. */
export function inHouseOrder(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const rank = ([word]: readonly [string, JsonValue]): number => RANK.get(word) ?? KEYWORDS.size;
  return Object.fromEntries(entries.toSorted((left, right) => rank(left) - rank(right)));
}
