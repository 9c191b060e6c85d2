import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dialects } from "../dialects/index.js";
import type { DialectId } from "../dialects/definition/dialect-id.js";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import type { JsonValue } from "@hasp/base/json";
import { chance, flatSchema, likelyValue } from "./generators.testing.js";
import { toJsonSchema } from "./losses/json-schema-form.js";
import { lower } from "./lower.js";

const flat = { originsOf: () => [] };
/** Few in the ordinary run, for each dialect; `HASP_FUZZ_RUNS=2000` looks longer. */
const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 8);

const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

// With a fixed seed, every dialect is given the same schemas: Ajv compiles each once.
const oracles = new Map<string, (value: unknown) => boolean>();

function oracle(schema: JsonSchema): (value: unknown) => boolean {
  const key = JSON.stringify(schema);
  const known = oracles.get(key);
  if (known !== undefined) return known;
  const validate = ajv.compile(schema as object);
  const made = (value: unknown): boolean => validate(value) === true;
  oracles.set(key, made);
  return made;
}

/** A null that a reference brings once moved from the middle of the union to its end, when it was lowered again. */
const nullByReference: SchemaObject = {
  type: "object",
  properties: { a: { anyOf: [{ $ref: "#/$defs/Text", description: "By name." }, { anyOf: [{ const: "fixed" }] }] } },
  $defs: { Text: { anyOf: [{ type: "null" }, { type: "array", items: { $ref: "#/$defs/Text" } }] } },
};

describe.each(Object.keys(dialects) as DialectId[])("lowering for %s", (id) => {
  test.each([false, true])("the law holds (allowNarrowing %s)", (allowNarrowing) => {
    fc.assert(
      fc.property(flatSchema, fc.nat(), (schema, seed) => {
        const result = lower(schema, id, { flat, witnessBudget: 0, allowNarrowing });
        if (result.schema === undefined) {
          expect(result.diagnostics.some((diagnostic) => diagnostic.severity === "error")).toBe(true);
          return;
        }
        const isNarrowed = result.losses.some((loss) => loss.direction === "narrowed");
        if (!allowNarrowing) expect(isNarrowed).toBe(false);
        const isSource = oracle(schema);
        const isWire = oracle(toJsonSchema(result.schema));
        const next = chance(seed);
        for (let round = 0; round < 12; round += 1) {
          const value = likelyValue(schema, schema.$defs, next);
          if (!isSource(value)) continue;
          const sent = encoded(result.encode, value);
          if (sent instanceof RangeError) {
            expect(isNarrowed || sent.message.includes("taken twice")).toBe(true);
            continue;
          }
          if (!isWire(sent)) {
            throw new Error(`The lowered schema refuses ${JSON.stringify({ value, sent, lowered: result.schema })}`);
          }
          const back = result.decode(sent);
          if (!isDeepStrictEqual(back, value)) {
            throw new Error(`It does not come back: ${JSON.stringify({ value, sent, back })}`);
          }
        }
        for (let round = 0; round < 12; round += 1) {
          const sent = likelyValue(result.schema, (result.schema as SchemaObject).$defs, next);
          const received = result.decode(sent);
          if (isWire(sent) && !isSource(received) && !result.losses.some((loss) => loss.direction === "widened")) {
            throw new Error(`No loss explains ${JSON.stringify({ sent, received, lowered: result.schema })}`);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test("lowering again changes nothing, and the same input gives the same bytes", () => {
    fc.assert(
      fc.property(flatSchema, (schema) => {
        const before = JSON.stringify(schema);
        const once = lower(schema, id, { flat, witnessBudget: 0 });
        expect(JSON.stringify(lower(schema, id, { flat, witnessBudget: 0 }).schema)).toBe(JSON.stringify(once.schema));
        expect(JSON.stringify(schema)).toBe(before);
        if (once.schema === undefined) return;
        const twice = lower(once.schema, id, { flat, witnessBudget: 0 });
        const change = firstDifference(once.schema, twice.schema, "");
        if (change !== undefined) throw new Error(change);
      }),
      { numRuns: RUNS, examples: [[nullByReference]] },
    );
  });

  test("decode never throws, whatever a model sends", () => {
    fc.assert(
      fc.property(flatSchema, fc.jsonValue(), (schema, garbage) => {
        const { decode } = lower(schema, id, { flat, witnessBudget: 0, allowNarrowing: true });
        expect(() => decode(garbage as JsonValue)).not.toThrow();
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  });
});

function firstDifference(once: unknown, twice: unknown, place: string): string | undefined {
  if (JSON.stringify(once) === JSON.stringify(twice)) return undefined;
  const here = `${place}: ${JSON.stringify(once)} became ${JSON.stringify(twice)}`;
  if (typeof once !== "object" || typeof twice !== "object" || once === null || twice === null) return here;
  if (Object.keys(once).join() !== Object.keys(twice).join()) return here;
  for (const [key, value] of Object.entries(once)) {
    const found = firstDifference(value, (twice as Record<string, unknown>)[key], `${place}/${key}`);
    if (found !== undefined) return found;
  }
  return here;
}

function encoded(encode: (value: JsonValue) => JsonValue, value: JsonValue): JsonValue | RangeError {
  try {
    return encode(value);
  } catch (error) {
    if (error instanceof RangeError) return error;
    throw error;
  }
}
