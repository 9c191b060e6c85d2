import { createValidator, type JsonObject, type JsonSchema } from "@hasp/schema";
import { expect, test } from "vitest";
import { reader } from "../dispatch/tools.testing.js";
import { standardOf } from "./standard-schema.js";

const tool = reader("find", () => "ok", {
  input: {
    type: "object",
    required: ["q"],
    properties: { q: { type: "string" }, limit: { type: "integer", default: 10 } },
  },
});

test("validation answers at once, with defaults and lossless coercion, or with places", () => {
  const { validate } = tool["~standard"];
  expect(validate({ q: "a", limit: "3" })).toEqual({ value: { q: "a", limit: 3 } });
  expect(validate({ q: "a" })).toEqual({ value: { q: "a", limit: 10 } });
  expect(validate({ q: 1, more: true })).toMatchObject({ issues: [{ path: ["q"] }, { path: ["more"] }] });
  expect(
    standardOf({ type: "object", properties: { "a/b~c": { type: "string" } } })["~standard"].validate({ "a/b~c": 1 }),
  ).toMatchObject({
    issues: [{ path: ["a/b~c"] }],
  });
});

test("the schema is a fresh copy each time, which the host may write into", () => {
  const { jsonSchema } = tool["~standard"];
  const first = jsonSchema.input({ target: "draft-2020-12" });
  expect(first).toEqual(tool.input);
  (first["properties"] as Record<string, object>)["q"] = {};
  expect(jsonSchema.output({ target: "draft-2020-12" })).toEqual(tool.input);
});

test("an unknown target is refused, not answered with something else", () => {
  const { jsonSchema } = tool["~standard"];
  expect(() => jsonSchema.input({ target: "openapi-3.0" })).toThrow(/"openapi-3.0".*"draft-07"/u);
});

test.each<[string, JsonSchema, JsonObject]>([
  [
    "tuples",
    { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" } },
    { type: "array", items: [{ type: "string" }], additionalItems: { type: "integer" } },
  ],
  [
    "dependencies",
    { dependentRequired: { a: ["b"] }, dependentSchemas: { c: { required: ["d"] } } },
    { dependencies: { a: ["b"], c: { required: ["d"] } } },
  ],
  [
    "two dependencies of one property",
    { dependentRequired: { a: ["b"] }, dependentSchemas: { a: { required: ["c"] } } },
    { dependencies: { a: { allOf: [{ required: ["b"] }, { required: ["c"] }] } } },
  ],
  [
    "definitions, and words beside a reference",
    {
      $defs: { tree: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/tree" } } } } },
      $ref: "#/$defs/tree",
      description: "a tree",
    },
    {
      allOf: [{ $ref: "#/definitions/tree" }, { description: "a tree" }],
      definitions: {
        tree: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/definitions/tree" } } } },
      },
    },
  ],
  [
    "data that looks like schemas",
    { const: { $defs: 1, prefixItems: [] }, default: { $ref: "x" } },
    { const: { $defs: 1, prefixItems: [] }, default: { $ref: "x" } },
  ],
  [
    "a property named like a keyword",
    { properties: { $defs: { type: "string" }, __proto__x: {} } },
    { properties: { $defs: { type: "string" }, __proto__x: {} } },
  ],
])("draft 07: %s", (_name, schema, expected) => {
  expect(standardOf(schema)["~standard"].jsonSchema.input({ target: "draft-07" })).toEqual(expected);
});

test("toDraft07 refuses with its place a keyword that draft 07 cannot express", () => {
  const schema: JsonSchema = { type: "object", properties: { a: { unevaluatedProperties: false } } };
  expect(() => standardOf(schema)["~standard"].jsonSchema.input({ target: "draft-07" })).toThrow(
    /"unevaluatedProperties" at \/properties\/a/u,
  );
  expect(createValidator(schema)({ a: {} }).valid).toBe(true);
});
