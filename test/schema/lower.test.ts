import { dialects, lower, type DialectId, type JsonSchema, type JsonValue, type LowerResult } from "@hasp/schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ajvSettings, sayAjvsWay } from "../../packages/schema/src/validate/ajv.testing.js";
import { bounded } from "./bounded.testing.js";
import { chanceFrom, toolInputs } from "./tool-inputs.testing.js";

/** Few in the ordinary run; `HASP_FUZZ_RUNS=2000` looks longer. */
const numRuns = Number(process.env["HASP_FUZZ_RUNS"] ?? 60);
const VALUES = 10;

function judge(schema: JsonSchema): (value: unknown) => boolean {
  const ajv = new Ajv2020({ ...ajvSettings, validateFormats: true });
  addFormats.default(ajv);
  const validate = ajv.compile(sayAjvsWay(inJsonSchema(schema)) as object);
  return (value) => validate(value) === true;
}

/** Gemini's `nullable` in the words of JSON Schema. */
function inJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inJsonSchema);
  if (typeof schema !== "object" || schema === null) return schema;
  const { nullable, ...rest } = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, inJsonSchema(part)]));
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

describe.each(Object.keys(dialects) as DialectId[])("lowering unflattened tool inputs to %s", (id) => {
  test.each([false, true])("keeps the law, with Ajv as judge (allowNarrowing: %s)", (allowNarrowing) => {
    fc.assert(
      fc.property(toolInputs, fc.nat(), ({ schema, make }, seed) => {
        const before = JSON.stringify(schema);
        const result = bounded(5000, () => lower(schema, id, { witnessBudget: 0, allowNarrowing }));
        expect(JSON.stringify(schema)).toBe(before);
        if (result.schema === undefined) {
          expect(result.diagnostics.some(({ severity }) => severity === "error")).toBe(true);
          return;
        }
        const narrows = result.losses.some(({ direction }) => direction === "narrowed");
        if (!allowNarrowing) expect(narrows).toBe(false);
        const [isSource, isLowered] = [judge(schema), judge(result.schema)];
        const next = chanceFrom(seed);
        for (let round = 0; round < VALUES; round += 1) {
          const value = make(next, 0);
          if (isSource(value)) {
            const answer = encoded(result, value);
            if (answer === "narrowed") {
              expect(narrows).toBe(true);
            } else {
              expect({ value, sent: answer.sent, isTaken: isLowered(answer.sent) }).toEqual({ value, sent: answer.sent, isTaken: true });
              expect(result.decode(answer.sent)).toEqual(value);
            }
          } else if (isLowered(value) && !isSource(result.decode(value))) {
            expect({ value, losses: result.losses.length }).not.toEqual({ value, losses: 0 });
          }
        }
      }),
      { numRuns },
    );
  });

  test("is deterministic, and lowering again changes nothing", () => {
    fc.assert(
      fc.property(toolInputs, ({ schema }) => {
        const once = lower(schema, id, { witnessBudget: 0 });
        const again = lower(structuredClone(schema), id, { witnessBudget: 0 });
        expect(JSON.stringify([again.schema, again.losses, again.codec])).toBe(JSON.stringify([once.schema, once.losses, once.codec]));
        if (once.schema === undefined) return;
        const twice = lower(once.schema, id, { witnessBudget: 0 });
        expect(twice.schema).toEqual(once.schema);
      }),
      { numRuns },
    );
  });
});
