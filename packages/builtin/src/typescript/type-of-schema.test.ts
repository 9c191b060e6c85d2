import type { JsonSchema } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { code, type Code, markAsCode, formatModule } from "@hasp/compiler/code";
import { typeCode } from "./type-node.js";
import { typeOfSchema } from "./type-of-schema.js";

const typeOf = (schema: JsonSchema, isFilled = false): Code =>
  typeCode(
    typeOfSchema(schema, {
      isFilled,
      isOpenByNature: false,
      nameOf: (node) => (typeof node === "object" && node.$ref === "#/$defs/Node" ? "Node" : undefined),
    }),
  );

async function expectType(type: Code, expected: string): Promise<void> {
  const [actual, wanted] = [type, markAsCode(expected)].map((each) => formatModule(code`export type T = ${each};`));
  expect(await actual).toBe(await wanted);
}

describe("types of schemas", () => {
  test.each<[string, JsonSchema, string]>([
    ["anything", true, "unknown"],
    ["nothing", false, "never"],
    ["a nullable text", { type: ["string", "null"] }, "string | null"],
    ["an integer", { type: "integer", minimum: 1 }, "number"],
    [
      "a closed object",
      { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
      "{ readonly a: string }",
    ],
    ["an empty closed object", { type: "object", additionalProperties: false }, "{ readonly [key: string]: never }"],
    [
      "an open object",
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
      "{ readonly a?: string; readonly [key: string]: unknown }",
    ],
    ["a map", { type: "object", additionalProperties: { type: "number" } }, "{ readonly [key: string]: number }"],
    ["a list of choices", { type: "array", items: { enum: ["a", "b"] } }, 'readonly ("a" | "b")[]'],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 1, items: false },
      "readonly [string, number?]",
    ],
    [
      "a tuple with a tail",
      { type: "array", prefixItems: [{ type: "string" }], minItems: 1, items: { type: "boolean" } },
      "readonly [string, ...boolean[]]",
    ],
    ["a structured constant", { const: { a: [1, null] } }, "{ readonly a: readonly [1, null] }"],
    ["a recursive use", { type: "array", items: { $ref: "#/$defs/Node" } }, "readonly Node[]"],
    ["what has no type", { minimum: 3 }, "unknown"],
    [
      "a required name that nothing describes",
      { type: "object", required: ["a"] },
      "{ readonly a: unknown; readonly [key: string]: unknown }",
    ],
    [
      "a discriminated union closed around its branches",
      {
        type: "object",
        properties: { id: { type: "string" } },
        required: ["id"],
        oneOf: [
          { properties: { kind: { const: "a" }, x: { type: "number" } }, required: ["kind"] },
          { properties: { kind: { const: "b" } }, required: ["kind"] },
        ],
        unevaluatedProperties: false,
      },
      '{ readonly id: string; readonly kind: "a"; readonly x?: number }\n| { readonly id: string; readonly kind: "b" }',
    ],
    [
      "branches of a closed place, one of them a map",
      {
        oneOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          {
            type: "object",
            properties: { b: { type: "number" } },
            required: ["b"],
            additionalProperties: { type: "number" },
          },
        ],
        unevaluatedProperties: false,
      },
      "{ readonly a: string } | { readonly b: number; readonly [key: string]: number }",
    ],
    [
      "a condition on presence alone",
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" } },
        additionalProperties: false,
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      "{ readonly a?: string; readonly b?: string }",
    ],
  ])("prints the type of %s", async (_, schema, expected) => {
    await expectType(typeOf(schema), expected);
  });

  test("a handler sees defaults filled, outside unions", async () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        limit: { type: "integer", default: 10 },
        page: { type: "object", properties: { size: { type: "integer", default: 5 } }, additionalProperties: false },
        choice: {
          anyOf: [
            { type: "object", properties: { a: { type: "string", default: "x" } }, additionalProperties: false },
            { type: "null" },
          ],
        },
      },
      additionalProperties: false,
    };
    const uncommented = typeOf(schema, true)
      .text.replaceAll(/\/\*\*.*?\*\//gsu, "")
      .replaceAll("\n", " ");
    await expectType(
      markAsCode(uncommented),
      `{
        readonly limit: number;
        readonly page?: { readonly size: number };
        readonly choice?: { readonly a?: string } | null;
      }`,
    );
    expect(typeOf(schema, false).text).toContain("readonly limit?: number");
  });
});
