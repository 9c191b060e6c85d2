import { expect, test } from "vitest";
import type { DialectId } from "../../dialects/index.js";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { measureSchema } from "./measure.js";
import { checkRequestTool, checkRequestTotals, type RequestFinding, type RequestTool } from "./request.js";

const schema: SchemaObject = {
  type: "object",
  properties: {
    a: { type: "string" },
    b: { type: ["string", "null"] },
    c: { anyOf: [{ type: "string" }, { type: "integer" }] },
  },
  required: ["b"],
  additionalProperties: false,
};

function tools(count: number, change: Partial<RequestTool> = {}): readonly RequestTool[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: "Does it.",
    schema,
    strict: true,
    ...change,
  }));
}

const checkRequest = (list: readonly RequestTool[], dialect: DialectId): readonly RequestFinding[] => [
  ...list.flatMap((tool) => checkRequestTool(tool, dialect)),
  ...checkRequestTotals(
    list.map(({ strict, schema: each }) => ({ strict, measure: measureSchema(each) })),
    dialect,
  ),
];
const codes = (list: readonly RequestTool[], dialect: DialectId): readonly string[] =>
  checkRequest(list, dialect).map((finding) => finding.code);

test("Anthropic's budgets hold over all strict tools: 20 tools, 24 optional and 16 union properties", () => {
  expect(codes(tools(8), "anthropic-strict")).toEqual([]);
  expect(codes(tools(9), "anthropic-strict")).toEqual(["request/union-properties"]);
  expect(codes(tools(13), "anthropic-strict")).toEqual(["request/optional-properties", "request/union-properties"]);
  expect(codes(tools(21), "anthropic-strict")).toContain("request/strict-tools");
  expect(codes(tools(21, { strict: false }), "anthropic-strict")).toEqual([]);
});

test("OpenAI chat allows 128 tools and 1024 characters of description", () => {
  expect(codes(tools(128, { strict: false }), "openai-chat")).toEqual([]);
  expect(codes(tools(129, { strict: false }), "openai-chat")).toEqual(["request/tools"]);
  expect(checkRequest(tools(1, { description: "x".repeat(1025) }), "openai-chat")).toEqual([
    {
      tool: "tool_0",
      code: "request/description-length",
      severity: "error",
      message: "The description has 1025 characters; openai-chat allows 1024. Shorten it.",
    },
  ]);
});

test("a name outside the rule is found", () => {
  expect(codes(tools(1, { name: "a b" }), "anthropic")).toEqual(["request/name"]);
});

test("Cohere's strict mode counts the properties of all tools", () => {
  expect(codes(tools(66), "cohere-v2-strict")).toEqual([]);
  expect(codes(tools(67), "cohere-v2-strict")).toEqual(["request/properties"]);
});

test("the bounds of OpenAI's strict mode on one schema: depth, enum values, characters", () => {
  let deep: SchemaObject = { type: "string" };
  for (let level = 0; level < 11; level += 1) {
    deep = { type: "object", properties: { inner: deep }, required: ["inner"], additionalProperties: false };
  }
  expect(codes(tools(1, { schema: deep }), "openai-responses-strict")).toEqual(["lower/limit-depth"]);
  const values = Array.from({ length: 1001 }, (_, index) => `${index}`);
  const listed: SchemaObject = {
    type: "object",
    properties: { a: { type: "string", enum: values } },
    required: ["a"],
    additionalProperties: false,
  };
  expect(codes(tools(1, { schema: listed }), "openai-responses-strict")).toEqual(["lower/limit-enum"]);
  const long: SchemaObject = {
    type: "object",
    properties: {
      a: { type: "string", enum: Array.from({ length: 251 }, (_, index) => `${index}`.padStart(60, "0")) },
    },
    required: ["a"],
    additionalProperties: false,
  };
  expect(codes(tools(1, { schema: long }), "openai-responses-strict")).toEqual(["lower/limit-enum"]);
});

test("OpenAI's limit on levels counts those of a definition where it is used", () => {
  const nested = (levels: number, inner: SchemaObject): SchemaObject =>
    levels === 0
      ? inner
      : { type: "object", properties: { a: nested(levels - 1, inner) }, required: ["a"], additionalProperties: false };
  const recursive = (above: number, levels: number): SchemaObject => ({
    ...nested(above, { $ref: "#/$defs/Node" }),
    $defs: { Node: nested(levels, { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }] }) },
  });
  const found = (each: SchemaObject): readonly string[] =>
    codes(tools(1, { schema: each }), "openai-responses-strict").filter((code) => code === "lower/limit-depth");
  expect(found(nested(10, { type: "string" }))).toEqual([]);
  expect(found(nested(11, { type: "string" }))).toEqual(["lower/limit-depth"]);
  expect(found(recursive(1, 9))).toEqual([]);
  expect(found(recursive(1, 20))).toEqual(["lower/limit-depth"]);
  expect(found(recursive(6, 5))).toEqual(["lower/limit-depth"]);
});
