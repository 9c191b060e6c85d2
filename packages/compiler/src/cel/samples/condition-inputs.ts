import { generateValue, randomFrom, sampleValues } from "@hasp/schema/internal/generate";
import { createValidator, type JsonSchema, type JsonValue } from "@hasp/schema";
import { findOrAdd, once } from "@hasp/base/json";
import type { Expression } from "../../model/conditions.js";
import { readInputType } from "../check/input-type.js";
import { countLeaves, findDecidingInputs, type InputSpace } from "./deciding-inputs.js";
import { createInputSampler } from "./sample-inputs.js";
import { listTextsLike } from "./values-near.js";

const MOST_INPUTS = 1000;
const SEEDS = ["1", "2"];

/** Finds valid inputs on which a different condition would probably answer differently. */
type ConditionSampler = (condition: Expression) => readonly JsonValue[];

/** Creates the sampler of the conditions that judge inputs of one schema; `given` are the author's own inputs. */
export function createConditionSampler(schema: JsonSchema, given: readonly JsonValue[]): ConditionSampler {
  const validate = createValidator(schema, { defaults: true });
  const textsByPattern = new Map<string, readonly string[]>();
  const space: InputSpace = {
    type: readInputType(schema),
    accept: (candidate) => {
      const { valid, value } = validate(candidate);
      return valid ? (value as JsonValue) : undefined;
    },
    textsLike: (pattern) => {
      return findOrAdd(textsByPattern, pattern, () => listTextsLike(pattern));
    },
  };
  const accepted = (candidates: readonly (JsonValue | undefined)[]): readonly JsonValue[] =>
    candidates.flatMap((candidate) => (candidate === undefined ? [] : (space.accept(candidate) ?? [])));
  const fits = (value: JsonValue): boolean => space.accept(value) !== undefined;
  const generated = SEEDS.map((seed) => generateValue(schema, fits, randomFrom(seed)));
  const [stated, sampled, made] = [given, [...sampleValues(schema, { most: 16 })], generated].map(accepted);
  const bases = [stated, sampled, made].flatMap((values = []) => values.slice(0, 2));
  // All conditions share them: they depend on the schema alone.
  const sampleInputs = createInputSampler(schema, given);
  const further = once(() => [...sampleValues(schema, { accept: space.accept, most: MOST_INPUTS / 5 })]);
  return (condition) => {
    const found = new Map<string, JsonValue>();
    const take = (inputs: Iterable<JsonValue>, share: number): void => {
      for (const input of inputs) {
        if (found.size >= MOST_INPUTS * share) return;
        found.set(JSON.stringify(input), input);
      }
    };
    take([...(stated ?? []), ...bases], 0.5);
    const each = Math.ceil(MOST_INPUTS / bases.length / countLeaves(condition));
    for (const base of bases) take(findDecidingInputs(condition, base, space, each), 0.7);
    take(sampleInputs([condition]), 0.9);
    take(further(), 1);
    return [...found.values()];
  };
}
