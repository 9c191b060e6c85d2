import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "@hasp/base/json";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import { schemas } from "../validate/arbitraries.testing.js";
import { createMatcher, createValidator } from "../validate/index.js";
import { generateValue, randomFrom, sampleValues } from "./sample-values.js";

const TREE: JsonSchema = {
  $ref: "#/$defs/Tree",
  $defs: {
    Tree: { type: "object", required: ["v"], properties: { v: { type: "null" }, next: { $ref: "#/$defs/Tree" } } },
  },
};

const object = (properties: { readonly [name: string]: JsonSchema }, more: SchemaObject = {}): SchemaObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

test("every sampled and every generated value fits its schema", () => {
  let sampled = 0;
  fc.assert(
    fc.property(schemas({ references: true, unevaluated: true }), fc.string(), (schema, seed) => {
      const valid = createMatcher(schema);
      const found = [...sampleValues(schema, { most: 50 })];
      sampled += found.length;
      for (const value of found) expect(valid(value), JSON.stringify(value)).toBe(true);
      expect(new Set(found.map((value) => JSON.stringify(value))).size).toBe(found.length);
      const generated = generateValue(schema, valid, randomFrom(seed));
      expect(generated === undefined || valid(generated)).toBe(true);
    }),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 60) },
  );
  expect(sampled).toBeGreaterThan(100);
});

test.each<[JsonSchema, number]>([
  [{ type: "integer", minimum: 5, multipleOf: 4 }, 1],
  [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 1],
  [{ type: "string", minLength: 3, maxLength: 3 }, 1],
  [{ type: "string", pattern: "^(?=.*[a-z])(?=.*[0-9])[a-z0-9]{9}$" }, 1],
  [{ type: "string", format: "uuid" }, 1],
  [{ enum: [1, "a"] }, 2],
  [{ type: "array", minItems: 2, items: { type: "boolean" } }, 1],
  [{ type: "array", minItems: 5, uniqueItems: true, items: { type: "string" } }, 1],
  [{ type: "array", contains: { const: "a" }, minContains: 2, maxContains: 2, items: { type: "string" } }, 1],
  [{ oneOf: [{ type: "string" }, { type: "object", required: ["a"], properties: { a: { const: 1 } } }] }, 2],
  [{ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], minItems: 2 }, 1],
  [{ type: "object", propertyNames: { pattern: "^x" }, minProperties: 2 }, 1],
  [object({ a: {} }, { dependentRequired: { a: ["b"] }, additionalProperties: { type: "integer" } }), 1],
  [TREE, 1],
])("samples values of %j", (schema, least) => {
  expect([...sampleValues(schema)].length).toBeGreaterThanOrEqual(least);
});

test("sampling ends without a value for a schema that no value fits", () => {
  const endless = { $ref: "#/$defs/A", $defs: { A: object({ a: { $ref: "#/$defs/A" } }) } };
  expect([...sampleValues(endless)]).toEqual([]);
  expect([...sampleValues(false)]).toEqual([]);
});

test("samples have every listed value, every branch, each optional member, and what the schema states itself", () => {
  const schema = object(
    {
      mode: { enum: ["a", "b", "c"] },
      flag: { type: "boolean" },
      part: { anyOf: [object({ kind: { const: "x" }, size: { enum: [1, 2] } }), object({ kind: { const: "y" } })] },
      word: { type: "string", default: "given", examples: ["shown"] },
      more: { type: "array", items: { type: "null" }, maxItems: 3 },
    },
    { required: ["mode", "part", "word"] },
  );
  const found = [...sampleValues(schema)] as { readonly [name: string]: JsonValue }[];
  const seen = (name: string): readonly string[] =>
    [...new Set(found.map((value) => JSON.stringify(value[name]) ?? "absent"))].toSorted();
  expect(seen("mode")).toEqual(['"a"', '"b"', '"c"']);
  expect(seen("flag")).toEqual(["absent", "false", "true"]);
  expect(seen("part")).toEqual(['{"kind":"x","size":1}', '{"kind":"x","size":2}', '{"kind":"y"}']);
  expect(seen("word")).toEqual(expect.arrayContaining(['"given"', '"shown"']));
  expect(seen("more")).toEqual(["[]", "[null,null,null]", "[null,null]", "[null]", "absent"].toSorted());
});

test("samples of a long enum are few, with the first, the last and those that another version lacks", () => {
  const values = Array.from({ length: 9000 }, (_, index) => `v${index}`);
  const later = values.filter((value) => !["v1", "v4321", "v8998"].includes(value));
  const found = [...sampleValues({ enum: values }, { beside: { enum: later } })];
  expect(found).toEqual(expect.arrayContaining(["v0", "v1", "v4321", "v8998", "v8999"]));
  expect(found.length).toBeLessThan(100);
});

test.each<[wide: SchemaObject, narrow: SchemaObject]>([
  [{ type: "integer", maximum: 900 }, { maximum: 899 }],
  [{ type: "number" }, { exclusiveMinimum: 17 }],
  [{ type: "number" }, { multipleOf: 7 }],
  [{ type: "string" }, { maxLength: 40 }],
  [{ type: "string" }, { pattern: "^[a-z]{3}-\\d+$" }],
  [{ type: "string", pattern: "^[a-z]{3,9}-\\d+$" }, { pattern: "^[a-z]{3,8}-\\d+$" }],
  [{ type: "string" }, { enum: ["one", "two"] }],
  [{ type: "array", items: { type: "integer" } }, { maxItems: 6 }],
  [{ type: "array", items: { type: "integer" } }, { minItems: 2 }],
  [{ type: "array", items: { type: "integer" } }, { uniqueItems: true }],
  [{ type: "object" }, { additionalProperties: false }],
  [{ type: "object" }, { properties: { other: { type: "null" } } }],
  [{ type: "object", additionalProperties: { type: "string" } }, { maxProperties: 1 }],
  [{ type: "object", properties: { a: { type: "string" } } }, { required: ["a"] }],
])("some sample of %j breaks a version that adds %j, at any place", (wide, narrow) => {
  const places: readonly ((schema: JsonSchema) => SchemaObject)[] = [
    (schema) => ({ allOf: [schema] }),
    (schema) => object({ before: { type: "string" }, at: schema, after: { enum: [1, 2] } }),
    (schema) => object({ at: { type: "array", items: schema } }, { required: [] }),
    (schema) => ({ anyOf: [{ type: "null" }, object({ at: schema })] }),
    (schema) => ({ $ref: "#/$defs/At", $defs: { At: object({ at: schema }) } }),
  ];
  for (const place of places) {
    const [before, after] = [place(wide), place({ ...wide, ...narrow })];
    const validate = createValidator(after);
    const told = [...sampleValues(before, { beside: after })].filter((value) => !validate(value).valid);
    expect(told.length, JSON.stringify(before)).toBeGreaterThan(0);
  }
});

test("sampling is deterministic", () => {
  const list = (): string =>
    JSON.stringify([...sampleValues(TREE), ...sampleValues({ type: "array", uniqueItems: true })]);
  expect(list()).toBe(list());
});
