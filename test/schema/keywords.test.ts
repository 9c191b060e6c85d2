import {
  createValidator,
  dialects,
  flatten,
  lower,
  type DialectId,
  type JsonSchema,
  type SchemaObject,
} from "@hasp/schema";
import { KEYWORDS, keywordNames, type ValidationKeyword, type Keyword } from "@hasp/schema/vocabulary";
import { describe, expect, test } from "vitest";
import { findObstacles } from "@hasp/compiler/diff";

/** A schema whose verdict depends on a keyword, a value that it accepts, and one that only the keyword refuses. */
type Sample = readonly [schema: SchemaObject, accepted: unknown, refused: unknown];

const text = { type: "string" } as const;
const object = { type: "object" } as const;
const named = { type: "object", properties: { a: text, b: text } } as const;
const array = { type: "array" } as const;

/** One sample for each keyword on which a verdict depends: a new row of the table is a type error here. */
const SAMPLES: { readonly [keyword in ValidationKeyword]: Sample } = {
  $ref: [{ $ref: "#/$defs/Text" }, "a", 1],
  $dynamicRef: [{ $dynamicRef: "#Text" }, "a", 1],
  type: [{ type: "string" }, "a", 1],
  const: [{ type: "string", const: "a" }, "a", "b"],
  enum: [{ type: "string", enum: ["a", "b"] }, "b", "c"],
  format: [{ ...text, format: "date" }, "2026-01-15", "a"],
  pattern: [{ ...text, pattern: "^a" }, "ab", "b"],
  minLength: [{ ...text, minLength: 2 }, "ab", "a"],
  maxLength: [{ ...text, maxLength: 2 }, "ab", "abc"],
  minimum: [{ type: "number", minimum: 1 }, 1, 0.5],
  maximum: [{ type: "number", maximum: 1 }, 1, 1.5],
  exclusiveMinimum: [{ type: "number", exclusiveMinimum: 1 }, 1.5, 1],
  exclusiveMaximum: [{ type: "number", exclusiveMaximum: 1 }, 0.5, 1],
  multipleOf: [{ type: "number", multipleOf: 2 }, 4, 3],
  properties: [{ ...object, properties: { a: text } }, { a: "a" }, { a: 1 }],
  patternProperties: [{ ...object, patternProperties: { "^a": text } }, { a: "a" }, { a: 1 }],
  propertyNames: [{ ...object, propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
  required: [{ ...named, required: ["a"] }, { a: "a" }, { b: "b" }],
  minProperties: [{ ...named, minProperties: 1 }, { a: "a" }, {}],
  maxProperties: [{ ...named, maxProperties: 1 }, { a: "a" }, { a: "a", b: "b" }],
  dependentRequired: [{ ...named, dependentRequired: { a: ["b"] } }, { b: "b" }, { a: "a" }],
  dependentSchemas: [{ ...named, dependentSchemas: { a: { required: ["b"] } } }, { b: "b" }, { a: "a" }],
  dependencies: [{ ...named, dependencies: { a: ["b"] } }, { b: "b" }, { a: "a" }],
  additionalProperties: [{ ...named, additionalProperties: false }, { a: "a" }, { c: 1 }],
  unevaluatedProperties: [
    { ...object, anyOf: [{ properties: { a: text } }, { properties: { b: text } }], unevaluatedProperties: false },
    { a: "a" },
    { c: 1 },
  ],
  prefixItems: [{ ...array, prefixItems: [text] }, ["a"], [1]],
  items: [{ ...array, items: text }, ["a"], [1]],
  additionalItems: [
    { $schema: "http://json-schema.org/draft-07/schema#", ...array, items: [text], additionalItems: false },
    ["a"],
    ["a", "b"],
  ],
  contains: [{ ...array, contains: { const: 1 } }, [1], [2]],
  minContains: [{ ...array, contains: { const: 1 }, minContains: 2 }, [1, 1], [1]],
  maxContains: [{ ...array, contains: { const: 1 }, maxContains: 1 }, [1], [1, 1]],
  minItems: [{ ...array, items: text, minItems: 1 }, ["a"], []],
  maxItems: [{ ...array, items: text, maxItems: 1 }, ["a"], ["a", "b"]],
  uniqueItems: [{ ...array, items: text, uniqueItems: true }, ["a"], ["a", "a"]],
  unevaluatedItems: [{ ...array, prefixItems: [text], unevaluatedItems: false }, ["a"], ["a", "b"]],
  anyOf: [{ anyOf: [text, { type: "null" }] }, null, 1],
  oneOf: [{ type: "integer", oneOf: [{ minimum: 1 }, { maximum: 3 }] }, 4, 2],
  allOf: [{ allOf: [text, { minLength: 2 }] }, "ab", "a"],
  not: [{ ...text, not: { const: "a" } }, "b", "a"],
  if: [{ ...named, if: { required: ["a"] }, then: { required: ["b"] } }, { b: "b" }, { a: "a" }],
  then: [{ ...named, if: { required: ["a"] }, then: { required: ["b"] } }, { a: "a", b: "b" }, { a: "a" }],
  else: [{ ...named, if: { required: ["a"] }, else: { required: ["b"] } }, { b: "b" }, {}],
};

const $defs = { Text: { ...text, $dynamicAnchor: "Text" } };
const rooted = (schema: SchemaObject): JsonSchema => ({ ...schema, $defs });
const judging = Object.entries(SAMPLES) as [ValidationKeyword, Sample][];

/** The validator has no dynamic scope of its own: what only flattening understands is flattened first. */
function accepts(schema: JsonSchema, value: unknown): boolean {
  return createValidator(flatten(schema).schema)(value).valid;
}

test("every row is judged or describes", () => {
  const judged = new Set<Keyword>(judging.map(([keyword]) => keyword));
  const others = keywordNames.filter((keyword) => !judged.has(keyword));
  expect(new Set(others.map((keyword) => KEYWORDS[keyword].role))).toEqual(new Set(["annotation", "identifier"]));
});

describe.each(judging)("%s", (keyword, [schema, accepted, refused]) => {
  test("the validator judges by it, or refuses the schema", () => {
    if (keyword === "$dynamicRef") {
      expect(() => createValidator(rooted(schema))).toThrow("flatten the schema first");
      return;
    }
    const validate = createValidator(rooted(schema));
    expect([validate(accepted).valid, validate(refused).valid]).toEqual([true, false]);
  });

  test("flattening keeps what it says, alone and composed", () => {
    const { $schema, ...rest } = schema;
    const composed = { ...($schema !== undefined && { $schema }), allOf: [rest, { description: "Composed." }], $defs };
    for (const whole of [rooted(schema), composed]) {
      expect(flatten(whole).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect([accepts(whole, accepted), accepts(whole, refused)]).toEqual([true, false]);
    }
  });

  test.each(Object.keys(dialects) as DialectId[])("%s carries it, reports a loss or refuses", (dialect) => {
    const { $schema, ...rest } = schema;
    const input: SchemaObject = {
      ...($schema !== undefined && { $schema }),
      type: "object",
      properties: { x: rest },
      required: ["x"],
      additionalProperties: false,
      $defs,
    };
    const lowered = lower(input, dialects[dialect]);
    if (lowered.diagnostics.some(({ severity }) => severity === "error") || lowered.losses.length > 0) return;
    expect(createValidator(lowered.schema)({ x: refused }).valid).toBe(false);
  });

  test("a comparison of schemas sees it come and stay", () => {
    const flat = flatten(rooted(schema)).schema;
    expect(findObstacles(flat, flat)).toEqual([]);
    expect(findObstacles({}, flat)).not.toEqual([]);
  });
});
