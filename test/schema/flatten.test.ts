import { createValidator, flatten, type JsonSchema } from "@hasp/schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ajvSettings, isAjvsOwnFault, sayAjvsWay } from "../../packages/schema/src/validate/ajv.testing.js";
import { schemas, values } from "../../packages/schema/src/validate/arbitraries.testing.js";
import { inBoundedTime } from "../../packages/schema/src/in-bounded-time.testing.js";
import { chanceFrom, toolInputs } from "./tool-inputs.testing.js";

/** Few in the ordinary run; `HASP_FUZZ_RUNS=2000` looks longer. */
const numRuns = Number(process.env["HASP_FUZZ_RUNS"] ?? 50);

type Oracle = (schema: JsonSchema) => (value: unknown) => boolean;

// Random schemas have no ids that could meet, so one instance serves them all: making one costs more than a verdict.
const instance = new Ajv2020(ajvSettings);

const ajv: Oracle = (schema) => {
  const validate = instance.compile(sayAjvsWay(schema) as object);
  return (value) => {
    try {
      return validate(value) === true;
    } catch (error) {
      fc.pre(!isAjvsOwnFault(error));
      throw error;
    }
  };
};

/**
 * Ajv is wrong about `unevaluated*` in too many ways to judge it; the validator of this package passes the suite there.
 */
const own: Oracle = (schema) => {
  const validate = createValidator(schema, { formats: false });
  return (value) => validate(value).valid;
};

function expectSameVerdicts(schema: JsonSchema, instances: readonly unknown[], judge: Oracle): void {
  const before = JSON.stringify(schema);
  const { schema: flat, diagnostics } = inBoundedTime(() => flatten(schema));
  expect(JSON.stringify(schema)).toBe(before);
  if (diagnostics.some(({ severity, code }) => severity === "error" && !/unsatisfiable|dead/.test(code))) return;
  const [isSource, isFlat] = [judge(schema), judge(flat)];
  for (const value of instances) expect({ value, valid: isFlat(value) }).toEqual({ value, valid: isSource(value) });
  const unsatisfiable = diagnostics.find(({ code }) => code === "schema/unsatisfiable");
  if (unsatisfiable?.origin.pointer === "") for (const value of instances) expect(isSource(value)).toBe(false);
}

describe("flatten keeps every verdict", () => {
  const instances = fc.array(values, { minLength: 10, maxLength: 10 });

  test("flatten keeps every verdict of Ajv on random schemas", () => {
    fc.assert(
      fc.property(schemas({ references: false, unevaluated: false }), instances, (schema, some) =>
        expectSameVerdicts(schema, some, ajv),
      ),
      { numRuns },
    );
  });

  test("flatten keeps every verdict of Ajv on random schemas with references and recursion", () => {
    fc.assert(
      fc.property(schemas({ references: true, unevaluated: false }), instances, (schema, some) =>
        expectSameVerdicts(schema, some, ajv),
      ),
      { numRuns },
    );
  });

  test("flatten keeps every verdict of our own validator on random schemas with unevaluated*", () => {
    fc.assert(
      fc.property(schemas({ references: true, unevaluated: true }), instances, (schema, some) =>
        expectSameVerdicts(schema, some, own),
      ),
      { numRuns },
    );
  });

  test("flatten keeps every verdict on tool inputs as authors write them", () => {
    fc.assert(
      fc.property(toolInputs, fc.nat(), ({ schema, make }, seed) => {
        const next = chanceFrom(seed);
        expectSameVerdicts(
          schema,
          Array.from({ length: 10 }, () => make(next, 0)),
          own,
        );
      }),
      { numRuns },
    );
  });
});

test("flatten is deterministic and shares nothing mutable with its input", () => {
  fc.assert(
    fc.property(schemas({ references: true, unevaluated: true }), (schema) => {
      const once = flatten(schema);
      expect(JSON.stringify(flatten(structuredClone(schema)).schema)).toBe(JSON.stringify(once.schema));
      expect(sharedObjects(once.schema, schema)).toEqual([]);
    }),
    { numRuns },
  );
});

test("flattening a flat tool input changes nothing", () => {
  fc.assert(
    fc.property(toolInputs, ({ schema }) => {
      const { schema: flat, diagnostics } = flatten(schema);
      if (diagnostics.some(({ severity }) => severity === "error")) return;
      expect(flatten(flat).schema).toEqual(flat);
    }),
    { numRuns },
  );
});

function sharedObjects(one: unknown, other: unknown): readonly unknown[] {
  const known = new Set(objectsIn(other));
  return objectsIn(one).filter((part) => known.has(part));
}

function objectsIn(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
