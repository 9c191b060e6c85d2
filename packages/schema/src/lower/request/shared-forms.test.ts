import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dialects } from "../../dialects/index.js";
import type { DialectId } from "../../dialects/definition/dialect.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { flatSchema } from "../generators.testing.js";
import { lower } from "../lower.js";
import { createSharedForms } from "./shared-forms.js";
import type { SharedForms } from "../types.js";
import { ROOT } from "../keywords/references.js";
import { lowerSettled } from "../settle.js";

/** What lowering gives, with or without its short way. */
function lowered(schema: SchemaObject, id: DialectId, sharedForms?: SharedForms): unknown {
  const { lowering, lowered: result } = lowerSettled(
    schema,
    dialects[id],
    { ...schema.$defs, [ROOT]: schema },
    sharedForms === undefined ? {} : { sharedForms },
  );
  const definitions = [...lowering.loweredDefinitions];
  const { losses, problems, nodes } = lowering;
  // As text: the order of keywords counts.
  return JSON.stringify({ result, definitions, losses, problems, nodes });
}

describe.each(Object.keys(dialects) as DialectId[])("%s", (id) => {
  test("sends a plain part as lowering it keyword by keyword would", () => {
    fc.assert(
      fc.property(flatSchema, (schema) => {
        expect(lowered(schema, id, createSharedForms())).toBe(lowered(schema, id));
      }),
      { numRuns: 60 },
    );
  });
});

const flat = { originsOf: () => [] };

test("dialects that send a part alike send one object, which knows where it came from", () => {
  const inner: SchemaObject = {
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: false,
    required: ["a"],
  };
  const schema: SchemaObject = { type: "object", properties: { p: inner } };
  const options = { flat, witnessBudget: 0, sharedForms: createSharedForms() };
  const sentBy = (id: DialectId): JsonSchema | undefined => {
    const result = lower(schema, id, options);
    return typeof result.schema === "object" ? result.schema.properties?.["p"] : undefined;
  };
  const sent = sentBy("mcp");
  expect(Object.keys(sent as SchemaObject)).toEqual(["type", "properties", "required", "additionalProperties"]);
  for (const id of ["anthropic", "openai-responses", "gemini-json-schema"] as const) expect(sentBy(id)).toBe(sent);
  expect(lower(schema, "mcp", options).sourceOf(sent as SchemaObject)).toBe("/properties/p");
});

test.each<readonly [string, SchemaObject]>([
  ["an empty description, which is left out", { type: "string", description: "" }],
  ["uniqueItems: false, which says nothing", { type: "array", items: { type: "string" }, uniqueItems: false }],
  ["an array without items, which some demand", { type: "array" }],
  ["a listed object, which some write as text", { enum: [{ a: 1 }] }],
  ["a list beside a constant", { const: 1, enum: [1] }],
  ["no properties, which some leave out", { type: "object", properties: {} }],
  ["a property that is refused", { type: "object", properties: { a: false } }],
  ["a required key that nothing declares", { type: "object", properties: { a: { type: "string" } }, required: ["b"] }],
  ["an open map, which is said as true", { type: "object", additionalProperties: {} }],
  ["a union", { anyOf: [{ type: "string" }, { type: "null" }] }],
  ["a reference", { $ref: "#/$defs/a" }],
  ["a word of the author's own", { type: "string", "x-own": 1 }],
])("not plain: %s", (_what, node) => {
  expect(createSharedForms().of(node, dialects.mcp)).toBeUndefined();
  expect(createSharedForms().of({ type: "array", items: node }, dialects.mcp)).toBeUndefined();
});
