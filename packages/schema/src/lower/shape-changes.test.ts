import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { DialectId } from "../dialects/definition/dialect-id.js";
import { dialects } from "../dialects/index.js";
import type { JsonValue } from "@hasp/base/json";
import { createMatcher } from "../validate/index.js";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import { lower } from "./lower.js";
import { toJsonSchema } from "./losses/json-schema-form.js";

// Maps, unions and lists of types, many without a type of their own: there lowering changes the shape of values.
const text = { type: "string" } as const;
const leaf: fc.Arbitrary<JsonSchema> = fc.constantFrom<JsonSchema>(
  true,
  {},
  text,
  { type: "number" },
  { type: "integer" },
  { type: "boolean" },
  { type: "null" },
  { enum: ["x", ""] },
  { enum: [1, 2] },
  { enum: ["x", 1, null, { a: 1 }, []] },
  { const: "x" },
  { type: ["string", "number"] },
  { type: ["number", "null"] },
  { type: ["string", "boolean", "integer"], minimum: 2 },
  { type: ["object", "array"] },
  { type: ["object", "number", "string"], additionalProperties: text },
  { type: ["array", "number"], items: text },
  { type: ["array", "object"], items: { type: "number" }, additionalProperties: { type: "number" } },
);

const schemas = fc.letrec<{
  node: JsonSchema;
  map: JsonSchema;
  list: JsonSchema;
  union: JsonSchema;
  object: SchemaObject;
}>((tie) => ({
  map: fc
    .tuple(tie("node"), fc.constantFrom<SchemaObject>({}, { type: "object" }, { type: ["object", "null"] }), fc.nat(5))
    .map(([values, type, kind]): JsonSchema => ({
      ...type,
      ...(kind === 0 ? { patternProperties: { "^p": values }, additionalProperties: false } : {}),
      ...(kind === 1 ? { properties: { a: text }, required: ["a"] } : {}),
      ...(kind === 2 ? { minProperties: 1 } : {}),
      ...(kind === 0 ? {} : { additionalProperties: values }),
    })),
  list: fc
    .tuple(tie("node"), fc.constantFrom<SchemaObject>({}, { type: "array" }), fc.boolean())
    .map(([items, type, isTuple]): JsonSchema =>
      isTuple ? { ...type, prefixItems: [items, text], items: false } : { ...type, items },
    ),
  union: fc
    .tuple(fc.constantFrom("anyOf", "oneOf"), fc.array(tie("node"), { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([union, branches, isDescribed]): JsonSchema => ({
      ...(isDescribed ? { description: "A choice." } : {}),
      [union]: branches,
    })),
  object: fc
    .tuple(tie("node"), tie("node"), fc.boolean(), fc.constantFrom<SchemaObject>({}, { type: "object" }))
    .map(([a, b, isClosed, type]): SchemaObject => ({
      ...type,
      properties: { a, kind: b },
      required: ["a"],
      ...(isClosed ? { additionalProperties: false } : {}),
    })),
  node: fc.oneof(
    { maxDepth: 3, depthIdentifier: "node" },
    { weight: 4, arbitrary: leaf },
    { weight: 3, arbitrary: tie("map") },
    { weight: 1, arbitrary: tie("list") },
    { weight: 3, arbitrary: tie("union") },
    { weight: 1, arbitrary: tie("object") },
  ),
}));

const root = fc.oneof(
  schemas.node,
  schemas.node.map((p): SchemaObject => ({
    type: "object",
    properties: { p, q: text },
    required: ["q"],
    additionalProperties: false,
  })),
);

const scalars: readonly JsonValue[] = ["", "x", "a", "1", "null", "[]", "{}", '"x"', 1, 2, 0.5, -1, true, false, null];
const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: "value" },
    fc.constantFrom(...scalars, [], {}),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(
      fc.constantFrom("a", "kind", "p", "p1", "key", "value", "q", "option1", "other_properties"),
      tie("value"),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  ) as fc.Arbitrary<JsonValue>,
}));

/** Shapes that once changed a value without a word. */
const map: SchemaObject = { patternProperties: { "^p": true }, additionalProperties: false };
const examples: readonly SchemaObject[] = [
  { type: "object", properties: { p: map } },
  { type: "object", properties: { p: { anyOf: [{ items: map }, map] } }, additionalProperties: false },
];

const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 20);

test.each(Object.keys(dialects) as DialectId[])("%s takes each value of a map or a union, and gives it back", (id) => {
  fc.assert(
    fc.property(root, fc.array(values, { minLength: 12, maxLength: 12 }), (schema, samples) => {
      const result = lower(schema, id, { flat: { originsOf: () => [] }, witnessBudget: 0 });
      if (result.schema === undefined) {
        expect(result.diagnostics.some(({ severity }) => severity === "error")).toBe(true);
        return;
      }
      const isSource = createMatcher(schema);
      const isWire = createMatcher(toJsonSchema(result.schema));
      for (const value of [...scalars, [], {}, ...samples, ...samples.map((p) => ({ p, q: "" }))]) {
        if (!isSource(value)) continue;
        const sent = result.encode(value);
        const back = result.decode(sent);
        if (isWire(sent) && isDeepStrictEqual(back, value)) continue;
        throw new Error(JSON.stringify({ value, sent, back, lowered: result.schema, codec: result.codec }));
      }
    }),
    { numRuns: RUNS, examples: examples.map((schema): [JsonSchema, JsonValue[]] => [schema, []]) },
  );
});
