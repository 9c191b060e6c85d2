import { describe, expect, test } from "vitest";
import { inBoundedTime } from "../in-bounded-time.testing.js";
import { flatten } from "../flatten/flatten.js";
import { hasShared, listShared, readShared } from "../flatten/judge.testing.js";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import { createValidator } from "../validate/index.js";
import { closeSchema } from "./close-schema.js";

function closed(schema: JsonSchema): JsonSchema {
  const { schema: result, diagnostics } = closeSchema(schema);
  expect(diagnostics).toEqual([]);
  return result;
}

function codes(schema: JsonSchema): string[] {
  return closeSchema(schema).diagnostics.map(({ code, severity, origin }) => `${code} ${severity} ${origin.pointer}`);
}

const a = { type: "object", properties: { a: {} } } as const;
const closedA = { ...a, additionalProperties: false } as const;

describe("what is closed", () => {
  test.each<[string, JsonSchema, JsonSchema]>([
    ["an object with properties", a, closedA],
    ["an object without a type", { properties: { a: {} } }, { properties: { a: {} }, additionalProperties: false }],
    [
      "an object that declares no property",
      { type: "object", properties: {} },
      { type: "object", properties: {}, additionalProperties: false },
    ],
    [
      "objects in properties, items and maps",
      {
        properties: {
          x: { type: "array", items: a },
          y: { type: "object", additionalProperties: a },
          z: { prefixItems: [a] },
        },
      },
      {
        properties: {
          x: { type: "array", items: closedA },
          y: { type: "object", additionalProperties: closedA },
          z: { prefixItems: [closedA] },
        },
        additionalProperties: false,
      },
    ],
    [
      "a union is surrounded, its branches are left open",
      { type: "object", oneOf: [{ properties: { a: {} }, required: ["a"] }, { properties: { b: {} } }] },
      {
        type: "object",
        oneOf: [{ properties: { a: {} }, required: ["a"] }, { properties: { b: {} } }],
        unevaluatedProperties: false,
      },
    ],
    ["a nullable object is closed itself", { anyOf: [a, { type: "null" }] }, { anyOf: [closedA, { type: "null" }] }],
    [
      "branches that declare nothing new",
      {
        type: "object",
        properties: { a: {}, b: {} },
        anyOf: [{ required: ["a"] }, { properties: { b: { const: 1 } } }],
      },
      {
        type: "object",
        properties: { a: {}, b: {} },
        anyOf: [{ required: ["a"] }, { properties: { b: { const: 1 } } }],
        additionalProperties: false,
      },
    ],
    [
      "a residual allOf",
      { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }], unevaluatedProperties: false },
    ],
    [
      "conditional declarations",
      { properties: { k: {} }, if: { properties: { k: { const: 1 } } }, then: { properties: { b: {} } } },
      {
        properties: { k: {} },
        if: { properties: { k: { const: 1 } } },
        then: { properties: { b: {} } },
        unevaluatedProperties: false,
      },
    ],
  ])("closeSchema closes %s", (_, schema, expected) => {
    expect(closed(schema)).toEqual(expected);
  });
});

describe("what is left as it is", () => {
  test.each<[string, JsonSchema]>([
    ["an object that is closed", closedA],
    ["an object that is open", { ...a, additionalProperties: true }],
    ["a typed map", { type: "object", additionalProperties: { type: "string" } }],
    [
      "a composed object that says so itself",
      { ...a, anyOf: [{ properties: { b: {} } }, {}], unevaluatedProperties: { type: "string" } },
    ],
    [
      "branches that have all decided",
      { oneOf: [closedA, { type: "object", properties: { b: {} }, required: ["b"], additionalProperties: false }] },
    ],
    [
      "not, if and contains",
      { ...closedA, not: a, if: a, then: { required: ["a"] }, properties: { a: { type: "array", contains: a } } },
    ],
    ["data", { enum: [{ properties: { a: {} } }], default: { properties: {} } }],
    ["values that are no objects", { type: "string", properties: { a: {} } }],
  ])("closeSchema leaves %s unchanged", (_, schema) => {
    expect(closed(schema)).toEqual(schema);
  });
});

