import fc from "fast-check";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import type { JsonValue } from "@hasp/base/json";

/** Creates a small deterministic random source: a seed gives the same numbers everywhere. */
export function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return (state >>> 3) % below;
  };
}

// No `__proto__` or inherited names as undeclared keys: Ajv, the oracle, errs there. They have their own tests.
const names = ["a", "b", "kind", "two words", "constructor", "x/y~z", "value", "0start"];

const scalarSchema: fc.Arbitrary<SchemaObject> = fc.oneof(
  fc.constant({ type: "string" } as const),
  fc.record({
    type: fc.constant("string" as const),
    minLength: fc.integer({ min: 0, max: 2 }),
    maxLength: fc.integer({ min: 2, max: 4 }),
  }),
  fc.constant({ type: "string", pattern: "^a" } as const),
  fc.constant({ type: "string", pattern: "^(?!b)" } as const),
  fc.constant({ type: "string", format: "date" } as const),
  fc.constant({ type: "string", format: "uri" } as const),
  fc.record({
    type: fc.constant("integer" as const),
    minimum: fc.integer({ min: -3, max: 0 }),
    exclusiveMaximum: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ type: fc.constant("number" as const), exclusiveMinimum: fc.constantFrom(-1, 0.5, 0) }),
  fc.constant({ type: "number", multipleOf: 2, maximum: 10 } as const),
  fc.constant({ type: "boolean", default: true } as const),
  fc.constant({ type: "null" } as const),
  fc.constant({ enum: ["x", "y", ""] } as const),
  fc.constant({ type: "integer", enum: [1, 2, 3] } as const),
  fc.constant({ enum: ["x", 1, null, true, { a: 1 }, [1]] } as const),
  fc.constant({ const: "fixed" } as const),
  fc.constant({ const: 7 } as const),
  fc.constant({ type: ["string", "null"], description: "Maybe a text." } as const),
  fc.constant({ type: ["integer", "string", "boolean"], minimum: 2 } as const),
  fc.constant({} as const),
  fc.constant({ description: "Whatever.", examples: [{ a: 1 }] } as const),
);

const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  { weight: 12, arbitrary: scalarSchema },
  { weight: 1, arbitrary: fc.constant(true) },
);

/** Flat schemas of every kind of shape, including what strict modes refuse. */
export const flatSchema: fc.Arbitrary<SchemaObject> = fc
  .letrec<{ node: JsonSchema; object: SchemaObject }>((tie) => ({
    object: objectSchema(tie("node")),
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: "schema" },
      { weight: 5, arbitrary: leaf },
      { weight: 4, arbitrary: tie("object") },
      { weight: 2, arbitrary: arraySchema(tie("node")) },
      { weight: 2, arbitrary: unionSchema(tie("node")) },
      { weight: 1, arbitrary: fc.constant({ $ref: "#/$defs/Tree" } as const) },
      { weight: 1, arbitrary: fc.constant({ $ref: "#/$defs/Text", description: "By name." } as const) },
    ),
  }))
  .object.chain((root) =>
    fc
      .oneof(
        { weight: 6, arbitrary: fc.constant(root) },
        { weight: 2, arbitrary: rootUnion },
        { weight: 1, arbitrary: closedUnion },
        { weight: 1, arbitrary: fc.constant({ anyOf: [root, { type: "string" }] } as SchemaObject) },
      )
      .map((schema): SchemaObject => ({ ...schema, $defs: definitions })),
  );

const definitions = {
  Tree: {
    type: "object",
    properties: {
      label: { type: "string" },
      size: { type: "integer" },
      children: { type: "array", items: { $ref: "#/$defs/Tree" } },
    },
    required: ["label"],
    additionalProperties: false,
  },
  Text: { anyOf: [{ type: "string" }, { type: "null" }, { type: "array", items: { $ref: "#/$defs/Text" } }] },
} as const;

