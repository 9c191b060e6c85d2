import type { Dialect } from "../dialects/definition/dialect.js";
import type { DialectId } from "../dialects/definition/dialect-id.js";
import type { DissolvedKeyword } from "../dialects/definition/keyword-table.js";
import { isEqualJson, type JsonValue } from "@hasp/base/json";
import { createMatcher } from "../validate/index.js";
import type { SchemaObject } from "../vocabulary/json-schema.js";
import type { ValidationKeyword } from "../vocabulary/keywords.js";
import { lower } from "./lower.js";
import { toJsonSchema } from "./losses/json-schema-form.js";
import { createSampler } from "./losses/sample.js";

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const list = { type: "array", items: text } as const;
const open = { type: "object", properties: { a: text, b: text } } as const;

/** For each keyword that decides about values, a schema with it and a value that only this keyword refuses. */
export const KEYWORD_SAMPLES: {
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

/** The places of a sample in a tool's input, with the value that has the refused one there. */
export const SAMPLE_PLACES: {
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

export const SAMPLED_KEYWORDS = Object.keys(KEYWORD_SAMPLES) as readonly (keyof typeof KEYWORD_SAMPLES)[];

/**
 * Lowers the samples of a keyword to a dialect, in every place, and returns what is wrong: a constraint that is lost
 * without a report, a refusal without an error, or a valid value that does not come back unchanged.
 */
export function findDialectFaults(
  dialect: DialectId | Dialect,
  keyword: keyof typeof KEYWORD_SAMPLES,
): readonly string[] {
  const [node, refused] = KEYWORD_SAMPLES[keyword];
  return Object.entries(SAMPLE_PLACES).flatMap(([place, [around, valueAround]]): readonly string[] => {
    const fault = (what: string): readonly string[] => [`"${keyword}" in ${place}: ${what}`];
    const schema: SchemaObject = { ...around(node), $defs: { Text: text } };
    const { schema: lowered, ...lowering } = lower(schema, dialect, {
      flat: { originsOf: () => [] },
      witnessBudget: 0,
    });
    if (lowered === undefined) {
      const isExplained = lowering.diagnostics.some(({ severity }) => severity === "error");
      return isExplained ? [] : fault("it is refused without an error");
    }
    const accepts = createMatcher(toJsonSchema(lowered));
    const returns = (value: JsonValue): boolean => {
      const sent = lowering.encode(value);
      return accepts(sent) && isEqualJson(lowering.decode(sent), value);
    };
    const valid = createSampler({ Text: text })(schema);
    if (createMatcher(schema)(valid) && !returns(valid)) return fault(`${JSON.stringify(valid)} does not come back`);
    const isReported = lowering.losses.some(({ pointer }) => pointer.startsWith("/properties/p"));
    return returns(valueAround(refused)) && !isReported ? fault("it is lost without a report") : [];
  });
}
