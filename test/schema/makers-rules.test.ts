import { lower } from "@hasp/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCompatibleFaults, findMoonshotFaults } from "./makers-rules.testing.js";
import { toolInputs } from "./tool-inputs.testing.js";

const text = { type: "string" };
const objectOf = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });

describe("the checker of Moonshot's rules", () => {
  test.each<[string, object]>([
    ["a type beside a union", { type: "object", anyOf: [text] }],
    ["a keyword of another type", { type: "string", minItems: 1 }],
    ["bounds of a length on an object", objectOf({ name: text }, { minLength: 1 })],
    ["anything beside a union", { properties: { name: text }, anyOf: [objectOf({ a: text })] }],
    ["a property without a type", objectOf({ a: {} })],
    ["true in place of a schema", objectOf({ a: true })],
    ["a list of items", objectOf({ a: { type: "array", items: [text] } })],
    ["an undeclared required property", objectOf({ a: text }, { required: ["b"] })],
    ["a reserved name", objectOf({ anyOf: text })],
    ["a negative bound", objectOf({ a: { type: "integer", minimum: -1 } })],
    ["mixed values", objectOf({ a: { type: "string", enum: ["a", 1] } })],
    ["a pattern", objectOf({ a: { type: "string", pattern: "^a$" } })],
    ["a reference elsewhere", objectOf({ a: { $ref: "https://example.com/s.json" } })],
    ["a definition with a slash", { ...objectOf({}), $defs: { "a/b": text } }],
  ])("%s is refused", (_, schema) => {
    expect(findMoonshotFaults(schema)).not.toEqual([]);
  });

  test.each<[string, object]>([
    [
      "a list by references",
      {
        ...objectOf({ a: { $ref: "#/$defs/n" } }),
        $defs: { n: objectOf({ next: { anyOf: [{ $ref: "#/$defs/n" }, { type: "null" }] } }) },
      },
    ],
    [
      "a described union",
      objectOf({ a: { description: "One or more.", anyOf: [text, { type: "array", items: text }] } }),
    ],
    ["anything beside the properties", objectOf({ a: text }, { additionalProperties: {} })],
  ])("%s is accepted", (_, schema) => {
    expect(findMoonshotFaults(schema)).toEqual([]);
  });
});

describe.each([
  ["moonshot", findMoonshotFaults],
  ["openai-compatible", findCompatibleFaults],
] as const)("lowering to %s", (dialect, findFaults) => {
  test("breaks none of its makers' rules", () => {
    fc.assert(
      fc.property(toolInputs, ({ schema }) => {
        const lowered = lower(schema, dialect, { witnessBudget: 0 }).schema;
        expect(lowered === undefined ? [] : findFaults(lowered)).toEqual([]);
      }),
    );
  });
});
