import { canonicalText, type JsonValue } from "@hasp/base/json";
import { createMatcher } from "../validate/index.js";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import { type Chooser, chooseAtRandom, exploreChoices, type Random, USUAL } from "./choices.js";
import { type Fullness, makeValue, type Making, NoValue, startMaking } from "./make-value.js";

export { randomFrom } from "./choices.js";

/** The most parts of all values together: values and, in patterns, characters. */
const MOST_WORK = 500_000;
const MOST_VALUES = 5000;
const ATTEMPTS = 200;

interface ProposalOptions {
  /** Another version of the schema, whose bounds count as well. */
  readonly beside?: JsonSchema;
  /** The most values; by default 5000. */
  readonly most?: number;
}

interface SampleOptions extends ProposalOptions {
  /** Returns a value as it is given, or nothing for one that does not fit. By default, the schema decides. */
  readonly accept?: (value: JsonValue) => JsonValue | undefined;
}

/**
 * Yields values that fit a schema: its own and small ones first, then those of other shapes, then those beside its bounds.
 * Throws a `TypeError` for a schema that the validator refuses.
 */
export function* sampleValues(
  schema: JsonSchema,
  { most = MOST_VALUES, accept, ...options }: SampleOptions = {},
): Generator<JsonValue> {
  const fits = accept ?? acceptWhere(createMatcher(schema));
  const seen = new Set<string>();
  for (const value of proposeValues([schema], schema, options)) {
    const accepted = fits(value);
    if (accepted === undefined || seen.size === seen.add(canonicalText(accepted)).size) continue;
    yield accepted;
    if (seen.size === most) return;
  }
}

const acceptWhere =
  (fits: (value: JsonValue) => boolean) =>
  (value: JsonValue): JsonValue | undefined =>
    fits(value) ? value : undefined;

/** Yields values that schemas of a document together probably accept: parts of a whole, which the caller validates. */
export function* proposeValues(
  schemas: readonly JsonSchema[],
  root: JsonSchema,
  { beside, most = MOST_VALUES }: ProposalOptions = {},
): Generator<JsonValue> {
  const making = startMaking(root, beside);
  const met = new Set<string>();
  let left = most;
  // Small values first, then those with all members.
  for (const share of [0, 1]) {
    for (const value of exploreChoices((choices) => tryToMake(schemas, making, choices, { share }), met)) {
      if (value !== undefined) yield value;
      left -= 1;
      if (left === 0 || making.parts > MOST_WORK) return;
    }
  }
}

/** Creates the function that returns a value which a schema of a document probably accepts; `null` if none is found. */
export function createProposer(root: JsonSchema): (schema: JsonSchema) => JsonValue {
  const making = startMaking(root);
  return (schema) => tryToMake([schema], making, USUAL, { share: 0 }) ?? null;
}

/** Generates a value that `fits`; tries ever smaller ones. Returns `undefined` if none was found. */
export function generateValue(
  schema: JsonSchema,
  fits: (value: JsonValue) => boolean,
  random: Random,
): JsonValue | undefined {
  const making = startMaking(schema);
  for (let attempt = 0; attempt < ATTEMPTS && making.parts < MOST_WORK; attempt += 1) {
    const share = attempt === 0 ? 1 : ([0.6, 0.3, 0][attempt % 3] ?? 0);
    const value = tryToMake([schema], making, chooseAtRandom(random), { share, usesExamples: attempt % 2 === 0 });
    if (value !== undefined && fits(value)) return value;
  }
  return undefined;
}

function tryToMake(
  schemas: readonly JsonSchema[],
  making: Making,
  choices: Chooser,
  fullness: Fullness,
): JsonValue | undefined {
  try {
    return makeValue(schemas, making, choices, fullness);
  } catch (error) {
    if (error instanceof NoValue) return undefined;
    throw error;
  }
}
