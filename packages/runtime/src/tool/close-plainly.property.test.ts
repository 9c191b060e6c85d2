import { createValidator, type JsonSchema, closeSchema, findOpenLocations } from "@hasp/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { closePlainly } from "./close-plainly.js";

const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 12) * 20;

/** Few names and values, so that schemas and values meet often. */
const names = fc.constantFrom("a", "b", "c");
const scalars = fc.constantFrom<unknown>(null, true, 1, 2, "a", "b");
const typeNames = fc.constantFrom("null", "boolean", "object", "array", "string", "integer");

const { schema: schemas } = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const schema = tie("schema");
  const map = fc.dictionary(names, schema, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const closed = fc.constantFrom<JsonSchema>(false, false, true);
  const type = fc.oneof({ weight: 3, arbitrary: typeNames }, fc.uniqueArray(typeNames, { minLength: 1, maxLength: 3 }));
  const optional = <Value>(arbitrary: fc.Arbitrary<Value>, percent: number): fc.Arbitrary<Value | undefined> =>
    fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(undefined) }, { weight: percent, arbitrary });
  const object = fc.record({
    type: fc.constant("object"),
    properties: map,
    required: optional(fc.uniqueArray(names, { maxLength: 2 }), 50),
    additionalProperties: optional(fc.oneof(closed, schema), 50),
  });
  const any = fc.record({
    type: optional(type, 60),
    title: optional(fc.constant("A title."), 12),
    properties: optional(map, 50),
    patternProperties: optional(fc.record({ "^a": schema }), 12),
    additionalProperties: optional(fc.oneof(closed, schema), 40),
    unevaluatedProperties: optional(fc.oneof(closed, schema), 25),
    propertyNames: optional(schema, 6),
    maxProperties: optional(fc.constantFrom(0, 2), 12),
    required: optional(fc.uniqueArray(names, { maxLength: 2 }), 25),
    items: optional(fc.oneof({ weight: 4, arbitrary: schema }, list), 45),
    additionalItems: optional(schema, 6),
    prefixItems: optional(list, 12),
    unevaluatedItems: optional(schema, 12),
    maxItems: optional(fc.constantFrom(1, 2), 12),
    contains: optional(schema, 6),
    anyOf: optional(list, 20),
    oneOf: optional(list, 12),
    not: optional(schema, 6),
    if: optional(schema, 12),
    then: optional(schema, 12),
    else: optional(schema, 12),
    dependentSchemas: optional(map, 6),
    dependencies: optional(map, 6),
    const: optional(scalars, 12),
    enum: optional(fc.array(fc.oneof(scalars, fc.constant({ a: 1 })), { minLength: 1, maxLength: 3 }), 12),
  });
  const made = fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonSchema>(true, false, {}, { type: "string" }, { type: "integer" }, { const: "a" }),
    fc.constantFrom<JsonSchema>({ $ref: "#" }, { $ref: "#/$defs/x" }, { $ref: "#/$defs/y" }),
    { weight: 4, arbitrary: object },
    { weight: 2, arbitrary: fc.record({ type: fc.constant("array"), items: schema }) },
    { weight: 2, arbitrary: fc.record({ anyOf: list }) },
    { weight: 2, arbitrary: any },
  );
  return { schema: made.map((value) => JSON.parse(JSON.stringify(value)) as JsonSchema) };
});

const roots: fc.Arbitrary<JsonSchema> = fc
  .record({ root: schemas, x: schemas, y: schemas })
  .map(({ root, x, y }) => (typeof root === "boolean" ? root : { ...root, $defs: { x, y } }));

const values: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { weight: 3, arbitrary: scalars },
    { weight: 4, arbitrary: fc.dictionary(fc.oneof(names, fc.constant("z")), tie("value"), { noNullPrototype: true }) },
    { weight: 1, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
  ),
})).value;

class Refused extends Error {}

test("a schema that is closed plainly accepts what the compiler's accepts, or is refused with the place and a remedy", () => {
  const counts = { closed: 0, changed: 0, refused: 0, contested: 0 };
  fc.assert(
    fc.property(roots, fc.array(values, { minLength: 8, maxLength: 8 }), (root, samples) => {
      let plain: JsonSchema;
      try {
        plain = closePlainly(root, (pointer, fault) => {
          expect(fault).toMatch(/\b(?:Write|Say|Move)\b/u);
          expect(pointer).toMatch(/^(?:$|\/)/u);
          throw new Refused(fault);
        });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        counts.refused++;
        return;
      }
      counts.closed++;
      if (plain !== root) counts.changed++;
      expect(findOpenLocations(plain).filter(({ isPlain }) => !isPlain)).toEqual([]);
      const { schema, diagnostics } = closeSchema(root);
      const faults = diagnostics.filter(({ severity }) => severity === "error");
      // The compiler reports a branch as contested although the schema around it closes it.
      expect(faults.filter(({ code }) => code !== "schema/contested-place")).toEqual([]);
      if (faults.length > 0) counts.contested++;
      const [ours, theirs, open] = [createValidator(plain), createValidator(schema), createValidator(root)];
      for (const value of samples) {
        const { valid } = ours(value);
        if (faults.length === 0) expect([value, valid]).toEqual([value, theirs(value).valid]);
        if (valid) expect([value, open(value).valid]).toEqual([value, true]);
      }
    }),
    { numRuns: RUNS },
  );
  expect(counts.changed).toBeGreaterThan(RUNS / 50);
  expect(counts.refused).toBeGreaterThan(RUNS / 50);
  expect(counts.contested).toBeLessThan(RUNS / 500);
});
