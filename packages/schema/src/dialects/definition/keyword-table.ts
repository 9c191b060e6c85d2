import { keywordNames, type IdentifierKeyword, type Keyword as SchemaKeyword } from "../../vocabulary/keywords.js";

/** A keyword that flattening dissolves. */
export type DissolvedKeyword = Exclude<IdentifierKeyword, "$defs"> | "$dynamicRef" | "additionalItems" | "dependencies";

/** A keyword of a flat schema. Gemini adds `nullable`, which is not part of JSON Schema. */
export type Keyword = Exclude<SchemaKeyword, DissolvedKeyword> | "nullable";

/**
 * The action for one keyword. `keep`: it passes. `rewrite`: other keywords say it. `words`: only the description says
 * it, a loss. `drop`: it is left out, as an annotation. `refuse`: a tool that has it is refused.
 */
export type KeywordAction = "keep" | "rewrite" | "words" | "drop" | "refuse";

export type CompleteKeywordTable = { readonly [keyword in Keyword]: KeywordAction };

export type KeywordTable = Partial<CompleteKeywordTable>;

const DISSOLVED: { readonly [keyword in DissolvedKeyword]: true } = {
  $schema: true,
  $vocabulary: true,
  $id: true,
  $anchor: true,
  $dynamicAnchor: true,
  $dynamicRef: true,
  additionalItems: true,
  definitions: true,
  dependencies: true,
};

function isDissolved(name: string): name is DissolvedKeyword {
  return Object.hasOwn(DISSOLVED, name);
}

/** Every keyword of a flat schema, in the order in which lowered schemas print them. */
export const keywordOrder: readonly Keyword[] = /* @__PURE__ */ keywordNames.flatMap((name): readonly Keyword[] => {
  if (isDissolved(name)) return [];
  return name === "type" ? [name, "nullable"] : [name];
});

/** Builds a table from one list for each action; other keywords are as in `base`, where there is one. */
export function keywordTable(actions: KeywordLists): KeywordTable;
export function keywordTable(actions: KeywordLists, base: CompleteKeywordTable): CompleteKeywordTable;
// @__NO_SIDE_EFFECTS__
export function keywordTable(actions: KeywordLists, base?: CompleteKeywordTable): KeywordTable {
  const table: { [keyword in Keyword]?: KeywordAction } = { ...base };
  for (const [action, keywords] of Object.entries(actions)) {
    for (const keyword of keywords) table[keyword] = action as KeywordAction;
  }
  return table;
}

type KeywordLists = { readonly [action in KeywordAction]?: readonly Keyword[] };

/** Every keyword passes: for APIs that take the whole of JSON Schema. */
export const wholeVocabulary: CompleteKeywordTable = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ keywordOrder.map((keyword) => [keyword, keyword === "nullable" ? "drop" : "keep"]),
) as CompleteKeywordTable;

/** The table of most APIs with a subset of JSON Schema; each dialect states its differences. */
// prettier-ignore
export const subsetVocabulary: CompleteKeywordTable = {
  $ref: "rewrite", $defs: "rewrite",
  title: "keep", description: "keep", type: "keep", nullable: "drop", const: "rewrite", enum: "keep",
  format: "keep", pattern: "keep", minLength: "words", maxLength: "words",
  contentEncoding: "drop", contentMediaType: "drop", contentSchema: "drop",
  minimum: "words", maximum: "words", exclusiveMinimum: "words", exclusiveMaximum: "words", multipleOf: "words",
  properties: "keep", patternProperties: "rewrite", propertyNames: "rewrite", required: "keep",
  minProperties: "words", maxProperties: "words", dependentRequired: "words", dependentSchemas: "words",
  additionalProperties: "rewrite", unevaluatedProperties: "rewrite",
  prefixItems: "rewrite", items: "keep", contains: "words", minContains: "words", maxContains: "words",
  minItems: "keep", maxItems: "words", uniqueItems: "words", unevaluatedItems: "rewrite",
  anyOf: "keep", oneOf: "rewrite", allOf: "words", not: "words", if: "words", then: "words", else: "words",
  default: "drop", examples: "drop", deprecated: "drop", readOnly: "drop", writeOnly: "drop", $comment: "drop",
};
