import { createValidator, type JsonObject, type JsonSchema } from "@hasp/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../../../../test/compiler/context.testing.js";
import { hideBound, keepBound } from "./hide-bound.js";

const NAMES = ["accountId", "pageSize", "orderState", "homeRegion"] as const;

const leaf = fc.constantFrom<JsonObject>({ type: "string", minLength: 1 }, { type: "integer" }, { enum: ["a", "b"] });
const objectPart = fc
  .record({ properties: fc.dictionary(fc.constantFrom(...NAMES), leaf), required: fc.subarray([...NAMES]) })
  .map(({ properties, required }): JsonObject => ({
    type: "object",
    properties,
    required: required.filter((name) => Object.hasOwn(properties, name)),
  }));
const root = fc.oneof(
  objectPart,
  fc.tuple(objectPart, objectPart).map(([one, other]): JsonObject => ({ ...one, anyOf: [other, { type: "object" }] })),
  fc.tuple(objectPart, objectPart).map((parts): JsonObject => ({ type: "object", allOf: parts })),
);
const bound = fc.subarray([...NAMES], { minLength: 1 });

test("the hidden schema and what is kept of the bound properties together accept what the whole accepts", () => {
  const values = fc.record(
    Object.fromEntries(NAMES.map((name) => [name, fc.constantFrom<unknown>("", "a", "c", 1, null, ["a"])])),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(root, bound, values, values, (schema, names, input, context) => {
      const own = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name as never)));
      const filled = { ...own, ...Object.fromEntries(names.map((name) => [name, context[name] ?? "a"])) };
      const hidden = createValidator(hideBound({ schema, originsOf: () => [] }, names).schema);
      const kept = createValidator(keepBound(schema, names) ?? true);
      expect(hidden(own).valid && kept(filled).valid).toBe(createValidator(schema)(filled).valid);
    }),
  );
});

test("a bound name stands in no schema that a model sees, and is refused when a model sends it", async () => {
  await fc.assert(
    fc.asyncProperty(root, bound, async (input, names) => {
      const bind = Object.fromEntries(names.map((name) => [name, `context.${name}`]));
      const spec = { hasp: 1, name: "list_orders", description: "List orders.", input, bind };
      const { tools, files } = await compile(
        [{ uri: "a.tool.yaml", role: "spec", text: JSON.stringify(spec) }],
        { dialects: ["anthropic", "openai-responses-strict", "gemini", "mcp"] },
        { emits: true },
      );
      const [tool] = tools;
      if (tool === undefined) return;
      const validate = createValidator(tool.input.schema as JsonSchema);
      for (const name of names) {
        for (const { path, text } of files) {
          if (path.includes("providers")) expect(text, path).not.toContain(name);
        }
        for (const value of ["a", 1]) expect(validate({ [name]: value }).errors.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 30 },
  );
});
