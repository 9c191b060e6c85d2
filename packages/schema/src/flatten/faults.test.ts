import { describe, expect, test } from "vitest";
import { inBoundedTime } from "../in-bounded-time.testing.js";
import type { JsonValue } from "@hasp/base/json";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import { flatten, type FlattenOptions } from "./flatten.js";
import { judge } from "./judge.testing.js";

/** Flattens, and checks against Ajv that the given values keep their verdicts. */
function keeps(schema: unknown, values: readonly JsonValue[], options: FlattenOptions = {}): JsonSchema {
  const { schema: flat } = flatten(schema, options);
  const original = judge(schema, { draft: options.draft ?? "2020-12" });
  const flattened = judge(flat);
  expect(original).toBeDefined();
  for (const value of values) {
    expect([value, flattened?.(value)], JSON.stringify(flat)).toEqual([value, original?.(value)]);
  }
  return flat;
}

function codes(schema: unknown, options: FlattenOptions = {}): string[] {
  return flatten(schema, options).diagnostics.map(({ code }) => code);
}

describe("json-schema-ref-parser (dependencies.md §4)", () => {
  test("has no $anchor", () => {
    expect(keeps({ $ref: "#there", $defs: { a: { $anchor: "there", type: "integer" } } }, [1, "x"])).toEqual({
      type: "integer",
    });
  });

  test("has no $id scopes", () => {
    const schema = {
      $id: "http://example.com/root.json",
      $ref: "inner.json#/$defs/a",
      $defs: { inner: { $id: "inner.json", $defs: { a: { type: "integer" } } } },
    };
    expect(keeps(schema, [1, "x"])).toEqual({ type: "integer" });
  });

  test("lets the siblings of $ref override the target: maxLength, properties and required of the target are lost", () => {
    keeps({ $ref: "#/$defs/a", maxLength: 5, $defs: { a: { maxLength: 2 } } }, ["abc", "ab", "abcdef"]);
    keeps({ $ref: "#/$defs/a", maxLength: 2, $defs: { a: { maxLength: 5 } } }, ["abc", "ab", "abcdef"]);
    const objects = {
      $ref: "#/$defs/a",
      properties: { b: { type: "string" } },
      required: ["b"],
      $defs: { a: { properties: { a: { type: "string" } }, required: ["a"] } },
    };
    expect(keeps(objects, [{}, { a: "" }, { b: "" }, { a: "", b: "" }, { a: 1, b: "" }])).toEqual({
      properties: { b: { type: "string" }, a: { type: "string" } },
      required: ["b", "a"],
    });
  });

  test("throws on a $ref to a boolean schema", () => {
    expect(
      keeps(
        { properties: { a: { $ref: "#/$defs/no" }, b: { $ref: "#/$defs/yes" } }, $defs: { no: false, yes: true } },
        [{}, { a: 1 }, { b: 1 }],
      ),
    ).toEqual({
      properties: { a: false, b: {} },
    });
  });

  test("follows $ref inside enum and const", () => {
    const data = { $ref: "#/$defs/a" };
    const schema = {
      properties: { e: { enum: [data] }, c: { const: data }, d: { default: data, examples: [data] } },
      $defs: { a: { type: "integer" } },
    };
    const { $defs: _, ...expected } = schema;
    expect(keeps(schema, [{ e: data }, { e: 1 }, { c: data }, { c: 1 }])).toEqual(expected);
  });

  test("makes cyclic objects of recursion", () => {
    const node = { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/Node" } } } };
    const flat = keeps({ $ref: "#/$defs/Node", $defs: { Node: node } }, [
      { children: [{ children: [1] }] },
      { children: [{ children: [] }] },
    ]);
    expect(flat).toEqual({ ...node, $defs: { Node: node } });
    expect(() => JSON.stringify(flat)).not.toThrow();
  });

  test("duplicates $id: nothing of $id, $anchor or $schema is left", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "http://example.com/",
      properties: { a: { $ref: "#x" }, b: { $ref: "#x" } },
      $defs: { x: { $id: "x", $anchor: "y" }, y: { $anchor: "x", type: "null" } },
    };
    expect(flatten(schema).schema).toEqual({ properties: { a: { type: "null" }, b: { type: "null" } } });
  });

  test("undoes JSON Pointer escapes and percent encoding", () => {
    const schema = {
      properties: { a: { $ref: "#/$defs/a~1b~0c" }, b: { $ref: "#/$defs/per%25cent" } },
      $defs: { "a/b~c": { type: "null" }, "per%cent": { type: "string" } },
    };
    expect(flatten(schema).schema).toEqual({ properties: { a: { type: "null" }, b: { type: "string" } } });
  });
});

