import { dialects, createValidator, type DialectId, type JsonSchema, type JsonValue } from "@hasp/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expandReferences, hoist } from "./hoist.js";

const address = (extra: object = {}): object => ({
  type: "object",
  properties: {
    street: { description: "The street with the number of the house.", type: "string" },
    city: { description: "The city or the village in its own language.", type: "string" },
  },
  required: ["street", "city"],
  additionalProperties: false,
  ...extra,
});
const objectOf = (properties: { readonly [name: string]: object }): JsonSchema =>
  ({ type: "object", properties, additionalProperties: false }) as JsonSchema;
const hoisted = (schema: JsonSchema, dialect: DialectId = "anthropic"): JsonSchema | undefined =>
  hoist(schema, dialects[dialect], () => undefined)?.schema;

describe("moving what a schema repeats to $defs", () => {
  test("each place becomes a reference to one definition", () => {
    const schema = objectOf({ from: address(), to: address(), more: { type: "array", items: address() } });
    expect(hoisted(schema)).toEqual({
      $defs: { from: address() },
      ...(objectOf({
        from: { $ref: "#/$defs/from" },
        to: { $ref: "#/$defs/from" },
        more: { type: "array", items: { $ref: "#/$defs/from" } },
      }) as object),
    });
  });

  test("a definition is called as its author calls it, in letters that a reference can have", () => {
    const schema = objectOf({ from: address(), to: address() });
    expect(hoist(schema, dialects.mcp, () => "a/b ~c")?.occurrences.map(([name]) => name)).toEqual(["a_b__c"]);
  });

  test("a difference of one annotation keeps two subschemas apart", () => {
    expect(hoisted(objectOf({ from: address(), to: address({ description: "Where to." }) }))).toBeUndefined();
  });

  test("short repetitions stay, since a reference would be no shorter", () => {
    const short = { type: "string", description: "A name." };
    expect(hoisted(objectOf({ a: short, b: short, c: short }))).toBeUndefined();
  });

  test("a schema that refers to definitions already stays as it is", () => {
    const node = { type: "object", properties: { next: { $ref: "#/$defs/Node" }, at: address(), to: address() } };
    const schema = { ...(objectOf({ root: { $ref: "#/$defs/Node" } }) as object), $defs: { Node: node } };
    expect(hoisted(schema as JsonSchema)).toBeUndefined();
    expect(hoisted(objectOf({ a: address(), b: address(), c: { not: { $ref: "#" } } }))).toBeUndefined();
  });

  test("values are no schemas, whatever they hold", () => {
    const value = { properties: { a: address(), b: address() } };
    expect(hoisted({ type: "object", default: value, examples: [value, value] } as JsonSchema)).toBeUndefined();
  });

  test("only dialects that document local references get any", () => {
    const schema = objectOf({ from: address(), to: address() });
    const taking = Object.keys(dialects).filter((id) => hoisted(schema, id as DialectId) !== undefined);
    expect(taking.toSorted()).toEqual([
      "anthropic",
      "anthropic-strict",
      "gemini-json-schema",
      "mcp",
      "mcp-2025-11-25",
      "moonshot",
      "openai-chat",
      "openai-chat-strict",
      "openai-responses",
      "openai-responses-strict",
    ]);
  });

  test("five megabytes take a moment", { timeout: 20_000 }, () => {
    const large = { type: "string", enum: Array.from({ length: 200_000 }, (_, index) => `value number ${index}`) };
    const schema = objectOf({ a: large, b: large });
    const short = hoist(schema, dialects.mcp, () => undefined);
    expect(JSON.stringify(short?.schema).length).toBeLessThan(JSON.stringify(schema).length * 0.51);
  });
});

const { schema: anySchema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<object>({ type: "string" }, address(), address({ description: "Other." }), { const: address() }),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b", "properties", "items", "__proto__"), tie("schema")),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
    }),
  ),
}));

test("with the definitions in their places, it says what it said, and judges values alike", () => {
  fc.assert(
    fc.property(anySchema, fc.jsonValue(), (inner, value) => {
      const schema = objectOf({ one: inner as object, two: inner as object });
      const short = hoist(schema, dialects.mcp, () => undefined);
      if (short === undefined) return;
      expect(expandReferences(short.schema)).toEqual(schema);
      const input = { one: value, two: value } as JsonValue;
      expect(createValidator(short.schema)(input).valid).toBe(createValidator(schema)(input).valid);
    }),
  );
});