function objectSchema(node: fc.Arbitrary<JsonSchema>): fc.Arbitrary<SchemaObject> {
  return fc
    .record({
      properties: fc.uniqueArray(fc.tuple(fc.constantFrom(...names), node), {
        selector: ([name]) => name,
        maxLength: 4,
      }),
      required: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
      further: fc.oneof(
        { weight: 6, arbitrary: fc.constant<JsonSchema | undefined>(false) },
        { weight: 1, arbitrary: fc.constant<JsonSchema | undefined>(undefined) },
        { weight: 2, arbitrary: node },
      ),
      pattern: fc.option(node, { nil: undefined, freq: 12 }),
      extra: fc.oneof(
        { weight: 12, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.constant({ minProperties: 1 }) },
        { weight: 1, arbitrary: fc.constant({ propertyNames: { maxLength: 3 } }) },
        { weight: 1, arbitrary: fc.constant({ dependentRequired: { a: ["b"] } }) },
        { weight: 1, arbitrary: fc.constant({ not: { required: ["a", "b"] } }) },
        { weight: 1, arbitrary: fc.constant({ if: { required: ["a"] }, then: { required: ["b"] } }) },
        { weight: 1, arbitrary: fc.constant({ anyOf: [{ required: ["a"] }, { required: ["b"] }] }) },
      ),
    })
    .map(({ properties, required, further, pattern, extra }): SchemaObject => ({
      type: "object",
      properties: Object.fromEntries(properties),
      required: [...new Set(required.map((index) => properties[index]?.[0]).filter((name) => name !== undefined))],
      ...(further === undefined ? {} : { additionalProperties: further }),
      ...(pattern === undefined ? {} : { patternProperties: { "^p": pattern } }),
      ...extra,
    }));
}