describe("json-schema-merge-allof (dependencies.md §4)", () => {
  test("joins patterns so that `ab` is rejected", () => {
    keeps({ allOf: [{ pattern: "^a" }, { pattern: "b$" }] }, ["ab", "a", "b", "axxb", "xab", "a\nb"]);
    keeps({ allOf: [{ pattern: "a|b" }, { pattern: "c|^d" }] }, ["ac", "ca", "da", "ad", "b", "c"]);
  });

  test("rejects `ab` with two closed patternProperties branches", () => {
    const branch = (pattern: string): object => ({ patternProperties: { [pattern]: {} }, additionalProperties: false });
    keeps({ allOf: [branch("^a"), branch("b$")] }, [{ ab: 1 }, { a: 1 }, { b: 1 }, { c: 1 }, {}]);
  });

  test("lifts unevaluatedProperties of a branch to the parent", () => {
    keeps({ properties: { p: {} }, allOf: [{ properties: { a: {} }, unevaluatedProperties: false }] }, [
      { a: 1 },
      { p: 1 },
      { a: 1, p: 1 },
      {},
    ]);
    keeps(
      {
        properties: { p: {} },
        allOf: [{ anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }], unevaluatedProperties: false }],
      },
      [{ a: 1 }, { p: 1 }, { b: 1 }, {}],
    );
  });

  test("lets a lone `if` meet another branch's `then`", () => {
    keeps({ allOf: [{ if: { type: "string" } }, { then: { minLength: 3 } }] }, ["a", "abc", 1]);
  });

  test("takes `items` beside another branch's prefixItems for its rest", () => {
    keeps({ allOf: [{ items: { type: "integer" } }, { prefixItems: [{ minimum: 3 }] }] }, [
      [1],
      [3],
      ["x"],
      [3, "x"],
      [3, 1],
    ]);
  });

  test("throws on disjoint enums, two consts, two types", () => {
    for (const allOf of [
      [{ enum: [1, 2] }, { enum: [3] }],
      [{ const: 1 }, { const: 2 }],
      [{ type: "string" }, { type: "boolean" }],
    ]) {
      const { schema, diagnostics } = flatten({ allOf });
      expect(schema).toBe(false);
      expect(diagnostics).toMatchObject([
        {
          code: "schema/unsatisfiable",
          related: [
            { origin: { pointer: expect.stringMatching(/^\/allOf\/0\//) } },
            { origin: { pointer: expect.stringMatching(/^\/allOf\/1\//) } },
          ],
        },
      ]);
    }
  });

  test("throws on integer and number", () => {
    expect(keeps({ allOf: [{ type: "number" }, { type: "integer" }] }, [1, 1.5, "x"])).toEqual({ type: "integer" });
    expect(
      keeps({ allOf: [{ type: ["integer", "string"] }, { type: ["number", "null"] }] }, [1, 1.5, "x", null]),
    ).toEqual({ type: "integer" });
  });

  test("throws on two formats, and on if/then/else twice", () => {
    expect(flatten({ allOf: [{ format: "email" }, { format: "uri" }] })).toMatchObject({
      schema: { allOf: [{ format: "email" }, { format: "uri" }] },
      diagnostics: [{ code: "schema/residual", severity: "warning" }],
    });
    keeps(
      {
        allOf: [
          { if: { minimum: 5 }, then: { multipleOf: 2 } },
          { if: { maximum: 10 }, then: { multipleOf: 3 }, else: { multipleOf: 5 } },
        ],
      },
      [1, 3, 4, 5, 6, 7, 8, 10, 11, 15, 20],
    );
  });

  test("throws on prefixItems, dependentRequired and dependentSchemas twice", () => {
    keeps(
      {
        allOf: [
          { prefixItems: [{ type: "string" }, { minimum: 2 }] },
          { prefixItems: [{ maxLength: 1 }], items: { type: "integer" } },
        ],
      },
      [
        ["a", 2],
        ["ab", 2],
        ["a", 1],
        ["a", "x"],
        ["a", 2, "x"],
      ],
    );
    keeps({ allOf: [{ dependentRequired: { a: ["b"] } }, { dependentRequired: { a: ["c"] } }] }, [
      { a: 1 },
      { a: 1, b: 1 },
      { a: 1, b: 1, c: 1 },
      {},
    ]);
    keeps(
      { allOf: [{ dependentSchemas: { a: { required: ["b"] } } }, { dependentSchemas: { a: { maxProperties: 2 } } }] },
      [{ a: 1 }, { a: 1, b: 1 }, { a: 1, b: 1, c: 1 }],
    );
  });

  test("throws on two values of an unknown x- keyword: the nearest wins", () => {
    expect(flatten({ "x-unit": "m", allOf: [{ "x-unit": "km", "x-other": { deep: [1] } }] }).schema).toEqual({
      "x-unit": "m",
      "x-other": { deep: [1] },
    });
  });
});

describe("allOf probe (peers-compiler.md §2b)", () => {
  test("flatten keeps both of two contains", () => {
    keeps({ allOf: [{ contains: { const: 1 } }, { contains: { const: 2 }, maxContains: 1 }] }, [
      [1],
      [2],
      [1, 2],
      [1, 2, 2],
      [],
    ]);
  });

  test("conflicting defaults and descriptions: the nearest wins", () => {
    const allOf = [
      { description: "first", default: 1 },
      { description: "second", default: 2, title: "t" },
    ];
    expect(flatten({ allOf }).schema).toEqual({ description: "first", default: 1, title: "t" });
    expect(flatten({ description: "own", allOf }).schema).toEqual({ title: "t", description: "own", default: 1 });
  });

  test("deprecated and readOnly hold if any says so", () => {
    expect(flatten({ deprecated: false, allOf: [{ deprecated: true, readOnly: true }] }).schema).toEqual({
      deprecated: true,
      readOnly: true,
    });
  });

  test("two closed objects accept only {}: each property is dead, and the branch that forbids it is named", () => {
    const branch = (name: string): object => ({
      type: "object",
      properties: { [name]: {} },
      additionalProperties: false,
    });
    const { schema, diagnostics } = flatten({ allOf: [branch("a"), branch("b")] });
    expect(judge(schema)?.({})).toBe(true);
    expect(judge(schema)?.({ a: 1 })).toBe(false);
    expect(diagnostics).toMatchObject([
      {
        code: "schema/dead-property",
        severity: "error",
        origin: { pointer: "/allOf/0/properties/a" },
        related: [{ origin: { pointer: "/allOf/1/additionalProperties" } }],
      },
      {
        code: "schema/dead-property",
        severity: "error",
        origin: { pointer: "/allOf/1/properties/b" },
        related: [{ origin: { pointer: "/allOf/0/additionalProperties" } }],
      },
    ]);
  });

  test("a closed outer schema beside branches with properties of their own: they are dead, wherever the closing stands", () => {
    const outer = {
      type: "object",
      properties: { id: {} },
      additionalProperties: false,
      anyOf: [{ properties: { a: {} } }, { required: ["id"] }],
    };
    expect(flatten(outer).diagnostics).toMatchObject([
      {
        code: "schema/dead-property",
        origin: { pointer: "/anyOf/0/properties/a" },
        related: [{ origin: { pointer: "" } }],
      },
    ]);
    const closed = (name: string): object => ({
      type: "object",
      properties: { [name]: {} },
      required: [name],
      additionalProperties: false,
    });
    expect(
      flatten({ type: "object", properties: { id: {} }, oneOf: [closed("a"), closed("b")] }).diagnostics,
    ).toMatchObject([
      {
        code: "schema/dead-property",
        origin: { pointer: "/properties/id" },
        related: [{ origin: { pointer: "/oneOf/0" } }],
      },
    ]);
    expect(codes({ type: "object", properties: { id: {} }, oneOf: [closed("a"), closed("id")] })).toEqual([]);
  });

  test("a closed outer schema that lacks what a branch requires fits nothing", () => {
    const { schema, diagnostics } = flatten({
      type: "object",
      properties: { a: {} },
      additionalProperties: false,
      allOf: [{ required: ["b"] }],
    });
    expect(schema).toBe(false);
    expect(diagnostics).toMatchObject([
      {
        code: "schema/unsatisfiable",
        related: [{ origin: { pointer: "/allOf/0/required" } }, { origin: { pointer: "/additionalProperties" } }],
      },
    ]);
  });

  test("a required name where what further names may hold contradicts itself", () => {
    const { schema, diagnostics } = flatten({
      type: "object",
      required: ["b"],
      allOf: [{ additionalProperties: { type: "string" } }, { additionalProperties: { type: "integer" } }],
    });
    expect(schema).toBe(false);
    expect(diagnostics).toMatchObject([
      {
        code: "schema/unsatisfiable",
        related: [
          { origin: { pointer: "/required" } },
          ...["0", "1"].map((index) => ({ origin: { pointer: `/allOf/${index}/additionalProperties/type` } })),
        ],
      },
    ]);
    expect(flatten({ type: "object", required: ["b"], additionalProperties: { not: true } }).schema).toBe(false);
    expect(
      flatten({ type: ["object", "null"], required: ["b"], additionalProperties: { not: true } }).schema,
    ).toMatchObject({ type: ["null"] });
  });

  test("flatten refuses minimum 10 with maximum 5", () => {
    expect(flatten({ type: "number", allOf: [{ minimum: 10 }, { maximum: 5 }] })).toMatchObject({
      schema: false,
      diagnostics: [
        { code: "schema/unsatisfiable", message: expect.stringContaining(`"minimum" is 10, and "maximum" is 5`) },
      ],
    });
    // Without a type, other values are still valid.
    keeps({ allOf: [{ minimum: 10 }, { maximum: 5 }] }, [7, "x", null]);
  });
});

describe("instructive issues (peers-compiler.md §3)", () => {
  test("readmeio/oas#755: disjoint enums are never made a union", () => {
    expect(codes({ type: "object", properties: { a: { allOf: [{ enum: ["x"] }, { enum: ["y"] }] } } })).toEqual([
      "schema/dead-property",
    ]);
  });

  test("readmeio/oas#1146: a nested conflict does not delete the whole allOf", () => {
    const schema = {
      allOf: [
        { type: "object", required: ["id"], properties: { id: { type: "string" }, n: { type: "string" } } },
        { properties: { n: { type: "integer" } } },
      ],
    };
    const flat = keeps(schema, [{ id: "x" }, {}, { id: "x", n: 1 }, { id: "x", n: "s" }]);
    expect(flat).toMatchObject({ required: ["id"], properties: { id: { type: "string" } } });
    expect(codes(schema)).toEqual(["schema/dead-property"]);
  });

  test("fuma-nama/fumadocs#3526: [string, null] and string is string", () => {
    expect(keeps({ allOf: [{ type: ["string", "null"] }, { type: "string" }] }, ["x", null])).toEqual({
      type: "string",
    });
  });

  test("guidance#1070: additionalProperties of one branch falls on the other's properties", () => {
    expect(
      keeps(
        {
          allOf: [
            { properties: { a: {} }, additionalProperties: { type: "integer" } },
            { properties: { b: { minimum: 3 } } },
          ],
        },
        [{ b: 3 }, { b: "x" }, { b: 1 }, { a: "x", c: 1 }, { c: "x" }],
      ),
    ).toEqual({
      properties: { a: {}, b: { type: "integer", minimum: 3 } },
      additionalProperties: { type: "integer" },
    });
  });

  test("SchemaStore#6372: in draft-07 the siblings of $ref are ignored", () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { $ref: "#/definitions/s", maxLength: 1, description: "ignored" } },
      definitions: { s: { type: "string" } },
    };
    // Ajv is no validate here: it heeds the siblings in draft-07 too.
    expect(flatten(schema).schema).toEqual({ properties: { a: { type: "string" } } });
  });

  test("ref-parser#380, litellm#13151: a densely cyclic schema ends", () => {
    const names = Array.from({ length: 30 }, (_, index) => `D${index}`);
    const refs = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const $defs = Object.fromEntries(names.map((name) => [name, { type: "object", properties: refs }]));
    const { diagnostics } = inBoundedTime(() => flatten({ $ref: "#/$defs/D0", $defs }));
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["schema/recursive"]));
  });

  test("open-webui#27413: siblings may repeat a reference; only an ancestor makes a cycle", () => {
    const schema = {
      properties: { a: { $ref: "#/$defs/s" }, b: { $ref: "#/$defs/s" } },
      $defs: { s: { type: "string" } },
    };
    expect(flatten(schema).schema).toEqual({ properties: { a: { type: "string" }, b: { type: "string" } } });
  });

  test("json-schema-to-typescript#193: one recursive definition used with other words keeps one name", () => {
    const { schema } = flatten({
      type: "object",
      properties: {
        left: { $ref: "#/$defs/Tree", description: "L" },
        right: { $ref: "#/$defs/Tree", description: "R" },
      },
      $defs: { Tree: { type: "object", properties: { next: { $ref: "#/$defs/Tree", description: "N" } } } },
    });
    expect(schema).toMatchObject({ properties: { left: { description: "L" }, right: { description: "R" } } });
    expect(Object.keys((typeof schema === "object" && schema.$defs) || {})).toEqual(["Tree"]);
  });

  test("fastmcp#897: unreachable definitions go, reachable ones stay", () => {
    const { schema } = flatten({
      properties: { a: { $ref: "#/$defs/A" } },
      $defs: { A: { properties: { a: { $ref: "#/$defs/A" } } }, B: { $ref: "#/$defs/B2" }, B2: { type: "string" } },
    });
    expect(Object.keys((typeof schema === "object" && schema.$defs) || {})).toEqual(["A"]);
  });
});

test("vercel/ai (peers-compiler.md §2c): boolean schemas are not {type: boolean}", () => {
  expect(keeps({ properties: { a: true, b: false } }, [{ a: 1 }, { b: true }, {}])).toEqual({
    properties: { a: true, b: false },
  });
});
