import { createValidator, type JsonSchema } from "@hasp/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleValues } from "@hasp/schema/internal/generate";
import { findObstacles } from "./find-obstacles.js";

const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.record(
    { type: fc.constantFrom("string" as const), minLength: fc.nat(3), maxLength: fc.nat(4) },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constantFrom("integer" as const, "number" as const),
      minimum: fc.nat(3),
      exclusiveMaximum: fc.nat(5),
      multipleOf: fc.constantFrom(2, 3, 6),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom("x", "y", 1, 2, null, true), { minLength: 1, maxLength: 3 }) }),
  fc.record({ const: fc.constantFrom("x", 1, null) }),
  fc.constantFrom<JsonSchema>({ type: "boolean" }, { type: ["string", "null"] }, {}, true, { pattern: "^x" }),
);

const names = fc.constantFrom("a", "b", "c");

const object = (inner: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> =>
  fc.record(
    {
      type: fc.constant("object" as const),
      properties: fc.dictionary(names, inner, { maxKeys: 3, noNullPrototype: true }),
      required: fc.uniqueArray(names, { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.constant(false), inner),
      unevaluatedProperties: fc.constant(false),
      maxProperties: fc.nat(3),
      dependentRequired: fc.constantFrom({ a: ["b"] }),
      patternProperties: fc.constantFrom<{ readonly [pattern: string]: JsonSchema }>({ "^a": { type: "integer" } }),
    },
    { requiredKeys: ["type", "properties"] },
  );

const schema: fc.Arbitrary<JsonSchema> = fc.letrec<{ node: JsonSchema; union: JsonSchema }>((tie) => ({
  union: fc.oneof(
    fc.record({ anyOf: fc.array(tie("node"), { minLength: 1, maxLength: 3 }) }),
    fc.record(
      { oneOf: fc.array(tie("node"), { minLength: 1, maxLength: 3 }), unevaluatedProperties: fc.constant(false) },
      { requiredKeys: ["oneOf"] },
    ),
    fc.record({
      type: fc.constant("object" as const),
      anyOf: fc.array(object(leaf), { minLength: 2, maxLength: 2 }),
      unevaluatedProperties: fc.constant(false),
    }),
    fc.record({ allOf: fc.array(tie("node"), { minLength: 1, maxLength: 2 }) }),
  ),
  node: fc.oneof(
    { maxDepth: 3 },
    leaf,
    object(tie("node")),
    fc.record(
      {
        type: fc.constant("array" as const),
        items: tie("node"),
        minItems: fc.nat(2),
        maxItems: fc.nat(3),
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: ["type"] },
    ),
    tie("union"),
  ),
})).node;

/** A schema and one that is like it but for one part: unrelated ones are seldom included in each other. */
const pair: fc.Arbitrary<readonly [JsonSchema, JsonSchema]> = fc.oneof(
  fc.tuple(schema, schema),
  fc
    .tuple(schema, schema, schema)
    .map(([one, two, three]) => [{ anyOf: [one, two] }, { anyOf: [three, one, two] }] as const),
  fc.tuple(object(leaf), leaf, names).map(([base, property, name]) => {
    const old = base as { readonly properties?: { readonly [name: string]: JsonSchema } };
    return [base, { ...old, properties: { ...old.properties, [name]: property } }] as const;
  }),
);

const values = fc.oneof(
  fc.constantFrom<unknown>("x", "xx", "", 0, 1, 2, 3, 6, 1.5, null, true, [], {}),
  fc.dictionary(
    fc.constantFrom("a", "b", "c", "d", "ab"),
    fc.constantFrom<unknown>("x", "xxx", 0, 1, 2, 3, 6, null, true, {}, []),
    { maxKeys: 3, noNullPrototype: true },
  ),
  fc.array(fc.constantFrom<unknown>("x", 1, 2, null, {}), { maxLength: 3 }),
);

describe("obstaclesTo", () => {
  test("a proof is never wrong: what is proved included, no value contradicts", () => {
    let proved = 0;
    fc.assert(
      fc.property(pair, fc.array(values, { minLength: 20, maxLength: 20 }), ([inner, outer], given) => {
        if (findObstacles(inner, outer).length > 0) return;
        proved += 1;
        const [isInner, isOuter] = [createValidator(inner), createValidator(outer)];
        for (const value of [...given, ...sampleValues(inner, { beside: outer })]) {
          if (isInner(value).valid) expect([value, isOuter(value).errors]).toEqual([value, []]);
        }
      }),
      { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 150) },
    );
    expect(proved).toBeGreaterThan(20);
  });

  test("a recursive schema that lets more in is proved, and one that lets less in is not", () => {
    const tree = (extra: { readonly [name: string]: JsonSchema }): JsonSchema => ({
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: { left: { $ref: "#/$defs/node" }, right: { $ref: "#/$defs/node" }, ...extra },
          additionalProperties: false,
        },
      },
    });
    expect(findObstacles(tree({}), tree({ name: { type: "string" } }))).toEqual([]);
    expect(findObstacles(tree({ name: { type: "string" } }), tree({})).length).toBeGreaterThan(0);
  });

  test.each<[string, JsonSchema, boolean]>([
    ["anything", {}, false],
    ["any object", { type: "object" }, false],
    ["two schemas at once", { allOf: [{ $ref: "#/$defs/node" }, { $ref: "#/$defs/leaf" }] }, true],
    ["more schemas at each level", { $ref: "#/$defs/wide" }, true],
  ])("the comparison of %s with a recursive schema ends", (_what, inner, isWithin) => {
    const child = (name: string): JsonSchema => ({
      type: "object",
      properties: { child: { $ref: `#/$defs/${name}` } },
      additionalProperties: false,
    });
    const $defs = {
      node: child("node"),
      leaf: child("leaf"),
      wide: { allOf: [child("wide"), { ...(child("wide") as object), title: "Again." }] },
    };
    const outer: JsonSchema = { $ref: "#/$defs/tree", $defs: { tree: child("tree") } };
    expect(findObstacles({ ...(inner as object), $defs }, outer).length === 0).toBe(isWithin);
  });

  test("a value may take two branches of a closed union, and then holds the names of both", () => {
    const branch = (name: string): JsonSchema => ({ properties: { [name]: { type: "string" } } });
    const closed = (name: string): JsonSchema => ({
      type: "object",
      ...(branch(name) as object),
      additionalProperties: false,
    });
    const both: JsonSchema = { type: "object", anyOf: [branch("a"), branch("b")], unevaluatedProperties: false };
    const either: JsonSchema = { anyOf: [closed("a"), closed("b")] };
    const value = { a: "x", b: "x" };
    expect([createValidator(both)(value).valid, createValidator(either)(value).valid]).toEqual([true, false]);
    expect(findObstacles(both, either).length).toBeGreaterThan(0);
    expect(findObstacles(either, both)).toEqual([]);
  });

  test("counts no property around a branch as evaluated in it", () => {
    const closedInside: JsonSchema = {
      type: "object",
      properties: { a: true },
      anyOf: [{ properties: { b: true }, unevaluatedProperties: false }],
    };
    const both: JsonSchema = { type: "object", properties: { a: true, b: true }, additionalProperties: false };
    expect(createValidator(closedInside)({ a: 1 }).valid).toBe(false);
    expect(findObstacles(both, closedInside).length).toBeGreaterThan(0);
  });

  test("says at which keyword and location a proof ends", () => {
    const list = (maxLength: number): JsonSchema => ({
      type: "object",
      properties: { "a/b": { type: "array", items: { type: "string", maxLength } } },
    });
    expect(findObstacles(list(9), list(8))).toEqual([
      { pointer: "/properties/a~1b/items/maxLength", location: "/a~1b/*", keyword: "maxLength" },
    ]);
  });

  test("every schema includes itself", () => {
    fc.assert(fc.property(schema, (each) => findObstacles(each, structuredClone(each)).length === 0));
  });
});
