import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import { ajvSettings, isAjvsOwnFault, sayAjvsWay } from "./ajv.testing.js";
import { schemas, values } from "./arbitraries.testing.js";
import { createValidator } from "./index.js";

const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 60);

// Random schemas have no ids that could meet, so one instance serves them all: making one costs more than a verdict.
const ajv = new Ajv2020(ajvSettings);
const ajvOfDraft07 = new Ajv(ajvSettings);

function expectSameVerdicts(schema: JsonSchema, instances: readonly unknown[], oracle: Ajv): void {
  const theirs = oracle.compile(sayAjvsWay(schema) as object);
  const ours = createValidator(schema, { formats: false });
  for (const instance of instances) {
    const before = JSON.stringify(instance);
    const result = ours(instance);
    try {
      expect({ instance, valid: result.valid }).toEqual({ instance, valid: theirs(instance) });
    } catch (error) {
      if (!isAjvsOwnFault(error)) throw error;
    }
    expect(result.errors.length > 0).toBe(!result.valid);
    expect(result.value).toBe(instance);
    expect(JSON.stringify(instance)).toBe(before);
  }
}

test.each([
  ["plain", { references: false, unevaluated: false }],
  ["references", { references: true, unevaluated: false }],
] as const)("Ajv's verdicts on random schemas and values: %s", (_name, features) => {
  fc.assert(
    fc.property(schemas(features), fc.array(values, { minLength: 8, maxLength: 8 }), (schema, instances) => {
      expectSameVerdicts(schema, instances, ajv);
    }),
    { numRuns: RUNS },
  );
});

test("Ajv's verdicts on random draft-07 schemas and values", () => {
  fc.assert(
    fc.property(
      schemas({ references: false, unevaluated: false }),
      fc.array(values, { minLength: 8, maxLength: 8 }),
      (schema, instances) => {
        const old = { $schema: "http://json-schema.org/draft-07/schema#", allOf: [schema] };
        expectSameVerdicts(old, instances, ajvOfDraft07);
      },
    ),
    { numRuns: Math.ceil(RUNS / 2) },
  );
});
