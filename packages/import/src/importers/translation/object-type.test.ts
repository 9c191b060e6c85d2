import fc from "fast-check";
import { expect, test } from "vitest";
import { createValidator, type JsonObject, type JsonSchema } from "@hasp/schema";
import { lacksObjectType } from "./object-type.js";

const named: JsonObject = { properties: { a: { type: "string" } } };

test.each<[JsonObject, boolean]>([
  [named, true],
  [{ description: "x", required: ["a"], ...named }, true],
  [{ anyOf: [named, { type: "object" }], unevaluatedProperties: false }, true],
  [{ allOf: [named, { required: ["a"] }] }, true],
  [{ type: "object", ...named }, false],
  [{ oneOf: [{ type: "object" }, { type: "object", ...named }] }, false],
  [{ anyOf: [named, { required: ["a"] }] }, false],
  [{ anyOf: [named, { type: "string" }] }, false],
  [{ nullable: true, ...named }, false],
  [{ items: named }, false],
  [{}, false],
])("%j lacks the type of an object: %s", (schema, expected) => {
  expect(lacksObjectType(schema)).toBe(expected);
});

const leaf = fc.constantFrom<JsonObject>(
  named,
  {},
  { type: "object" },
  { required: ["b"] },
  { minProperties: 1 },
  { type: "string" },
  { minLength: 2 },
  { maxItems: 1 },
  { const: 7 },
  { not: {} },
);
const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    ...["anyOf", "oneOf", "allOf"].map((word) =>
      fc
        .tuple(leaf, fc.array(tie("schema"), { minLength: 1, maxLength: 3 }))
        .map(([around, branches]): JsonObject => ({ ...around, [word]: branches })),
    ),
  ),
}));

test("only a schema that tells no text, list or number from another lacks the type of an object", () => {
  fc.assert(
    fc.property(schema, (written) => {
      fc.pre(lacksObjectType(written));
      const accepts = createValidator(written as JsonSchema);
      const verdicts = ["", "long", [], [1, 2], 7, 8, true, null].map((value) => accepts(value).valid);
      expect(new Set(verdicts).size).toBe(1);
    }),
  );
});
