import type { JsonSchema, JsonValue, SchemaObject } from "@hasp/schema";
import fc from "fast-check";

/** A schema and a maker of values that are mostly valid by it. */
export interface Specimen {
  readonly schema: JsonSchema;
  readonly make: (next: Chance, depth: number) => JsonValue;
}

/** A number from 0 up to, not including, its argument. */
export type Chance = (below: number) => number;

/** A deterministic source of chance. */
export function chanceFrom(seed: number): Chance {
  let state = (seed | 0) + 0x6d2b79f5;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), state | 1);
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
    return ((state ^ (state >>> 14)) >>> 0) % below;
  };
}

/** One of some values. */
export function pick<Value>(next: Chance, values: readonly [Value, ...Value[]]): Value {
  return values[next(values.length)] ?? values[0];
}

const stray: readonly [JsonValue, ...JsonValue[]] = [null, true, 0, 2.5, "", "x", [], {}, ["x"], { a: 1 }];

function specimen(schema: JsonSchema, ...valid: readonly [JsonValue, ...JsonValue[]]): Specimen {
  return { schema, make: (next) => pick(next, valid) };
}

const scalars = fc.constantFrom<Specimen>(
  specimen({ type: "string" }, "", "text"),
  specimen({ type: "string", minLength: 2, maxLength: 3, description: "Short." }, "ab", "abc", "a", "abcd"),
  specimen({ type: "string", pattern: "^a" }, "a", "ab", "ba"),
  specimen({ type: "string", format: "date" }, "2030-01-31", "2030-02-30"),
  specimen({ type: "integer", minimum: 1, maximum: 3, default: 2 }, 1, 3, 0, 4),
  specimen({ type: "integer", multipleOf: 5 }, 5, 0, 3),
  specimen({ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 2.5 }, 0.5, 2, 0, 2.5),
  specimen({ type: "boolean" }, true, false),
  specimen({ enum: ["red", "green"] }, "red", "green", "blue"),
  specimen({ enum: ["all", 1, null] }, "all", 1, null, 2),
  specimen({ const: "fixed" }, "fixed"),
  specimen({ type: ["string", "null"] }, "x", null),
  specimen({ type: ["integer", "boolean"], minimum: 0 }, 1, true, -1),
  specimen({ type: "null" }, null),
  specimen({}, null, 1, "x", { a: [1] }),
  specimen(true, null, 1, ["x"]),
);

// Not `__proto__`: Ajv, the judge, overlooks a property of that name.
const names = ["a", "b", "two words", "constructor"] as const;

const definitions: { readonly [name: string]: JsonSchema } = {
  Tree: {
    type: "object",
    required: ["label"],
    properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
    additionalProperties: false,
  },
  List: { anyOf: [{ type: "integer" }, { type: "array", items: { $ref: "#/$defs/List" } }] },
  Shared: { type: "string", minLength: 1 },
};

const tree: Specimen = { schema: { $ref: "#/$defs/Tree", description: "A tree." }, make: makeTree };
const recursiveList: Specimen = { schema: { $ref: "#/$defs/List" }, make: makeList };
const shared: Specimen = {
  schema: { $ref: "#/$defs/Shared", maxLength: 3 },
  make: (next) => pick(next, ["x", "xyz", "", "long"]),
};

function makeTree(next: Chance, depth: number): JsonValue {
  const children = depth > 3 ? [] : Array.from({ length: next(3) }, () => makeTree(next, depth + 1));
  return children.length === 0 && next(2) === 0 ? { label: "leaf" } : { label: "node", children };
}

function makeList(next: Chance, depth: number): JsonValue {
  return depth > 3 || next(2) === 0 ? 1 : Array.from({ length: next(3) }, () => makeList(next, depth + 1));
}

function objectOf(
  members: readonly (readonly [string, Specimen, boolean])[],
  others: Specimen | undefined,
  isOpen: boolean,
): Specimen {
  const schema: SchemaObject = {
    type: "object",
    properties: Object.fromEntries(members.map(([name, member]) => [name, member.schema])),
    required: members.filter(([, , isRequired]) => isRequired).map(([name]) => name),
    ...(others !== undefined ? { additionalProperties: others.schema } : isOpen ? {} : { additionalProperties: false }),
  };
  const make = (next: Chance, depth: number): JsonValue => {
    const entries = members
      .filter(([, , isRequired]) => (isRequired ? next(20) > 0 : next(2) === 0))
      .map(([name, member]): [string, JsonValue] => [
        name,
        next(25) === 0 ? pick(next, stray) : member.make(next, depth + 1),
      ]);
    if (others !== undefined && next(2) === 0) entries.push(["other", others.make(next, depth + 1)]);
    else if (next(isOpen ? 3 : 20) === 0) entries.push(["other", pick(next, stray)]);
    return Object.fromEntries(entries);
  };
  return { schema, make };
}

function arrayOf({ schema, make }: Specimen): Specimen {
  return {
    schema: { type: "array", items: schema, maxItems: 3, description: "Some." },
    make: (next, depth) => Array.from({ length: depth > 4 ? 0 : next(4) }, () => make(next, depth + 1)),
  };
}

function tupleOf([first, second]: readonly [Specimen, Specimen]): Specimen {
  return {
    schema: { type: "array", prefixItems: [first.schema, second.schema], items: false, minItems: 1 },
    make: (next, depth) => [first.make(next, depth + 1), ...(next(2) === 0 ? [] : [second.make(next, depth + 1)])],
  };
}

