import { dialects, lower, type DialectId, type JsonSchema, type JsonValue, type LowerResult } from "@hasp/schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ajvSettings, sayAjvsWay } from "../../packages/schema/src/validate/ajv.testing.js";
import { inBoundedTime } from "../../packages/schema/src/in-bounded-time.testing.js";
import { chanceFrom, toolInputs } from "./tool-inputs.testing.js";

/** Few in the ordinary run; `HASP_FUZZ_RUNS=2000` looks longer. */
const numRuns = Number(process.env["HASP_FUZZ_RUNS"] ?? 8);
const VALUES = 10;

const ajv = new Ajv2020({ ...ajvSettings, validateFormats: true });
addFormats.default(ajv);

// With a fixed seed, every dialect is given the same schemas: Ajv compiles each once.
const oracles = new Map<string, (value: unknown) => boolean>();

function oracle(schema: JsonSchema): (value: unknown) => boolean {
  const key = JSON.stringify(schema);
  const known = oracles.get(key);
  if (known !== undefined) return known;
  const validate = ajv.compile(sayAjvsWay(inJsonSchema(schema)) as object);
  const made = (value: unknown): boolean => validate(value) === true;
  oracles.set(key, made);
  return made;
}

/** Gemini's `nullable` in the words of JSON Schema. */
function inJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inJsonSchema);
  if (typeof schema !== "object" || schema === null) return schema;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [key, inJsonSchema(part)]),
  );
  return nullable === true ? { anyOf: [rest, { type: "null" }] } : rest;
}

function encoded(result: LowerResult, value: JsonValue): { readonly sent: JsonValue } | "narrowed" {
  try {
    return { sent: result.encode(value) };
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return "narrowed";
  }
}

/**
 * The law for one value: what the source takes can be said and comes back; what only the lowered schema takes is a
 * loss.
 */
function expectLaw(
  source: (value: unknown) => boolean,
  lowered: (value: unknown) => boolean,
  result: LowerResult,
  value: JsonValue,
): void {
  const narrows = result.losses.some(({ direction }) => direction === "narrowed");
  if (source(value)) {
    const answer = encoded(result, value);
    if (answer === "narrowed") {
      expect(narrows).toBe(true);
    } else {
      expect({ value, sent: answer.sent, isTaken: lowered(answer.sent) }).toEqual({
        value,
        sent: answer.sent,
        isTaken: true,
      });
      expect(result.decode(answer.sent)).toEqual(value);
    }
  } else if (lowered(value) && !source(result.decode(value))) {
    expect({ value, losses: result.losses.length }).not.toEqual({ value, losses: 0 });
  }
}

/** Minimised finds of the random search. */
const found: readonly (readonly [string, JsonSchema, readonly JsonValue[]])[] = [
  [
    "properties are counted where a map has become a list",
    {
      type: "object",
      properties: { a: true, b: true },
      required: ["a"],
      additionalProperties: { type: "integer" },
      maxProperties: 2,
    },
    [
      { a: 1, b: 2 },
      { a: 1, c: 2 },
    ],
  ],
  [
    "at least so many properties, of which some are optional",
    {
      type: "object",
      properties: { a: { type: "string" } },
      additionalProperties: { type: "integer" },
      minProperties: 2,
    },
    [{ a: "x", b: 1 }, { b: 1, c: 2 }, { a: "x" }],
  ],
];

describe.each(Object.keys(dialects) as DialectId[])("lowering unflattened tool inputs to %s", (id) => {
  test.each(found)("keeps the law: %s", (_name, schema, instances) => {
    const result = lower(schema, id);
    if (result.schema === undefined) return;
    for (const value of instances) expectLaw(oracle(schema), oracle(result.schema), result, value);
  });

  test.each([false, true])("keeps the law, with Ajv as oracle (allowNarrowing: %s)", (allowNarrowing) => {
    fc.assert(
      fc.property(toolInputs, fc.nat(), ({ schema, make }, seed) => {
        const before = JSON.stringify(schema);
        const result = inBoundedTime(() => lower(schema, id, { witnessBudget: 0, allowNarrowing }));
        expect(JSON.stringify(schema)).toBe(before);
        if (result.schema === undefined) {
          expect(result.diagnostics.some(({ severity }) => severity === "error")).toBe(true);
          return;
        }
        const narrows = result.losses.some(({ direction }) => direction === "narrowed");
        if (!allowNarrowing) expect(narrows).toBe(false);
        const [isSource, isLowered] = [oracle(schema), oracle(result.schema)];
        const next = chanceFrom(seed);
        for (let round = 0; round < VALUES; round += 1) expectLaw(isSource, isLowered, result, make(next, 0));
      }),
      { numRuns },
    );
  });

  test("is deterministic, and lowering again keeps every verdict and then changes nothing", () => {
    fc.assert(
      fc.property(toolInputs, fc.nat(), ({ schema, make }, seed) => {
        const lowered = (source: JsonSchema): LowerResult => lower(source, id, { witnessBudget: 0 });
        const once = lowered(schema);
        const other = lowered(structuredClone(schema));
        expect(JSON.stringify([other.schema, other.losses, other.codec])).toBe(
          JSON.stringify([once.schema, once.losses, once.codec]),
        );
        if (once.schema === undefined) return;
        const twice = lowered(once.schema);
        if (twice.schema === undefined) {
          throw new Error(`refused the second time: ${JSON.stringify(twice.diagnostics)}`);
        }
        expect(lowered(twice.schema).schema).toEqual(twice.schema);
        const [isOnce, isTwice] = [oracle(once.schema), oracle(twice.schema)];
        const next = chanceFrom(seed);
        for (let round = 0; round < VALUES; round += 1) {
          const value = make(next, 0);
          const sent = next(2) === 0 ? value : once.encode(value);
          expect({ sent, isTaken: isTwice(sent) }).toEqual({ sent, isTaken: isOnce(sent) });
        }
      }),
      { numRuns },
    );
  });
});
