import type { JsonObject, JsonValue, TypeName } from "@hasp/schema";
import type { Keyword } from "@hasp/schema/vocabulary";

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

const SPEC_ORDER = keywordsInOrder(
  "$schema",
  "$vocabulary",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$ref",
  "$dynamicRef",
  "$comment",
  "title",
  "type",
  "description",
  "enum",
  "const",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "minItems",
  "maxItems",
  "uniqueItems",
  "prefixItems",
  "items",
  "additionalItems",
  "unevaluatedItems",
  "contains",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
  "required",
  "properties",
  "patternProperties",
  "additionalProperties",
  "propertyNames",
  "unevaluatedProperties",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "$defs",
  "definitions",
);

/** Makes the compiler refuse a list that lacks a keyword. */
function keywordsInOrder<const Words extends readonly Keyword[]>(
  ...words: Exclude<Keyword, Words[number]> extends never ? Words : readonly [missing: Exclude<Keyword, Words[number]>]
): readonly Keyword[] {
  return words as readonly Keyword[];
}

const RANK: ReadonlyMap<string, number> = new Map(SPEC_ORDER.map((word, index) => [word, index]));

export function sortKeywords(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const rank = ([word]: readonly [string, JsonValue]): number => RANK.get(word) ?? RANK.size;
  return Object.fromEntries(entries.toSorted((left, right) => rank(left) - rank(right)));
}