describe("recursion", () => {
  test("a definition that judges whole places is closed", () => {
    const tree = {
      type: "object",
      properties: { children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
    } as const;
    expect(closed({ ...tree, $defs: { Tree: tree } })).toEqual({
      ...tree,
      additionalProperties: false,
      $defs: { Tree: { ...tree, additionalProperties: false } },
    });
  });

  test("a definition that is one branch among others gets an open twin", () => {
    const tree = { type: "object", properties: { next: { $ref: "#/$defs/Tree" } } } as const;
    const schema: JsonSchema = {
      anyOf: [{ $ref: "#/$defs/Tree" }, { type: "object", properties: { leaf: {} } }],
      $defs: { Tree: tree },
    };
    expect(closed(schema)).toEqual({
      anyOf: [{ $ref: "#/$defs/TreeOpen" }, { type: "object", properties: { leaf: {} } }],
      unevaluatedProperties: false,
      $defs: { TreeOpen: tree, Tree: { ...tree, additionalProperties: false } },
    });
  });

  test("closeSchema leaves a definition inside `not` unchanged", () => {
    const tree = { type: "object", properties: { next: { $ref: "#/$defs/Tree" } }, required: ["next"] } as const;
    const result = closed({
      ...a,
      not: { $ref: "#/$defs/Tree" },
      properties: { a: { $ref: "#/$defs/Tree" } },
      $defs: { Tree: tree },
    });
    const accepts = createValidator(result);
    expect(accepts({ next: { next: {} }, other: 1 }).valid).toBe(false);
    expect(result).toMatchObject({
      not: { $ref: "#/$defs/TreeUnclosed" },
      $defs: { TreeUnclosed: { ...tree, properties: { next: { $ref: "#/$defs/TreeUnclosed" } } } },
    });
  });
});

describe("what cannot be closed without a decision", () => {
  test("closeSchema asks about a bare object", () => {
    expect(codes({ type: "object" })).toEqual(["schema/bare-object error "]);
    expect(codes({ properties: { x: { type: ["object", "null"], required: ["a"] } } })).toEqual([
      "schema/bare-object error /properties/x",
    ]);
    expect(codes({ anyOf: [{ type: "object" }, { type: "null" }] })).toEqual(["schema/bare-object error /anyOf/0"]);
    expect(closeSchema({ type: "object" }).diagnostics[0]?.message).toMatch(
      /"properties".*"additionalProperties".*true/,
    );
  });

  test("an object that mentions keys is not bare", () => {
    for (const schema of [
      { additionalProperties: true },
      { additionalProperties: {} },
      { patternProperties: { a: {} } },
      { properties: {} },
      { propertyNames: { maxLength: 1 } },
      { anyOf: [{ properties: { a: {} } }, { required: ["b"] }] },
      { maxProperties: 0 },
    ]) {
      expect(codes({ type: "object", ...schema })).toEqual([]);
    }
  });

  test("closeSchema refuses objects inside a oneOf whose branches may both match", () => {
    const branch = (name: string): JsonSchema => ({
      type: "object",
      properties: { x: { type: "object", properties: { [name]: {} } } },
    });
    expect(codes({ oneOf: [branch("p"), branch("q")] })).toEqual(["schema/ambiguous-union error /oneOf"]);
    const told = (name: string): JsonSchema => ({
      type: "object",
      properties: { kind: { const: name }, x: { type: "object", properties: { [name]: {} } } },
      required: ["kind"],
    });
    expect(codes({ oneOf: [told("p"), told("q")] })).toEqual([]);
  });

  test("closeSchema refuses two schemas that describe the same inner object", () => {
    const inner = (name: string): JsonSchema => ({ properties: { x: { type: "object", properties: { [name]: {} } } } });
    expect(codes({ type: "object", ...(inner("p") as object), anyOf: [inner("q"), { required: ["y"] }] })).toEqual([
      "schema/contested-place error ",
    ]);
    expect(codes({ type: "object", anyOf: [inner("p"), inner("q")] })).toEqual(["schema/contested-place warning "]);
  });

  test("closeSchema refuses a reference that it cannot resolve", () => {
    expect(codes({ properties: { a: { $ref: "other.json" } } })).toEqual(["schema/not-flat error /properties/a"]);
  });
});

test("a schema that is too deep, or contains itself, is refused at once", () => {
  let deep: JsonSchema = { type: "object", properties: {} };
  for (let level = 0; level < 10_000; level++) deep = { type: "object", properties: { a: deep } };
  expect(codes(deep)).toEqual(["schema/too-deep error "]);
  const loop: Record<string, unknown> = { type: "object" };
  loop["properties"] = { self: loop, again: loop };
  expect(codes(loop)).toEqual(["schema/too-deep error "]);
});

test("origins are handed on, also to what is only copied", () => {
  const { schema: flat, originsOf } = flatten(
    { type: "object", properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { type: "object" } } },
    { baseUri: "x.yaml", pointer: "/input" },
  );
  const result = closeSchema(flat, { originsOf });
  expect(result.diagnostics).toMatchObject([
    { code: "schema/bare-object", origin: { uri: "x.yaml", pointer: "/input/properties/a" } },
  ]);
  const node = typeof result.schema === "object" ? result.schema.properties?.["a"] : undefined;
  expect(result.originsOf(node as object)).toEqual([
    { uri: "x.yaml", pointer: "/input/properties/a" },
    { uri: "x.yaml", pointer: "/input/$defs/A" },
  ]);
});

test("rjsf#5173: conditional properties are not stripped when the outer object is closed", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { kind: { enum: ["a", "b"] } },
    required: ["kind"],
    if: { properties: { kind: { const: "a" } } },
    then: { properties: { extra: { type: "string" } } },
  };
  const accepts = createValidator(closed(schema));
  expect(
    [
      { kind: "a", extra: "x" },
      { kind: "b", extra: "x" },
      { kind: "a", other: 1 },
    ].map((value) => accepts(value).valid),
  ).toEqual([true, false, false]);
});

test.skipIf(!hasShared("corpus/tools"))("the corpus: real tools close, or are asked about", () => {
  const counts: Record<string, number> = { tools: 0, clean: 0 };
  for (const file of listShared("corpus/tools")) {
    for (const tool of (
      readShared(`corpus/tools/${file}`) as { readonly tools: readonly { readonly inputSchema: unknown }[] }
    ).tools) {
      const { schema, originsOf } = flatten(tool.inputSchema);
      const { diagnostics } = inBoundedTime(() => closeSchema(schema, { originsOf }));
      counts["tools"] = (counts["tools"] ?? 0) + 1;
      if (diagnostics.length === 0) counts["clean"] = (counts["clean"] ?? 0) + 1;
      for (const code of new Set(diagnostics.map((diagnostic) => diagnostic.code))) {
        counts[code] = (counts[code] ?? 0) + 1;
      }
    }
  }
  process.stdout.write(`closing the corpus: ${JSON.stringify(counts)}\n`);
  expect(counts["clean"]).toBeGreaterThan(500);
});
