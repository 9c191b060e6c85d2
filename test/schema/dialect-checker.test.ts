import { describe, expect, test } from "vitest";
import { checkDialect } from "./dialect-checker.testing.js";
import { hasShared, readProviders } from "./shared.testing.js";

const text = { type: "string" };

/** For each word of `providers.json`, a node that uses it. */
const nodes: { readonly [word: string]: unknown } = {
  $schema: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "string" },
  $id: { $id: "x", type: "string" },
  $anchor: { $anchor: "x", type: "string" },
  $comment: { $comment: "x", type: "string" },
  $ref: { $ref: "#/properties/good" },
  "$ref+siblings": { $ref: "#/properties/good", description: "x" },
  $defs: { $defs: {}, type: "string" },
  definitions: { definitions: {}, type: "string" },
  recursiveRef: {
    type: "object",
    properties: { again: { $ref: "#/properties/bad" } },
    required: ["again"],
    additionalProperties: false,
  },
  externalRef: { $ref: "other.json" },
  allOf: { allOf: [text] },
  anyOf: { anyOf: [text] },
  oneOf: { oneOf: [text] },
  not: { not: text },
  "if/then/else": { if: text },
  dependentRequired: { dependentRequired: {} },
  dependentSchemas: { dependentSchemas: {} },
  const: { const: "x" },
  enum: { type: "string", enum: ["x"] },
  "enum:nonString": { enum: [1] },
  "enum:objectsOrArrays": { enum: [[1]] },
  type: text,
  "type:array": { type: ["string"] },
  "type:null": { type: "null" },
  nullable: { type: "string", nullable: true },
  format: { type: "string", format: "date" },
  pattern: { type: "string", pattern: "x" },
  items: { type: "array", items: text },
  "items:missing": { type: "array" },
  "items:tupleArray": { type: "array", items: [text] },
  prefixItems: { type: "array", prefixItems: [text] },
  contains: { type: "array", items: text, contains: text },
  properties: { type: "object", properties: { a: text } },
  "properties:missing": { type: "object" },
  "properties:empty": { type: "object", properties: {} },
  required: { type: "object", properties: { a: text }, required: ["a"] },
  "required:empty": { type: "object", properties: { a: text }, required: [] },
  "required:undeclared": { type: "object", properties: { a: text }, required: ["b"] },
  "additionalProperties:false": { type: "object", additionalProperties: false },
  "additionalProperties:true": { type: "object", additionalProperties: true },
  "additionalProperties:schema": { type: "object", additionalProperties: text },
  patternProperties: { type: "object", patternProperties: {} },
  "deprecated/readOnly/writeOnly": { type: "string", readOnly: true },
  default: { type: "string", default: "x" },
  example: { type: "string", example: "x" },
  examples: { type: "string", examples: ["x"] },
  title: { type: "string", title: "x" },
  description: { type: "string", description: "x" },
  propertyOrdering: { type: "object", propertyOrdering: [] },
  propertyNames: { type: "object", propertyNames: text },
  unevaluatedProperties: { type: "object", unevaluatedProperties: false },
  unevaluatedItems: { type: "array", items: text, unevaluatedItems: false },
  booleanSchema: true,
  emptySchema: {},
  ...Object.fromEntries(
    [
      "minLength",
      "maxLength",
      "minimum",
      "maximum",
      "exclusiveMinimum",
      "exclusiveMaximum",
      "multipleOf",
      "minItems",
      "maxItems",
    ].map((word) => [word, { [word]: 1 }]),
  ),
  uniqueItems: { type: "array", items: text, uniqueItems: true },
  minProperties: { type: "object", minProperties: 1 },
  maxProperties: { type: "object", maxProperties: 1 },
};

describe.skipIf(!hasShared)(
  "the checker of lowered schemas sees what the facts refuse (skipped without ../shared)",
  () => {
    test.each(Object.entries(hasShared ? readProviders() : {}))(
      "the checker sees each broken fact of %s",
      (_id, facts) => {
        for (const [word, verdict] of Object.entries(facts.keywords)) {
          const bad = nodes[word];
          expect(bad, `an example of ${word}`).toBeDefined();
          const schema = {
            type: "object",
            properties: { good: text, bad },
            required: ["good", "bad"],
            additionalProperties: false,
          };
          const rules = checkDialect(schema, facts).map((violation) => violation.rule);
          expect({ word, isRefused: rules.includes(word) }).toEqual({ word, isRefused: verdict === "reject" });
        }
        expect(
          checkDialect({ type: "object", properties: { a: { zzz: 1 } } }, facts).map(({ rule }) => rule),
        ).toContain("zzz (not listed)");
      },
    );

    test("and the rules beside the words", () => {
      const providers = readProviders();
      const rulesOf = (id: string, schema: unknown): readonly string[] => {
        const facts = providers[id];
        return facts === undefined ? [] : checkDialect(schema, facts).map(({ rule }) => rule);
      };
      const object = (properties: object, required: readonly string[] = Object.keys(properties)): object => ({
        type: "object",
        properties,
        required,
        additionalProperties: false,
      });
      const nested = (levels: number): object => (levels === 0 ? text : object({ a: nested(levels - 1) }));
      expect(rulesOf("openai-chat-strict", object({ a: text }))).toEqual([]);
      expect(rulesOf("openai-chat-strict", object({ a: text }, []))).toEqual(["not all required"]);
      expect(rulesOf("openai-chat-strict", { type: "object", properties: {}, required: [] })).toEqual([
        "additionalProperties is not false",
      ]);
      expect(rulesOf("openai-chat-strict", nested(10))).toEqual([]);
      expect(rulesOf("openai-chat-strict", nested(11))).toEqual(["objects nested 11 deep"]);
      expect(rulesOf("openai-chat-strict", object({ a: { type: "string", pattern: "(?=x)" } }))).toEqual([
        "pattern with lookaround",
      ]);
      expect(rulesOf("openai-chat-strict", object({ a: { type: "string", format: "uri" } }))).toEqual(["format uri"]);
      expect(
        rulesOf("openai-chat-strict", object({ a: { type: "string", enum: Array.from({ length: 1001 }, String) } })),
      ).toEqual(["1001 enum values"]);
      expect(rulesOf("anthropic-strict", object({ a: { type: "array", items: text, minItems: 2 } }))).toEqual([
        "minItems 2",
      ]);
      expect(rulesOf("anthropic", { type: "object", properties: { "two words": text } })).toEqual([
        'a property named "two words"',
      ]);
      expect(rulesOf("anthropic", { type: "string" })).toEqual(["type:nonObject", "the root is no object"]);
      expect(rulesOf("gemini", { type: "object", properties: { a: { description: "x", anyOf: [text] } } })).toEqual([
        "anyOf beside other fields",
      ]);
      expect(rulesOf("gemini", { type: "object", properties: { a: { type: "string", enum: [""] } } })).toEqual([
        "an empty string in enum",
      ]);
      expect(rulesOf("cohere-v2-strict", { type: "object", properties: { a: text } })).toEqual(["none required"]);
    });
  },
);
