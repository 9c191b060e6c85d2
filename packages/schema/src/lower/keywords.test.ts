import { describe, expect, test } from "vitest";
import type { DissolvedKeyword } from "../dialects/definition/keyword-table.js";
import type { DialectId } from "../dialects/definition/dialect-id.js";
import { dialects } from "../dialects/index.js";
import { equalJson, type JsonValue } from "../json/json-value.js";
import { createMatcher } from "../validate/index.js";
import type { SchemaObject } from "../vocabulary/json-schema.js";
import type { ValidationKeyword } from "../vocabulary/keywords.js";
import { lower } from "./lower.js";
import { asJsonSchema } from "./losses/json-schema-form.js";

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const list = { type: "array", items: text } as const;
const open = { type: "object", properties: { a: text, b: text } } as const;

/** For each keyword that decides about values, a schema with it and a value that only this keyword refuses. */
const samples: {
  readonly [keyword in Exclude<ValidationKeyword, DissolvedKeyword>]: readonly [SchemaObject, JsonValue];
} = {
  $ref: [{ $ref: "#/$defs/Text" }, 1],
  type: [{ type: "string" }, 1],
  const: [{ type: "string", const: "x" }, "y"],
  enum: [{ type: "string", enum: ["x"] }, "y"],
  format: [{ type: "string", format: "date" }, "x"],
  pattern: [{ type: "string", pattern: "^a" }, "x"],
  minLength: [{ type: "string", minLength: 2 }, "x"],
  maxLength: [{ type: "string", maxLength: 2 }, "xxx"],
  minimum: [{ type: "number", minimum: 2 }, 1],
  maximum: [{ type: "number", maximum: 2 }, 3],
  exclusiveMinimum: [{ type: "number", exclusiveMinimum: 2 }, 2],
  exclusiveMaximum: [{ type: "number", exclusiveMaximum: 2 }, 2],
  multipleOf: [{ type: "number", multipleOf: 2 }, 3],
  properties: [{ type: "object", properties: { a: text }, required: ["a"] }, { a: 1 }],
  patternProperties: [{ type: "object", patternProperties: { "^p": text }, additionalProperties: number }, { p: 1 }],
  propertyNames: [{ type: "object", propertyNames: { maxLength: 1 }, additionalProperties: text }, { ab: "" }],
  required: [{ ...open, required: ["a", "b"] }, { a: "" }],
  minProperties: [{ type: "object", additionalProperties: text, minProperties: 1 }, {}],
  maxProperties: [
    { type: "object", additionalProperties: text, maxProperties: 1 },
    { a: "", b: "" },
  ],
  dependentRequired: [{ ...open, dependentRequired: { a: ["b"] } }, { a: "" }],
  dependentSchemas: [{ ...open, dependentSchemas: { a: { required: ["b"] } } }, { a: "" }],
  additionalProperties: [
    { type: "object", properties: { a: text }, additionalProperties: text },
    { a: "", c: 1 },
  ],
  unevaluatedProperties: [
    { type: "object", properties: { a: text }, unevaluatedProperties: text },
    { a: "", c: 1 },
  ],
  prefixItems: [{ type: "array", prefixItems: [text, number], minItems: 2 }, [1, 1]],
  items: [{ type: "array", items: text }, [1]],
  contains: [{ ...list, contains: { const: "x" } }, ["y"]],
  minContains: [{ ...list, contains: { const: "x" }, minContains: 2 }, ["x"]],
  maxContains: [{ ...list, contains: { const: "x" }, maxContains: 1 }, ["x", "x"]],
  minItems: [{ ...list, minItems: 3 }, ["x"]],
  maxItems: [{ ...list, maxItems: 1 }, ["x", "y"]],
  uniqueItems: [{ ...list, uniqueItems: true }, ["x", "x"]],
  unevaluatedItems: [{ type: "array", prefixItems: [text], unevaluatedItems: text }, ["x", 1]],
  anyOf: [{ anyOf: [text, { type: "boolean" }] }, 1],
  oneOf: [
    {
      oneOf: [
        { type: "string", minLength: 2 },
        { type: "string", maxLength: 3 },
      ],
    },
    "xx",
  ],
  allOf: [{ type: "string", allOf: [{ minLength: 2 }] }, "x"],
  not: [{ type: "string", not: { const: "x" } }, "x"],
  if: [{ type: "string", if: { const: "x" }, then: { minLength: 2 } }, "x"],
  then: [{ type: "string", if: { const: "x" }, then: false }, "x"],
  else: [{ type: "string", if: { const: "y" }, else: { minLength: 2 } }, "x"],
};

const places: {
  readonly [place: string]: readonly [(schema: SchemaObject) => SchemaObject, (value: JsonValue) => JsonValue];
} = {
  "a required property": [
    (schema) => ({ type: "object", properties: { p: schema }, required: ["p"], additionalProperties: false }),
    (value) => ({ p: value }),
  ],
  "an optional property": [
    (schema) => ({ type: "object", properties: { p: schema, q: text }, required: ["q"], additionalProperties: false }),
    (value) => ({ p: value, q: "" }),
  ],
  "the items of a list": [
    (schema) => ({
      type: "object",
      properties: { p: { type: "array", items: schema } },
      required: ["p"],
      additionalProperties: false,
    }),
    (value) => ({ p: [value] }),
  ],
  "the branch of a union": [
    (schema) => ({
      type: "object",
      properties: { p: { anyOf: [schema, { const: "another" }] } },
      required: ["p"],
      additionalProperties: false,
    }),
    (value) => ({ p: value }),
  ],
};

describe.each(Object.keys(dialects) as DialectId[])("in the dialect %s", (id) => {
  test.each(Object.entries(samples))(
    "keeps %s, says it in another way, or reports that it is lost",
    (_, [node, refused]) => {
      for (const [place, [around, valueAround]] of Object.entries(places)) {
        const schema: SchemaObject = { ...around(node), $defs: { Text: text } };
        const value = valueAround(refused);
        expect(createMatcher(schema)(value), "the sample is refused").toBe(false);
        const lowered = lower(schema, id, { flat: { originsOf: () => [] }, witnessBudget: 0 });
        if (lowered.schema === undefined) {
          expect(
            lowered.diagnostics.some(({ severity }) => severity === "error"),
            place,
          ).toBe(true);
          continue;
        }
        const sent = lowered.encode(value);
        const isLetThrough =
          createMatcher(asJsonSchema(lowered.schema))(sent) && equalJson(lowered.decode(sent), value);
        const lost = lowered.losses.filter(({ pointer }) => pointer.startsWith("/properties/p"));
        if (isLetThrough) expect(lost, `${place}: ${JSON.stringify(lowered.schema)}`).not.toEqual([]);
      }
    },
  );
});

test.each(["additionalItems", "dependencies", "$dynamicRef"])(
  "refuses %s, which only a schema has that is not flat",
  (keyword) => {
    const schema: SchemaObject = { type: "object", properties: { p: { type: "array", [keyword]: {} } } };
    const { schema: lowered, diagnostics } = lower(schema, "mcp", { flat: { originsOf: () => [] } });
    expect(lowered).toBeUndefined();
    expect(diagnostics.map(({ code, origin }) => [code, origin.pointer])).toEqual([
      ["lower/keyword-refused", "/properties/p"],
    ]);
  },
);
