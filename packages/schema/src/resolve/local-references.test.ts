import fc from "fast-check";
import { expect, test } from "vitest";
import { flatten } from "../flatten/flatten.js";
import type { JsonObject } from "@hasp/base/json";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import { localizeReferences } from "./local-references.js";

const IDS = ["T0", "nested/T1", "urn:x:t2", "https://schemas.invalid/t3", "#t4"];

const REFERENCES = [
  "#",
  "#/$defs/a",
  "#/$defs/b/properties/x",
  "#/properties/x",
  "#/$defs/inner",
  "#anchor",
  "T0#/properties/x",
  "urn:x:t2#anchor",
  "t3#/$defs/inner",
  "elsewhere.json",
  ...IDS,
];

const aDefinition = fc.record(
  {
    $id: fc.constantFrom(...IDS),
    $anchor: fc.constant("anchor"),
    properties: fc.dictionary(
      fc.constantFrom("x", "y", "$id", "$ref"),
      fc.oneof(fc.record({ $ref: fc.constantFrom(...REFERENCES) }), fc.constant({ type: "string" })),
      { noNullPrototype: true },
    ),
    const: fc.constant({ $id: "T0", $ref: "T0" }),
    $defs: fc.constant({ inner: { $anchor: "anchor", type: "boolean" } }),
  },
  { requiredKeys: ["properties"] },
);

const aSchema = fc
  .tuple(aDefinition, fc.dictionary(fc.constantFrom("a", "b", "c"), aDefinition, { noNullPrototype: true }))
  .map(([root, definitions]) => ({ ...root, $defs: { ...root.$defs, ...definitions } }) as unknown as JsonObject);

/** Prints a flat schema with numbers for the names of its definitions, which come from the names of the source. */
function withoutNames(schema: JsonSchema): string {
  if (typeof schema === "boolean") return String(schema);
  const { $defs = {}, ...root } = schema;
  const names = Object.keys($defs);
  return names.reduce(
    (text, name, index) => text.replaceAll(`"#/$defs/${name}"`, `"#${index}"`),
    JSON.stringify([root, ...Object.values($defs)]),
  );
}

test("localized references mean what they meant by name", () => {
  let byName = 0;
  fc.assert(
    fc.property(aSchema, (schema): void => {
      const before = flatten(schema);
      const codes = before.diagnostics.flatMap(({ severity, code }) => (severity === "error" ? [code] : []));
      fc.pre(codes.every((code) => code === "schema/reference-not-found"));
      const localized = localizeReferences(schema);
      const after = flatten(localized);
      expect(withoutNames(after.schema)).toBe(withoutNames(before.schema));
      expect(after.diagnostics.map(({ origin }) => origin.pointer)).toEqual(
        before.diagnostics.map(({ origin }) => origin.pointer),
      );
      if (codes.length > 0) return void expect(localized).toBe(schema);
      // Data may look like a schema and stays as it is.
      const plain = JSON.stringify(localized).replaceAll('{"$id":"T0","$ref":"T0"}', "");
      expect(plain).not.toMatch(/"(?:\$id|\$anchor)":"|"\$ref":"(?!#\/|#")/);
      if (JSON.stringify(schema) !== JSON.stringify(localized)) byName += 1;
    }),
    { numRuns: 400 },
  );
  expect(byName).toBeGreaterThan(10);
});

test("a schema with a dynamic reference, which goes by names, keeps its names", () => {
  const schema = { $id: "T0", $dynamicAnchor: "node", properties: { kid: { $dynamicRef: "#node" } } };
  expect(localizeReferences(schema)).toBe(schema);
});
