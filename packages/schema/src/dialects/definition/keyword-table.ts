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
// prettier-ignore
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

/** Builds a table from one list for each action; what no list names is as in `base`, where there is one. */
export function keywordTable(
  actions: { readonly [action in KeywordAction]?: readonly Keyword[] },
  base?: KeywordTable,
): KeywordTable {
  const table: { [keyword in Keyword]?: KeywordAction } = { ...base };
  for (const [action, keywords] of Object.entries(actions)) {
    for (const keyword of keywords) table[keyword] = action as KeywordAction;
  }
  return table;
}

/** Every keyword passes: for APIs that take the whole of JSON Schema. `nullable` is no word of it. */
export const wholeVocabulary: KeywordTable = keywordTable({ keep: keywordOrder, drop: ["nullable"] });

/** What most APIs with a subset of JSON Schema do; each of their tables says where it differs. */
// prettier-ignore
export const subsetVocabulary: KeywordTable = keywordTable({
  keep: [
    "title", "description", "type", "enum", "format", "pattern", "properties", "required", "items", "minItems", "anyOf",
  ],
  rewrite: [
    "$ref", "$defs", "const", "oneOf", "additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames",
    "prefixItems", "unevaluatedItems",
  ],
  words: [
    "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minProperties",
    "maxProperties", "dependentRequired", "dependentSchemas", "contains", "minContains", "maxContains", "maxItems",
    "uniqueItems", "allOf", "not", "if", "then", "else",
  ],
  drop: [
    "nullable", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "contentEncoding",
    "contentMediaType", "contentSchema",
  ],
});
