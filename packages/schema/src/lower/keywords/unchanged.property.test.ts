import fc from "fast-check";
import { expect, test } from "vitest";
import type { DialectId } from "../../dialects/definition/dialect-id.js";
import { dialects } from "../../dialects/index.js";
import type { JsonSchema } from "../../vocabulary/json-schema.js";
import { walkSchema } from "../../vocabulary/walk-schema.js";
import { createLoweringContext } from "../context/context.js";
import { FlatSource } from "../flat-source.js";
import { flatSchema } from "../generators.testing.js";
import { lowerKeywords } from "./node-keywords.js";
import { lowerNode, lowerTyped } from "./node.js";
import { countUnchanged } from "./unchanged.js";

/** Forms that flattening never leaves, or a provider's limit on one keyword: a dialect might still change them. */
const CORNERS: readonly JsonSchema[] = [
  { title: "T", description: "" },
  { description: "", type: "string" },
  { type: "string", description: "After its type." },
  { type: "string", minimum: 2 },
  { type: "string", pattern: "^a{1,200}$" },
  { type: "array", items: { type: "string" }, minItems: 7, uniqueItems: false },
  { type: "array", items: { type: "string" }, minItems: 7 },
  { type: "object", properties: {} },
  { type: "object", properties: { a: true }, required: ["a"], additionalProperties: false },
  { type: "object", properties: { "two words": { type: "null" } }, required: ["b"] },
  { type: "object", additionalProperties: {} },
  { type: "object", enum: [{ a: 1 }], properties: { a: { type: "integer" } } },
  { const: "x", enum: ["x", "y"] },
  { enum: [] },
  { type: "string", enum: ["a", ""] },
  { type: "string", "x-mcp-header": "Name" },
];

test.each(Object.keys(dialects) as DialectId[])("finds only schemas that %s copies as they are", (id) => {
  let found = 0;
  const check = (root: JsonSchema): void =>
    walkSchema(root, ({ schema }) => {
      const context = createLoweringContext(
        { lowerNode, lowerKeywords },
        dialects[id],
        new FlatSource({}, { originsOf: () => [] }),
        false,
        new Set(),
      );
      if (typeof schema !== "object" || countUnchanged(context, schema) === 0) return;
      found += 1;
      const isTyped = dialects[id].shapes.nodes === "typed";
      const lowered = isTyped ? lowerTyped(context, schema) : lowerKeywords(context, schema, false);
      expect(JSON.stringify(lowered)).toBe(JSON.stringify({ schema, codec: undefined }));
      expect([...context.losses, ...context.problems]).toEqual([]);
    });
  for (const corner of CORNERS) check(corner);
  fc.assert(fc.property(flatSchema, check), { numRuns: 100 });
  expect(found).toBeGreaterThan(100);
});
