import { createEncoder } from "../../codec/encode.js";
import type { JsonValue } from "../../json/json.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { createMatcher } from "../../validate/index.js";
import { equalJson } from "../../json/json-value.js";
import { asJsonSchema } from "./json-schema-form.js";
import { createSampler, sampleAround } from "./sample.js";
import type { Loss, LowerResult } from "../context/types.js";
import { violationsOf } from "./violations.js";
import { pointerKeys } from "../../json/pointer.js";

/** Limits the work of one search: the parts of all values that are tried, in addition to the budget of each loss. */
const MOST_PARTS = 2_000_000;

/**
 * Finds witnesses for the losses of several lowerings of one flat schema: values on which the source and the lowered
 * schema differ, within `budget` steps each. A witness is checked: the source refuses it, the lowered schema accepts
 * what it is sent as, and that comes back as the value.
 */
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
  let isWire: Check | undefined | "none";
  // Not `result.encode`, which throws where the lowered schema was narrowed: such a value is not a witness, nothing more.
  const encode = createEncoder(result.codec);
  const survives = (value: JsonValue, isAccepted: Check): boolean => {
    const sent = encode(value);
    return isAccepted(sent) && equalJson(result.decode(sent), value);
  };
  return ({ direction, pointer, keyword }, budget) => {
    if (direction === "narrowed" || result.schema === undefined) return undefined;
    for (let step = 0; step < budget; step += 1) {
      const refused = source.refusedAt(pointer, keyword, step);
      if (refused === undefined) return undefined;
      if (refused.value === undefined) continue;
      isWire ??= checkOf(asJsonSchema(result.schema)) ?? "none";
      if (isWire === "none") return undefined;
      if (survives(refused.value, isWire)) return refused.value;
    }
    return undefined;
  };
}

type Check = (value: JsonValue) => boolean;

/** The source schema of a search, sampled once for all dialects. */
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
  let isSource: Check | undefined | "none";
  let partsLeft = MOST_PARTS;
  const candidatesFor = (pointer: string, keyword: string): NonNullable<ReturnType<typeof candidates.get>> => {
    const key = `${keyword} ${pointer}`;
    const known = candidates.get(key);
    if (known !== undefined) return known;
    const steps = pointerKeys(pointer);
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
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part: JsonValue) => sum + countParts(part), 1);
}

function checkOf(schema: JsonSchema): Check | undefined {
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
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as { readonly [key: string]: unknown })[step];
  }
  return typeof current === "object" && current !== null ? (current as SchemaObject) : undefined;
}
