import { createEncoder } from "../../codec/encode.js";
import {
  pickMembers,
  isStructured,
  toObject,
  type JsonValue,
  type JsonObject,
  isEqualJson,
  parsePointer,
} from "@hasp/base/json";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { createMatcher } from "../../validate/index.js";
import { toJsonSchema } from "./json-schema-form.js";
import { createSampler, sampleAround, findItemAt, findPropertyAt, type Sampler } from "./sample.js";
import type { Loss, LowerResult } from "../context/types.js";

/** Limits the work of one search: the parts of all values that are tried, in addition to the budget of each loss. */
const MOST_PARTS = 2_000_000;

/** Finds a checked value for each loss on which source and lowered schema differ, within `budget` steps each. */
export function findWitnesses(
  schema: JsonSchema,
  results: readonly LowerResult[],
  budget: number,
): readonly (readonly Loss[])[] {
  if (typeof schema !== "object") return results.map(({ losses }) => losses);
  const source = createSource(schema);
  return results.map((result) => {
    const find = createSearch(source, result);
    return result.losses.map((loss) => {
      const witness = find(loss, budget);
      return witness === undefined ? loss : { ...loss, witness };
    });
  });
}

function createSearch(source: Source, result: LowerResult): (loss: Loss, budget: number) => JsonValue | undefined {
  let isWire: Matcher | undefined | "none";
  // Not `result.encode`, which throws where the lowered schema was narrowed: such a value is just not a witness.
  const encode = createEncoder(result.codec);
  const survives = (value: JsonValue, isAccepted: Matcher): boolean => {
    const sent = encode(value);
    return isAccepted(sent) && isEqualJson(result.decode(sent), value);
  };
  return ({ direction, pointer, keyword }, budget) => {
    if (direction === "narrowed" || result.schema === undefined) return undefined;
    for (let step = 0; step < budget; step += 1) {
      const refused = source.refusedAt(pointer, keyword, step);
      if (refused === undefined) return undefined;
      if (refused.value === undefined) continue;
      isWire ??= checkOf(toJsonSchema(result.schema)) ?? "none";
      if (isWire === "none") return undefined;
      if (survives(refused.value, isWire)) return refused.value;
    }
    return undefined;
  };
}

type Matcher = (value: JsonValue) => boolean;

interface Source {
  /** Returns a candidate for a loss: no value if the source takes it after all, nothing after the last candidate. */
  refusedAt(pointer: string, keyword: string, step: number): { readonly value: JsonValue | undefined } | undefined;
}

function createSource(root: SchemaObject): Source {
  const sample = createSampler(root.$defs ?? {});
  const candidates = new Map<
    string,
    {
      readonly steps: readonly string[];
      readonly violations: readonly JsonValue[];
      readonly tried: { value: JsonValue | undefined }[];
    }
  >();
  let isSource: Matcher | undefined | "none";
  let partsLeft = MOST_PARTS;
  const candidatesFor = (pointer: string, keyword: string): NonNullable<ReturnType<typeof candidates.get>> => {
    const key = `${keyword} ${pointer}`;
    const known = candidates.get(key);
    if (known !== undefined) return known;
    const steps = parsePointer(pointer);
    const node = nodeAt(root, steps);
    const made = { steps, violations: node === undefined ? [] : violationsOf(keyword, node, sample), tried: [] };
    candidates.set(key, made);
    return made;
  };
  return {
    refusedAt: (pointer, keyword, step) => {
      const { steps, violations, tried } = candidatesFor(pointer, keyword);
      const violation = violations[step];
      if (violation === undefined) return undefined;
      isSource ??= checkOf(root) ?? "none";
      if (isSource === "none") return undefined;
      const known = tried[step];
      if (known !== undefined) return known;
      if (partsLeft <= 0) return undefined;
      const value = sampleAround(root, steps, violation, sample);
      partsLeft -= countParts(value);
      const found = { value: value === undefined || isSource(value) ? undefined : value };
      tried[step] = found;
      return found;
    },
  };
}

function countParts(value: JsonValue | undefined): number {
  if (!isStructured(value)) return 1;
  return Object.values(value).reduce<number>((sum, part: JsonValue) => sum + countParts(part), 1);
}

function checkOf(schema: JsonSchema): Matcher | undefined {
  try {
    return createMatcher(schema);
  } catch (error) {
    if (error instanceof TypeError) return undefined; // the validator refuses such schemas; then nothing can be checked
    throw error;
  }
}

function nodeAt(root: SchemaObject, steps: readonly string[]): SchemaObject | undefined {
  let current: unknown = root;
  for (const step of steps) {
    if (!isStructured(current) || !Object.hasOwn(current, step)) return undefined;
    current = (current as { readonly [key: string]: unknown })[step];
  }
  return isStructured(current) ? (current as SchemaObject) : undefined;
}

const MOST = 1000;

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
  listOf(length, (index) => sample(findItemAt(node, index)));

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
    const item = sample(findItemAt(node, 0));
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
  required: ({ node, whole }) => (node.required ?? []).map((name) => pickMembers(whole, (key) => key !== name)),
  additionalProperties: furtherNames,
  unevaluatedProperties: furtherNames,
  patternProperties: oddNames,
  propertyNames: oddNames,
  properties: ({ node, whole }) => Object.keys(node.properties ?? {}).map((name) => ({ ...whole, [name]: "none" })),
  dependentRequired: ({ node, sample, whole }) =>
    Object.keys(node.dependentRequired ?? {}).map((name) => ({ ...whole, [name]: sample(findPropertyAt(node, name)) })),
  not: ({ node, sample, usual, whole }) => [
    sample(node.not ?? true),
    { ...whole, ...toObject(sample({ type: "object", ...(typeof node.not === "object" && node.not) })) },
    usual,
  ],
  if: ({ node, sample, usual, whole }) => [{ ...whole, ...toObject(sample(node.if ?? true)) }, whole, usual],
  anyOf: mixtures,
  oneOf: mixtures,
  allOf: mixtures,
  dependentSchemas: mixtures,
};

/** Builds values that may break one keyword of a schema; nothing is proved here. */
function violationsOf(keyword: string, node: SchemaObject, sample: Sampler): readonly JsonValue[] {
  // Few keywords need these two.
  const ground: Ground = {
    node,
    sample,
    get usual() {
      return sample(node);
    },
    get whole() {
      return toObject(this.usual);
    },
  };
  return Object.hasOwn(BREAKS, keyword) ? (BREAKS[keyword]?.(ground) ?? []) : [];
}