function mapOf({ schema, make }: Specimen): Specimen {
  return {
    schema: { type: "object", additionalProperties: schema },
    make: (next, depth) =>
      Object.fromEntries(
        [...names, "k/1"].filter(() => next(4) === 0).map((name): [string, JsonValue] => [name, make(next, depth + 1)]),
      ),
  };
}

function unionOf([word, one, other]: readonly [string, Specimen, Specimen]): Specimen {
  return {
    schema: { [word]: [one.schema, other.schema] },
    make: (next, depth) => pick(next, [one, other]).make(next, depth + 1),
  };
}

/** A union of objects that a constant tells apart. */
function namedUnionOf([one, other]: readonly [Specimen, Specimen]): Specimen {
  const named = (kind: string, { schema, make }: Specimen): Specimen => {
    const object = schema as SchemaObject;
    return {
      schema: {
        ...object,
        properties: { kind: { const: kind }, ...object.properties },
        required: ["kind", ...(object.required ?? [])],
      },
      make: (next, depth) =>
        Object.fromEntries([["kind", kind], ...Object.entries(make(next, depth) ?? {})]) as JsonValue,
    };
  };
  const [first, second] = [named("one", one), named("two", other)];
  return {
    schema: { type: "object", oneOf: [first.schema, second.schema] },
    make: (next, depth) => pick(next, [first, second]).make(next, depth),
  };
}

/** Joins two fragments into their intersection, in which the second is open for the first. */
function bothOf([one, other]: readonly [Specimen, Specimen]): Specimen {
  const { additionalProperties: _closed, ...open } = other.schema as SchemaObject;
  const { additionalProperties: _alsoClosed, ...alsoOpen } = one.schema as SchemaObject;
  return {
    schema: { allOf: [alsoOpen, open], unevaluatedProperties: false },
    make: (next, depth) =>
      Object.fromEntries([
        ...Object.entries(one.make(next, depth) ?? {}),
        ...Object.entries(other.make(next, depth) ?? {}),
      ]) as JsonValue,
  };
}

const conditions: readonly [SchemaObject, ...SchemaObject[]] = [
  { dependentRequired: { a: ["b"] } },
  { not: { required: ["a", "b"] } },
  { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
  { minProperties: 1, maxProperties: 2 },
  { propertyNames: { maxLength: 9 } },
  { patternProperties: { "^a$": { type: ["string", "integer", "object"] } } },
  Object.fromEntries([
    ["if", { required: ["a"] }],
    ["else", { required: ["b"] }],
  ]),
  { dependentSchemas: { a: { properties: { b: { type: "string" } } } } },
];

function conditionedOf([{ schema, make }, condition]: readonly [Specimen, SchemaObject]): Specimen {
  return { schema: { ...(schema as SchemaObject), ...condition }, make };
}

function notOf({ schema }: Specimen): Specimen {
  return {
    schema: { type: ["string", "integer", "null"], not: schema },
    make: (next) => pick(next, ["x", "text", 1, 7, null]),
  };
}

/** Random tool inputs as authors write them: composed, referring, recursive, conditional. Not flat. */
export const toolInputs: fc.Arbitrary<Specimen> = fc
  .letrec<{ node: Specimen; object: Specimen }>((tie) => ({
    object: fc
      .record({
        members: fc.uniqueArray(fc.tuple(fc.constantFrom(...names), tie("node"), fc.boolean()), {
          selector: ([name]) => name,
          maxLength: 3,
        }),
        others: fc.option(tie("node"), { nil: undefined, freq: 6 }),
        isOpen: fc.nat({ max: 5 }).map((chance) => chance === 0),
      })
      .map(({ members, others, isOpen }) => objectOf(members, others, isOpen)),
    node: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      { arbitrary: scalars, weight: 6 },
      { arbitrary: tie("object"), weight: 4 },
      { arbitrary: tie("node").map(arrayOf), weight: 1 },
      { arbitrary: fc.tuple(tie("node"), tie("node")).map(tupleOf), weight: 1 },
      { arbitrary: tie("node").map(mapOf), weight: 1 },
      { arbitrary: fc.tuple(fc.constantFrom("anyOf", "oneOf"), tie("node"), tie("node")).map(unionOf), weight: 1 },
      { arbitrary: fc.tuple(tie("object"), tie("object")).map(namedUnionOf), weight: 1 },
      { arbitrary: fc.tuple(tie("object"), tie("object")).map(bothOf), weight: 1 },
      { arbitrary: fc.tuple(tie("object"), fc.constantFrom(...conditions)).map(conditionedOf), weight: 1 },
      { arbitrary: fc.constantFrom(tree, recursiveList, shared), weight: 2 },
      { arbitrary: scalars.map(notOf), weight: 1 },
    ),
  }))
  .object.chain((root) =>
    fc.oneof(
      { arbitrary: fc.constant(root), weight: 4 },
      { arbitrary: fc.constantFrom(...conditions).map((condition) => conditionedOf([root, condition])), weight: 2 },
      { arbitrary: fc.constant(namedUnionOf([root, root])), weight: 1 },
      {
        arbitrary: fc.constant(
          bothOf([root, objectOf([["b", specimen({ type: "string" }, "x"), false]], undefined, true)]),
        ),
        weight: 1,
      },
    ),
  )
  .map(({ schema, make }) => ({
    schema: Object.assign({ ...(schema as SchemaObject) }, { $defs: definitions }),
    make,
  }));
