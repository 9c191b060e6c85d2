import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "@hasp/base/json";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import { createValidator } from "../validate/index.js";
import { instances, schemas } from "./arbitrary.testing.js";
import { flatten } from "./flatten.js";
import { judge, type Verdict } from "./judge.testing.js";

const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 40);
const REFUSALS = new Set(["schema/reference-loop", "schema/too-large", "schema/too-deep"]);

/**
 * Ajv is the validate, and it has known faults around `unevaluated*`; where it and our validator disagree about the very
 * same schema, the case validates nobody.
 */
function agreed(schema: unknown): ((value: unknown) => Verdict) | undefined {
  const ajv = judge(schema);
  if (ajv === undefined) return undefined;
  const own = createValidator(schema as JsonSchema);
  return (value) => {
    const verdict = ajv(value);
    return verdict === own(value as JsonValue).valid ? verdict : "refused";
  };
}

test("flattening keeps every verdict", () => {
  const counts = { judged: 0, refused: 0, doubted: 0 };
  fc.assert(
    fc.property(schemas, fc.array(instances, { minLength: 8, maxLength: 8 }), (schema, values) => {
      const before = JSON.stringify(schema);
      const { schema: flat, diagnostics } = flatten(schema);
      expect(JSON.stringify(schema)).toBe(before);
      if (diagnostics.some(({ code }) => REFUSALS.has(code))) {
        counts.refused++;
        return;
      }
      const original = agreed(schema);
      if (original === undefined) return;
      const flattened = agreed(flat);
      for (const value of values) {
        const verdict = original(value);
        const now = flattened?.(value);
        if (verdict === "refused" || now === "refused") {
          counts.doubted++;
          continue;
        }
        counts.judged++;
        expect(now, `${JSON.stringify(schema)}\n${JSON.stringify(flat)}\non ${JSON.stringify(value)}`).toBe(verdict);
      }
    }),
    { numRuns: RUNS },
  );
  process.stdout.write(`flatten keeps verdicts: ${JSON.stringify(counts)}\n`);
  expect(counts.judged).toBeGreaterThan(RUNS);
}, 600_000);

test("flattening keeps every verdict of our own validator, on many more schemas", () => {
  let judged = 0;
  let accepted = 0;
  fc.assert(
    fc.property(schemas, fc.array(instances, { minLength: 12, maxLength: 12 }), (schema, values) => {
      const { schema: flat, diagnostics } = flatten(schema);
      if (diagnostics.some(({ code }) => REFUSALS.has(code))) return;
      const original = createValidator(schema as JsonSchema);
      const flattened = createValidator(flat);
      for (const value of values as JsonValue[]) {
        judged++;
        const verdict = original(value).valid;
        if (verdict) accepted++;
        if (flattened(value).valid === verdict) continue;
        // A suspect: the validate decides.
        const expected = agreed(schema)?.(value);
        if (expected !== "refused") {
          expect(
            agreed(flat)?.(value),
            `${JSON.stringify(schema)}\n${JSON.stringify(flat)}\non ${JSON.stringify(value)}`,
          ).toBe(expected);
        }
      }
    }),
    { numRuns: RUNS * 10 },
  );
  process.stdout.write(`flatten keeps verdicts (own validator): ${judged} judged, ${accepted} of them valid\n`);
  expect(accepted).toBeGreaterThan(judged / 10);
}, 600_000);

test("the same input gives the same bytes", () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const once = flatten(schema);
      if (once.diagnostics.some(({ code }) => REFUSALS.has(code))) return;
      expect(JSON.stringify(flatten(structuredClone(schema)))).toBe(JSON.stringify(once));
    }),
    { numRuns: RUNS * 10 },
  );
}, 600_000);
