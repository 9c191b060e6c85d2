import type { JsonObject, JsonValue } from "../../json/json.js";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { asObject, itemAt, propertyAt, type Sampler } from "./sample.js";

const MOST = 1000;

/** The schema to be broken, a value that is likely valid, and that value as an object. */
interface Ground {
  readonly node: SchemaObject;
  readonly sample: Sampler;
  readonly usual: JsonValue;
  readonly whole: JsonObject;
}

type Break = (ground: Ground) => readonly JsonValue[];

const listOf = (length: number, item: (index: number) => JsonValue): JsonValue =>
  Array.from({ length: Math.min(length, MOST) }, (_, index) => item(index));

const itemsOf = ({ node, sample }: Ground, length: number): JsonValue =>
  listOf(length, (index) => sample(itemAt(node, index)));

/** Builds objects with one more key, under which there is something odd. */
const withOdd = ({ whole }: Ground, names: readonly string[]): readonly JsonValue[] =>
  names.flatMap((name) => [
    { ...whole, [name]: null },
    { ...whole, [name]: "none" },
  ]);

const ODD_TEXTS = ["a", "A", "0", "-", "!", " ", "", "é", "\n"];

const oddItems: Break = () => [[null], ["none"], [0, 0, 0, 0], [{}]];
const oddValues: Break = () => ["none", 0, true, null, [], {}, -1];
const oddNames: Break = (ground) => withOdd(ground, ["a", "A", "0", "_", "-a", "longer than most"]);
const furtherNames: Break = (ground) => withOdd(ground, ["further"]);
const tooFewMatches: Break = (ground) => [[], itemsOf(ground, 1), itemsOf(ground, ground.node.minItems ?? 2)];

/** Builds a value of each branch, and objects with and without all that is declared anywhere. */
const mixtures: Break = ({ node, sample, whole }) => {
  const branches = [node.anyOf, node.oneOf, node.allOf].flatMap((list) => list ?? []);
  const declared = [node, ...branches].flatMap((schema) =>
    typeof schema === "object" ? Object.entries(schema.properties ?? {}) : [],
  );
  const full = Object.fromEntries(declared.map(([name, schema]) => [name, sample(schema)] as const));
  return [...branches.map((branch) => sample(branch)), whole, {}, full];
};

/** Values that break each keyword and, where that is easy, nothing else. */
const BREAKS: { readonly [keyword: string]: Break } = {
  minimum: ({ node }) => [(node.minimum ?? 0) - 1],
  maximum: ({ node }) => [(node.maximum ?? 0) + 1],
  exclusiveMinimum: ({ node }) => [node.exclusiveMinimum ?? 0],
  exclusiveMaximum: ({ node }) => [node.exclusiveMaximum ?? 0],
  multipleOf: ({ node, usual }) =>
    [Number(usual) + 1, Number(usual) + (node.multipleOf ?? 1) / 2].filter(Number.isFinite),
  minLength: ({ node }) => ["a".repeat(Math.min(Math.max((node.minLength ?? 1) - 1, 0), MOST))],
  maxLength: ({ node }) => ((node.maxLength ?? 0) < 10 * MOST ? ["a".repeat((node.maxLength ?? 0) + 1)] : []),
  pattern: ({ node: { minLength = 0 } }) => [
    ...ODD_TEXTS,
    ...(minLength < 2 ? [] : ODD_TEXTS.map((text) => text.repeat(Math.min(minLength, MOST)))),
  ],
  format: () => ["none", "", 0.5],
  enum: oddValues,
  const: oddValues,
  type: oddValues,
  uniqueItems: ({ node, sample }) => {
    const item = sample(itemAt(node, 0));
    return [listOf(Math.max(2, node.minItems ?? 0), () => item)];
  },
  minItems: (ground) => [itemsOf(ground, (ground.node.minItems ?? 1) - 1)],
  maxItems: (ground) => ((ground.node.maxItems ?? 0) < MOST ? [itemsOf(ground, (ground.node.maxItems ?? 0) + 1)] : []),
  contains: tooFewMatches,
  minContains: tooFewMatches,
  maxContains: ({ node, sample }) => [listOf((node.maxContains ?? 0) + 1, () => sample(node.contains ?? true))],
  prefixItems: oddItems,
  items: oddItems,
  unevaluatedItems: oddItems,
  minProperties: ({ whole }) => [whole, {}],
  maxProperties: ({ node, sample, whole }) => {
    const extra = Array.from(
      { length: Math.min((node.maxProperties ?? 0) + 1, MOST) },
      (_, index) => [`further${index}`, sample(node.additionalProperties ?? true)] as const,
    );
    return [{ ...whole, ...Object.fromEntries(extra) }];
  },
  required: ({ node, whole }) =>
    (node.required ?? []).map((name) => Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name))),
  additionalProperties: furtherNames,
  unevaluatedProperties: furtherNames,
  patternProperties: oddNames,
  propertyNames: oddNames,
  properties: ({ node, whole }) => Object.keys(node.properties ?? {}).map((name) => ({ ...whole, [name]: "none" })),
  dependentRequired: ({ node, sample, whole }) =>
    Object.keys(node.dependentRequired ?? {}).map((name) => ({ ...whole, [name]: sample(propertyAt(node, name)) })),
  not: ({ node, sample, usual, whole }) => [
    sample(node.not ?? true),
    { ...whole, ...asObject(sample({ type: "object", ...(typeof node.not === "object" && node.not) })) },
    usual,
  ],
  if: ({ node, sample, usual, whole }) => [{ ...whole, ...asObject(sample(node.if ?? true)) }, whole, usual],
  anyOf: mixtures,
  oneOf: mixtures,
  allOf: mixtures,
  dependentSchemas: mixtures,
};

/** Builds values that may break one keyword of a schema; nothing is proved here. */
export function violationsOf(keyword: string, node: SchemaObject, sample: Sampler): readonly JsonValue[] {
  const usual = sample(node);
  return Object.hasOwn(BREAKS, keyword)
    ? (BREAKS[keyword]?.({ node, sample, usual, whole: asObject(usual) }) ?? [])
    : [];
}