function arraySchema(node: fc.Arbitrary<JsonSchema>): fc.Arbitrary<SchemaObject> {
  return fc.oneof(
    { weight: 4, arbitrary: node.map((items): SchemaObject => ({ type: "array", items })) },
    {
      weight: 1,
      arbitrary: node.map((items): SchemaObject => ({
        type: "array",
        items,
        minItems: 2,
        maxItems: 3,
        uniqueItems: true,
      })),
    },
    { weight: 1, arbitrary: fc.constant<SchemaObject>({ type: "array" }) },
    {
      weight: 1,
      arbitrary: node.map((contains): SchemaObject => ({ type: "array", items: { type: "string" }, contains })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(node, node, fc.boolean(), fc.nat({ max: 2 }))
        .map(([first, second, isClosed, minItems]): SchemaObject => ({
          type: "array",
          prefixItems: [first, second],
          ...(isClosed ? { items: false } : { items: { type: "string" } }),
          minItems,
        })),
    },
  );
}

function unionSchema(node: fc.Arbitrary<JsonSchema>): fc.Arbitrary<SchemaObject> {
  return fc
    .tuple(
      fc.constantFrom("anyOf" as const, "oneOf" as const),
      fc.array(node, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
    )
    .map(([union, branches, isDescribed]): SchemaObject => ({
      ...(isDescribed ? { description: "A choice." } : {}),
      [union]: branches,
    }));
}

/** Unions of objects at the root, with and without a discriminant. */
const rootUnion: fc.Arbitrary<SchemaObject> = fc
  .tuple(
    fc.constantFrom("anyOf" as const, "oneOf" as const),
    fc.uniqueArray(fc.constantFrom("x", "y", "z"), { minLength: 2 }),
    fc.boolean(),
    leaf,
  )
  .map(([union, kinds, isClosed, inner]): SchemaObject => ({
    [union]: kinds.map((kind) => ({
      type: "object",
      properties: { kind: { const: kind }, [`of ${kind}`]: inner, both: { type: kind === "x" ? "string" : "integer" } },
      required: ["kind"],
      ...(isClosed ? { additionalProperties: false } : {}),
    })),
  }));

/** A union with the keywords that closing leaves around it. */
const closedUnion: fc.Arbitrary<SchemaObject> = fc
  .tuple(fc.constantFrom("anyOf" as const, "oneOf" as const), leaf, leaf)
  .map(([union, one, two]): SchemaObject => ({
    type: "object",
    properties: { a: { type: "string" } },
    [union]: [
      { properties: { b: one, c: { type: "integer" } }, required: ["b"] },
      { properties: { c: two }, required: ["c"] },
    ],
    unevaluatedProperties: false,
  }));

/** Generates a value that is likely, not certain, to be valid. */
export function likelyValue(
  schema: JsonSchema,
  defs: SchemaObject["$defs"],
  next: (below: number) => number,
  depth = 0,
): JsonValue {
  if (typeof schema === "boolean" || Object.keys(schema).length === 0 || next(40) === 0) return anyValue(next, depth);
  if (schema.$ref !== undefined) {
    const target = defs?.[schema.$ref.replace("#/$defs/", "")];
    return depth > 6 || target === undefined ? null : likelyValue(target, defs, next, depth + 1);
  }
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined && union.length > 0) {
    const { anyOf: _anyOf, oneOf: _oneOf, ...base } = schema;
    const branch = union[next(union.length)] ?? true;
    const chosen = likelyValue(branch, defs, next, depth + 1);
    if (base.properties === undefined || typeof chosen !== "object" || chosen === null || Array.isArray(chosen)) {
      return chosen;
    }
    const around = likelyValue(base, defs, next, depth + 1);
    return Object.fromEntries([...Object.entries(around ?? {}), ...Object.entries(chosen)]) as JsonValue;
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[next(schema.enum.length)] ?? null;
  if (schema["nullable"] === true && next(3) === 0) return null;
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["object"]);
  switch (types[next(types.length)]) {
    case "null":
      return null;
    case "boolean":
      return next(2) === 0;
    case "integer":
      return next(12) - 3;
    case "number":
      return (next(30) - 6) / 2;
    case "string":
      return ["", "a", "ab", "abc", "b", "2020-01-01", "http://a.b", "{}", "1", "null", '"a"'][next(11)] ?? "";
    case "array":
      return likelyArray(schema, defs, next, depth);
    default:
      return likelyObject(schema, defs, next, depth);
  }
}

function likelyArray(
  schema: SchemaObject,
  defs: SchemaObject["$defs"],
  next: (below: number) => number,
  depth: number,
): JsonValue {
  const prefix = schema.prefixItems ?? [];
  const length = depth > 6 ? 0 : next(4);
  return Array.from({ length: Math.max(length, schema.minItems ?? 0) }, (_, index) =>
    likelyValue(prefix[index] ?? (schema.items as JsonSchema | undefined) ?? true, defs, next, depth + 1),
  );
}

function likelyObject(
  schema: SchemaObject,
  defs: SchemaObject["$defs"],
  next: (below: number) => number,
  depth: number,
): JsonValue {
  const entries: [string, JsonValue][] = [];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name) === true || (depth < 7 && next(2) === 0)) {
      entries.push([name, likelyValue(inner, defs, next, depth + 1)]);
    }
  }
  if (schema.additionalProperties !== false && depth < 7 && next(2) === 0) {
    entries.push([
      ["q", "two_words", "other", "p1", "key"][next(5)] ?? "q",
      likelyValue(schema.additionalProperties ?? true, defs, next, depth + 1),
    ]);
  }
  if (schema.patternProperties !== undefined && next(2) === 0) {
    entries.push(["p2", likelyValue(Object.values(schema.patternProperties)[0] ?? true, defs, next, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

function anyValue(next: (below: number) => number, depth: number): JsonValue {
  const scalars: readonly JsonValue[] = [null, true, 0, 1.5, "", "text", '{"a":1}', [], {}];
  if (depth > 3 || next(3) > 0) return scalars[next(scalars.length)] ?? null;
  return next(2) === 0 ? [anyValue(next, depth + 1)] : { a: anyValue(next, depth + 1), kind: "x" };
}
