/** The words of JSON Schema that a flat schema may hold. */
export type Keyword = (typeof keywordOrder)[number];

/**
 * What a dialect does with one keyword.
 * `keep`: it passes, with the schemas in it lowered. `rewrite`: a transform says the same in other words. `words`: it
 * cannot be carried; the description says it, and it is a loss. `drop`: an annotation that no value depends on.
 * `refuse`: a tool that has it is refused.
 */
export type KeywordAction = "keep" | "rewrite" | "words" | "drop" | "refuse";

/** The actions of one dialect, by keyword. */
export type KeywordTable = { readonly [keyword in Keyword]?: KeywordAction };

/** All keywords, in the order in which lowered schemas print them. */
export const keywordOrder: readonly [
  "$ref", "title", "description", "type", "nullable", "const", "enum", "format", "pattern", "minLength", "maxLength",
  "contentEncoding", "contentMediaType", "contentSchema", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
  "multipleOf", "properties", "patternProperties", "propertyNames", "required", "minProperties", "maxProperties",
  "dependentRequired", "dependentSchemas", "additionalProperties", "unevaluatedProperties", "prefixItems", "items",
  "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems", "anyOf", "oneOf",
  "allOf", "not", "if", "then", "else", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$defs",
] = [
  "$ref", "title", "description", "type", "nullable", "const", "enum", "format", "pattern", "minLength", "maxLength",
  "contentEncoding", "contentMediaType", "contentSchema", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
  "multipleOf", "properties", "patternProperties", "propertyNames", "required", "minProperties", "maxProperties",
  "dependentRequired", "dependentSchemas", "additionalProperties", "unevaluatedProperties", "prefixItems", "items",
  "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems", "anyOf", "oneOf",
  "allOf", "not", "if", "then", "else", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$defs",
];

/** Builds a table from one list for each action. */
export function keywordTable(actions: { readonly [action in KeywordAction]?: readonly Keyword[] }): KeywordTable {
  const table: { [keyword in Keyword]?: KeywordAction } = {};
  for (const action of ["keep", "rewrite", "words", "drop", "refuse"] as const) {
    for (const keyword of actions[action] ?? []) table[keyword] = action;
  }
  return table;
}

/** Every keyword passes: for APIs that take the whole of JSON Schema. `nullable` is no word of it. */
export const wholeVocabulary: KeywordTable = keywordTable({
  keep: keywordOrder.filter((keyword) => keyword !== "nullable"),
  drop: ["nullable"],
});
