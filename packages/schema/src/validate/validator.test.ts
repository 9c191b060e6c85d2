import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inBoundedTime } from "../in-bounded-time.testing.js";
import type { JsonObject } from "@hasp/base/json";
import { schemas, values } from "./arbitraries.testing.js";
import { createMatcher, createValidator, type ValidatorOptions } from "./index.js";

const check = (schema: unknown, value: unknown, options: ValidatorOptions = {}) =>
  createValidator(schema, options)(value);
const verdict = (schema: unknown, value: unknown): boolean => check(schema, value).valid;
const messages = (schema: unknown, value: unknown, options: ValidatorOptions = {}): readonly string[] =>
  check(schema, value, options).errors.map((error) => error.message);

const coerced = (schema: unknown, value: unknown): unknown => check(schema, value, { coerce: true }).value;
const filled = (schema: unknown, value: unknown): unknown => check(schema, value, { defaults: true }).value;

const old = (schema: object): object => ({ $schema: "http://json-schema.org/draft-07/schema#", ...schema });
const object = (n: string, m: string) => ({ type: "object", properties: { n: { type: n }, m: { type: m } } });
const branch = (kind: unknown, value: number) => ({ properties: { kind, a: { default: value } } });
const conditional = (condition: unknown, consequence: unknown): object =>
  Object.fromEntries(new Map([["if", condition]]).set("then", consequence));

/** A value nested `depth` times by `wrap`. */
function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = null;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

describe("errors", () => {
  const search = {
    type: "object",
    required: ["query"],
    additionalProperties: false,
    properties: {
      query: { type: "string", minLength: 1 },
      limit: { type: "integer", minimum: 1, maximum: 100 },
      maxRows: { type: "integer" },
      tags: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 2 },
      mode: { enum: ["read", "write"] },
      at: { type: "string", format: "date-time" },
      "a/b~c": { type: "boolean" },
    },
  };

  test("an error has place, keyword, expectation and value, as data and as one sentence", () => {
    expect(check(search, { query: "x", limit: 500 }).errors).toEqual([
      {
        pointer: "/limit",
        keyword: "maximum",
        expected: "at most 100",
        received: "500",
        message: "`/limit` must be at most 100; you sent 500.",
        schemaPointer: "/properties/limit/maximum",
      },
    ]);
  });

  test.each([
    [{}, "`/query` is missing; it is required."],
    [{ query: "" }, '`/query` must be at least 1 character long; you sent "".'],
    [{ query: 5 }, "`/query` must be a string; you sent 5."],
    [{ query: "x", limit: 1.5 }, "`/limit` must be an integer; you sent 1.5."],
    [{ query: "x", max_rows: 5 }, '`/max_rows` is not allowed; did you mean "maxRows"?'],
    [
      { query: "x", qwrty: 5 },
      '`/qwrty` is not allowed; allowed here: "query", "limit", "maxRows", "tags", "mode", "at" or "a/b~c".',
    ],
    [
      { query: "x", tags: ["a", "b", "c"] },
      "`/tags` must be an array of at most 2 items; you sent an array of 3 items.",
    ],
    [{ query: "x", tags: ["a", 1] }, "`/tags/1` must be a string; you sent 1."],
    [{ query: "x", tags: ["a", "a"] }, "`/tags` must be an array of different items; you sent item 1 twice."],
    [{ query: "x", mode: "raed" }, '`/mode` must be "read" or "write"; you sent "raed".'],
    [{ query: "x", at: "today" }, '`/at` must be a valid date-time such as 2030-01-31T12:00:00Z; you sent "today".'],
    [{ query: "x", "a/b~c": null }, "`/a~1b~0c` must be a boolean; you sent null."],
    [[], "The value must be an object; you sent an array of 0 items."],
  ])("an error is one sentence with place and value: %j", (value, message) => {
    expect(messages(search, value)).toEqual([message]);
  });

  test("a name that another branch of a union declares is not listed as allowed", () => {
    const branch = (kind: string, own: string): JsonObject => ({ properties: { kind: { const: kind }, [own]: {} } });
    const union = { oneOf: [branch("cat", "lives"), branch("dog", "friends")], unevaluatedProperties: false };
    expect(messages(union, { kind: "dog", lives: 9 })).toEqual([
      '`/lives` is not allowed; allowed here: "kind" or "friends".',
    ]);
  });

  test("the validator collects all errors up to the limit", () => {
    expect(messages(search, { limit: 0, mode: 1, other: 1 })).toHaveLength(4);
    expect(messages(search, { limit: 0, mode: 1, other: 1 }, { maxErrors: 2 })).toHaveLength(2);
    const items = { type: "array", items: { type: "integer" } };
    expect(messages(items, Array.from({ length: 1000 }, String))).toHaveLength(20);
  });

  test("long values and long places are cut", () => {
    const [long] = check({ type: "integer" }, "x".repeat(100_000)).errors;
    expect(long?.received).toHaveLength(82 + "… (100000 characters)".length);
    const [deep] = check({ additionalProperties: false }, { ["k".repeat(100_000)]: 1 }).errors;
    expect(deep?.message.length).toBeLessThan(400);
    expect(deep?.pointer).toHaveLength(100_001);
  });

  test("the keyword's place is its own, through references too", () => {
    const tree = {
      $ref: "#/$defs/node",
      $defs: { node: { properties: { "a/b": { $ref: "#/$defs/node" }, n: { minimum: 3 } } } },
    };
    const [error] = check(tree, { "a/b": { "a/b": { n: 1 } } }).errors;
    expect(error).toMatchObject({ pointer: "/a~1b/a~1b/n", schemaPointer: "/$defs/node/properties/n/minimum" });
  });
});

describe("a union is reported by the branch that was meant", () => {
  const shape = {
    oneOf: [
      {
        type: "object",
        properties: { kind: { const: "circle" }, radius: { type: "number" } },
        required: ["kind", "radius"],
      },
      {
        type: "object",
        properties: { kind: { const: "box" }, width: { type: "number" }, height: { type: "number" } },
        required: ["kind", "width", "height"],
      },
    ],
  };
  test("a union error names the branch by its constant, even with more faults in it", () => {
    expect(messages(shape, { kind: "box", width: "1" })).toEqual([
      '`/width` must be a number; you sent "1".',
      "`/height` is missing; it is required.",
    ]);
  });
  test("a union error names all constants if none fits", () => {
    expect(messages(shape, { kind: "cirle", radius: 1 })).toEqual([
      '`/kind` must be "circle" or "box"; you sent "cirle".',
    ]);
  });
  test("a union error names all types if none fits", () => {
    expect(messages({ anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] }, true)).toEqual([
      "The value must be a string, an integer or null; you sent true.",
    ]);
  });
  test("a union error reports the branch of the right type", () => {
    expect(messages({ anyOf: [{ type: "null" }, { type: "string", minLength: 3 }] }, "a")).toEqual([
      'The value must be at least 3 characters long; you sent "a".',
    ]);
  });
  test("a union error names the alternatives that both match", () => {
    expect(messages({ oneOf: [{ type: "number" }, { type: "string" }, { type: "integer" }] }, 3)).toEqual([
      "The value must be what exactly one of 3 alternatives allows; you sent what both 1 and 3 allow.",
    ]);
  });
  test("an unknown key beside a closed union names the nearest of all branches' keys", () => {
    const [message] = messages(
      { ...shape, unevaluatedProperties: false },
      { kind: "box", width: 1, height: 1, radus: 1 },
    );
    expect(message).toBe('`/radus` is not allowed; did you mean "radius"?');
  });
});

describe("lossless coercion", () => {
  test.each([
    ["integer", "5", 5],
    ["integer", "-5", -5],
    ["integer", "0", 0],
    ["integer", "9007199254740991", 9007199254740991],
    ["number", "0.1", 0.1],
    ["number", "1e-7", 1e-7],
    ["boolean", "true", true],
    ["boolean", "false", false],
    ["array", "[1, 2]", [1, 2]],
    ["object", ' {"a": "b:c"} ', { a: "b:c" }],
  ])("%s reads %j", (type, text, value) => {
    expect(coerced({ type }, text)).toEqual(value);
  });

  test.each([
    ["integer", ""],
    ["integer", " "],
    ["integer", " 5"],
    ["integer", "0x10"],
    ["number", "NaN"],
    ["number", "Infinity"],
    ["number", "-0"],
    ["number", "1.0"],
    ["number", "1e3"],
    ["number", "+1"],
    ["integer", "1.5"],
    ["integer", "007"],
    ["integer", "9007199254740993"],
    ["integer", "9007199254740992"],
    ["integer", "true"],
    ["boolean", "1"],
    ["boolean", "True"],
    ["null", "null"],
    ["null", ""],
    ["array", "1"],
    ["array", "{}"],
    ["array", "[1"],
    ["object", '{"a":1,"a":2}'],
    ["object", '{"a":12345678901234567890}'],
    ["array", "[0.12345678901234567890]"],
    ["array", "[1e400]"],
    ["array", "[1e-400]"],
    ["string", 5],
    ["string", true],
    ["integer", true],
    ["boolean", 1],
    ["array", 5],
  ])("%s leaves %j as it is", (type, value) => {
    const result = check({ type }, value, { coerce: true });
    expect(result.value).toBe(value);
    expect(result.valid).toBe(false);
  });

  test("texts inside a stringified object are read in turn", () => {
    const schema = { type: "object", properties: { n: { type: "integer" }, s: { type: "string" } } };
    expect(coerced(schema, '{"n":"5","s":"5"}')).toEqual({ n: 5, s: "5" });
  });

  test("coercion leaves a value that any branch accepts", () => {
    expect(coerced({ type: ["integer", "string"] }, "5")).toBe("5");
    expect(coerced({ type: ["integer", "string"], maxLength: 0 }, "5")).toBe("5");
    expect(coerced({ anyOf: [{ type: "integer" }, { type: "string" }] }, "5")).toBe("5");
    expect(coerced({}, "5")).toBe("5");
    expect(coerced({ enum: ["5", 5] }, "5")).toBe("5");
    const overlapping = {
      anyOf: [{ properties: { n: { type: "integer" } } }, { properties: { n: { type: "string" } } }],
    };
    expect(coerced(overlapping, { n: "5" })).toEqual({ n: "5" });
  });

  test("coercion works beside a fixed list of texts", () => {
    const limit = { anyOf: [{ const: "auto" }, { type: "integer" }] };
    expect(coerced(limit, "5")).toBe(5);
    expect(coerced(limit, "auto")).toBe("auto");
    expect(coerced({ enum: [1, 2, "all"] }, "2")).toBe(2);
  });

  test("coercion works in a union, by the constant that names the branch, or by the only reading that is valid", () => {
    const named = {
      oneOf: [
        { properties: { kind: { const: "a" }, n: { type: "integer" }, m: { maximum: 3 } } },
        { properties: { kind: { const: "b" }, n: { type: "boolean" } } },
      ],
    };
    expect(coerced(named, { kind: "a", n: "5" })).toEqual({ kind: "a", n: 5 });
    expect(coerced(named, { kind: "b", n: "true" })).toEqual({ kind: "b", n: true });
    expect(messages(named, { kind: "a", n: "5", m: 4 }, { coerce: true })).toEqual([
      "`/m` must be at most 3; you sent 4.",
    ]);
    expect(coerced({ anyOf: [object("integer", "string"), { type: "null" }] }, { n: "5" })).toEqual({ n: 5 });
    const twoReadings = { anyOf: [object("integer", "string"), object("string", "integer")] };
    expect(coerced(twoReadings, { n: "5", m: "5" })).toEqual({ n: "5", m: "5" });
  });

  test("coercion works through maps, patterns, tuples, references and allOf", () => {
    const schema = {
      $defs: { n: { type: "integer" } },
      properties: { tuple: { prefixItems: [{ $ref: "#/$defs/n" }], items: { allOf: [{ type: "boolean" }] } } },
      patternProperties: { "^n": { type: "integer" } },
      additionalProperties: { type: "boolean" },
    };
    const value = { tuple: ["1", "true", "x"], n1: "2", other: "true" };
    expect(coerced(schema, value)).toEqual({ tuple: [1, true, "x"], n1: 2, other: true });
    expect(value).toEqual({ tuple: ["1", "true", "x"], n1: "2", other: "true" });
  });

  const optional = object("integer", "string");
  const byKind = {
    oneOf: [1, 2].map((kind) => ({ properties: { kind: { const: kind }, n: { type: "integer", minimum: kind } } })),
  };
  test.each([
    ["at the top", optional, { n: null, m: "a" }, { m: "a" }],
    ["beside text to read", optional, { n: "5", m: null }, { n: 5 }],
    ["in properties", { properties: { in: optional } }, { in: { n: null } }, { in: {} }],
    ["in items", { items: optional }, [{ n: null }, { n: 1 }], [{}, { n: 1 }]],
    ["in maps", { additionalProperties: optional }, { a: { n: null } }, { a: {} }],
    ["in a stringified object", optional, '{"n":null}', {}],
    ["behind references", { $ref: "#/$defs/o", $defs: { o: optional } }, { n: null }, {}],
    ["in allOf", { allOf: [{ properties: { n: {} } }, optional] }, { n: null }, {}],
    ["in the branch that a constant names", byKind, { kind: 2, n: null }, { kind: 2 }],
  ])("null at an optional property that refuses it counts as absent %s", (_, schema, given, expected) => {
    expect(coerced(schema, given)).toEqual(expected);
  });

  test.each([
    ["required", { ...optional, required: ["n"] }, { n: null }],
    ["required by another schema of allOf", { allOf: [optional, { required: ["n"] }] }, { n: null }],
    ["of a type that has null", { properties: { n: { type: ["integer", "null"] } } }, { n: null }],
    ["undeclared", { additionalProperties: false }, { n: null }],
    ["a member of a map", { additionalProperties: { type: "string" } }, { n: null }],
    ["an item", { items: { type: "string" } }, [null]],
  ])("null stays where a property is %s", (_, schema, given) => {
    expect(coerced(schema, given)).toEqual(given);
  });

  test("empty text counts as absent only if it is asked for, and where the schema refuses it", () => {
    const schema = { properties: { n: { type: "integer" }, date: { format: "date" }, note: { type: "string" } } };
    const given = { n: "", date: "", note: "" };
    expect(coerced(schema, given)).toEqual(given);
    expect(check(schema, given, { coerce: { emptyText: "absent" } }).value).toEqual({ note: "" });
  });

  test("a blank that counts as absent gets the default", () => {
    const schema = { properties: { n: { type: "integer", default: 5 } } };
    expect(check(schema, { n: null }, { coerce: true, defaults: true }).value).toEqual({ n: 5 });
  });

  test("an input with blanks is accepted exactly if it would be without those that its schema refuses", () => {
    const plain = { references: false, unevaluated: false };
    const names = fc.constantFrom("a", "b", "ab");
    const coerce = { emptyText: "absent" } as const;
    const places: readonly ((part: unknown, isSchema: boolean) => unknown)[] = [
      (part) => part,
      (part, isSchema) => (isSchema ? { items: part } : [part]),
      (part, isSchema) => (isSchema ? { properties: { in: { additionalProperties: part } } } : { in: { any: part } }),
    ];
    let repaired = 0;
    const inputs = fc.dictionary(names, fc.oneof(fc.constantFrom(null, ""), values), { noNullPrototype: true });
    const property = fc.property(
      schemas(plain),
      fc.dictionary(names, schemas(plain), { noNullPrototype: true }),
      fc.uniqueArray(names, { maxLength: 1 }),
      inputs,
      fc.constantFrom(...places),
      (beside, properties, required, input, place) => {
        const schema = { allOf: [beside], properties, required };
        const isRefused = ([name, value]: readonly [string, unknown]): boolean =>
          (value === null || value === "") &&
          Object.hasOwn(properties, name) &&
          !(required as readonly string[]).includes(name) &&
          !verdict(properties[name], value);
        const rest = Object.fromEntries(Object.entries(input).filter((member) => !isRefused(member)));
        const [valid, expected] = [input, rest].map(
          (value) => check(place(schema, true), place(value, false), { coerce }).valid,
        );
        expect(valid).toBe(expected);
        if (expected === true && rest !== input && Object.keys(rest).length < Object.keys(input).length) repaired += 1;
      },
    );
    fc.assert(property);
    expect(repaired).toBeGreaterThan(0);
  });

  test("coercion changes no value that is valid as it is", () => {
    const property = fc.property(schemas({ references: true, unevaluated: true }), values, (schema, value) => {
      if (verdict(schema, value)) expect(check(schema, value, { coerce: { emptyText: "absent" } }).value).toBe(value);
    });
    fc.assert(property);
  });

  test("coercion shares what did not change and never changes its argument", () => {
    const schema = { properties: { a: { items: { type: "integer" } }, b: { items: { type: "integer" } } } };
    const value = Object.freeze({ a: Object.freeze(["1"]), b: Object.freeze([2]) });
    const result = check(schema, value, { coerce: true }).value as typeof value;
    expect(result).toEqual({ a: [1], b: [2] });
    expect(result.b).toBe(value.b);
    expect(coerced(schema, { b: [1] })).toEqual({ b: [1] });
    const same = { b: [1] };
    expect(coerced(schema, same)).toBe(same);
  });

  test("a member named __proto__ is a member", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"integer"},"a":{"default":{"b":1}}}}') as unknown;
    const result = check(schema, JSON.parse('{"__proto__":"5"}'), { coerce: true, defaults: true });
    expect(JSON.stringify(result.value)).toBe('{"__proto__":5,"a":{"b":1}}');
    expect(Object.getPrototypeOf(result.value)).toBe(Object.prototype);
  });
});

describe("defaults", () => {
  test("defaults fill properties of present values, fresh each time", () => {
    const schema = { properties: { a: { default: { list: [] } }, inner: { properties: { b: { default: 1 } } } } };
    const given = {};
    const [first, second] = [filled(schema, given), filled(schema, given)] as { a: { list: unknown[] } }[];
    expect(first).toEqual({ a: { list: [] } });
    first?.a.list.push(1);
    expect(second).toEqual({ a: { list: [] } });
    expect(schema.properties.a.default).toEqual({ list: [] });
    expect(given).toEqual({});
    expect(filled(schema, { inner: {} })).toEqual({ a: { list: [] }, inner: { b: 1 } });
  });

  test("fill what is in a default that was filled, so that filling twice changes nothing", () => {
    const schema = { properties: { options: { default: {}, properties: { limit: { default: 10 } } } } };
    const once = filled(schema, {});
    expect(once).toEqual({ options: { limit: 10 } });
    expect(filled(schema, once)).toBe(once);
  });

  test("null and false are present; undefined is absent", () => {
    const schema = { properties: { a: { default: 1 }, b: { default: 1 }, c: { default: 1 } } };
    expect(filled(schema, { a: null, b: false, c: undefined })).toEqual({ a: null, b: false, c: 1 });
  });

  test("defaults apply in items, references and allOf", () => {
    const schema = { items: { $ref: "#/$defs/x" }, $defs: { x: { allOf: [{ properties: { a: { default: 1 } } }] } } };
    expect(filled(schema, [{}, { a: 2 }])).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test("defaults apply in a union only to the branch that a constant names", () => {
    const named = { oneOf: [branch({ const: "x" }, 1), branch({ enum: ["y", "z"] }, 2)] };
    expect(filled(named, { kind: "x" })).toEqual({ kind: "x", a: 1 });
    expect(filled(named, { kind: "z" })).toEqual({ kind: "z", a: 2 });
    expect(filled(named, {})).toEqual({});
    expect(filled(named, { kind: "other" })).toEqual({ kind: "other" });
    const unnamed = { anyOf: [branch({ const: "x" }, 1), branch({ type: "string" }, 2)] };
    expect(filled(unnamed, { kind: "x" })).toEqual({ kind: "x" });
    const twice = { anyOf: [branch({ const: "x" }, 1), branch({ const: "x" }, 2)] };
    expect(filled(twice, { kind: "x" })).toEqual({ kind: "x" });
    expect(filled({ ...conditional(true, branch({}, 1)), not: { required: ["b"] } }, {})).toEqual({});
  });

  test("defaults satisfy required, and are validated", () => {
    const schema = { required: ["a"], properties: { a: { type: "integer", default: "x" } } };
    expect(check(schema, {}, { defaults: true }).valid).toBe(false);
    expect(check({ required: ["a"], properties: { a: { default: 1 } } }, {}, { defaults: true }).valid).toBe(true);
  });

  test("defaults that fill without end are an error verdict", () => {
    const schema = { properties: { next: { $ref: "#", default: {} } } };
    expect(messages(schema, {}, { defaults: true })).toEqual(["The value is nested too deeply; send a smaller one."]);
  });
});

describe("numbers, texts, equality", () => {
  test.each([
    [0.07, 0.01, true],
    [0.075, 0.01, false],
    [19.99, 0.01, true],
    [1.1, 0.1, true],
    [4.35, 0.01, true],
    [1e308, 0.5, true],
    [1e308, 0.123456789, false],
    [1e-7, 1e-8, true],
    [0, 0.3, true],
    [-0.3, 0.1, true],
    [9007199254740994, 2, true],
    [5e-324, 5e-324, true],
    [10, 3, false],
  ])("%d as a multiple of %d: %s", (value, multipleOf, valid) => {
    expect(verdict({ multipleOf }, value)).toBe(valid);
  });

  test("lengths count code points", () => {
    expect(verdict({ maxLength: 1 }, "💩")).toBe(true);
    expect(verdict({ minLength: 2 }, "💩")).toBe(false);
    expect(verdict({ minLength: 2 }, "\ud83d\ud83d")).toBe(true);
  });

  test("equality is JSON's", () => {
    expect(verdict({ const: 1 }, JSON.parse("1.0"))).toBe(true);
    expect(verdict({ const: 0 }, -0)).toBe(true);
    expect(verdict({ const: { a: 1, b: [2] } }, { b: [2], a: 1 })).toBe(true);
    expect(verdict({ const: [1, 2] }, ["1", 2])).toBe(false);
    expect(verdict({ enum: [false] }, 0)).toBe(false);
    expect(verdict({ enum: ["[1]"] }, [1])).toBe(false);
    expect(
      verdict({ uniqueItems: true }, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toBe(false);
    expect(verdict({ uniqueItems: true }, [1, "1", [1], ["1"], true, "true", null, "null", "[1]"])).toBe(true);
  });

  // Each compared with each other: a minute and more.
  test.each([
    ["texts", Array.from({ length: 1_000_000 }, (_, index) => `${index}`)],
    ["objects", Array.from({ length: 200_000 }, (_, index) => ({ index }))],
  ])("uniqueItems does not compare each of many %s with each other", (_name, items) => {
    expect(inBoundedTime(() => verdict({ uniqueItems: true }, items))).toBe(true);
  });
});

describe("bad input", () => {
  const tree = { $defs: { node: { items: { $ref: "#/$defs/node" } } }, $ref: "#/$defs/node" };

  test("100 000 nested arrays are an error verdict where the schema follows them", () => {
    const deep = nested(100_000, (inner) => [inner]);
    expect(messages(tree, deep)).toEqual(["The value is nested too deeply; send a smaller one."]);
    expect(check({ not: { $ref: "#/$defs/node" }, $defs: tree.$defs }, deep).valid).toBe(false);
    expect(check({ if: { $ref: "#/$defs/node" }, else: true, $defs: tree.$defs }, deep).valid).toBe(false);
    expect(check({ const: 1 }, deep).valid).toBe(false);
    expect(check({ enum: [[1]] }, deep).valid).toBe(false);
    expect(check({ uniqueItems: true }, [deep, deep]).valid).toBe(false);
    expect(check({ type: "string" }, deep).errors[0]?.received).toBe("an array of 1 item");
    expect(check({ type: "array" }, deep).valid).toBe(true);
    const text = "[".repeat(100_000) + "]".repeat(100_000);
    expect(check({ type: "object" }, text, { coerce: true }).valid).toBe(false);
    expect(check({ type: "array", maxItems: 0 }, text, { coerce: true }).valid).toBe(false);
  });

  test("depth that stays in bounds is judged", () => {
    expect(
      verdict(
        tree,
        nested(300, (inner) => [inner]),
      ),
    ).toBe(true);
  });

  test("a schema that applies itself to the same value accepts nothing", () => {
    expect(messages({ $ref: "#" }, 1)).toEqual(["The value is nested too deeply; send a smaller one."]);
    expect(verdict({ not: { $ref: "#" } }, 1)).toBe(false);
    expect(verdict({ anyOf: [{ $ref: "#" }, true] }, 1)).toBe(false);
  });

  test("a doubling chain of definitions ends", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `d${index}`,
        { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
    );
    const validate = createValidator({ $ref: "#/$defs/d0", $defs: { ...$defs, d30: {} } }, { coerce: true });
    expect(inBoundedTime(() => validate(1)).valid).toBe(false);
  });

  test("unions within unions take no exponential time", () => {
    const one = (k: number): object => ({
      properties: { a: { $ref: "#/$defs/n" }, k: { const: k } },
      required: ["k"],
    });
    const $defs = { n: { anyOf: [one(1), one(2), { type: "null" }], unevaluatedProperties: false } };
    const validate = createValidator({ $ref: "#/$defs/n", $defs }, { coerce: true });
    expect(inBoundedTime(() => validate(nested(100, (a) => ({ a, k: 2 })))).valid).toBe(true);
    const { valid, errors } = inBoundedTime(() => validate(nested(100, (a) => ({ a, k: 3 }))));
    expect(valid).toBe(false);
    expect(errors[0]?.message).toBe("`/k` must be 1 or 2; you sent 3.");
  });

  test("10 000 nested schemas are refused with a place", () => {
    expect(() => createValidator(nested(10_000, (inner) => ({ items: inner ?? {} })))).toThrow(
      /nested more than 500 schemas deep/,
    );
  });

  test.each([undefined, Number.NaN, Infinity, 10n, Symbol("x"), () => 1])("%s is no JSON", (value) => {
    expect(check({}, value)).toMatchObject({ valid: false, errors: [{ keyword: "type", expected: "JSON" }] });
    expect(verdict({ items: {} }, [value])).toBe(false);
    expect(verdict({ not: { type: "string" } }, value)).toBe(false);
  });

  test("inherited names are not there", () => {
    expect(verdict({ required: ["toString"] }, {})).toBe(false);
    expect(verdict({ required: ["__proto__"] }, {})).toBe(false);
    expect(verdict({ required: ["__proto__"] }, JSON.parse('{"__proto__":1}'))).toBe(true);
    expect(verdict({ properties: { constructor: { type: "number" } } }, {})).toBe(true);
    expect(verdict({ additionalProperties: false }, JSON.parse('{"__proto__":1}'))).toBe(false);
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"number"}},"additionalProperties":false}') as unknown;
    expect(verdict(schema, JSON.parse('{"__proto__":1}'))).toBe(true);
    expect(verdict(schema, JSON.parse('{"__proto__":"x"}'))).toBe(false);
    expect(verdict(Object.create({ type: "string" }), 1)).toBe(true);
    expect(() => createValidator({ type: "toString" })).toThrow(TypeError);
  });

  test("a value that refers to itself is no endless loop", () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(verdict(tree, loop)).toBe(false);
    expect(verdict({ const: 1 }, loop)).toBe(false);
  });

  test("a schema that refers to itself as an object is one schema", () => {
    const schema: { [key: string]: unknown } = { type: "array" };
    schema["items"] = schema;
    expect(verdict(schema, [[], [[]]])).toBe(true);
    expect(verdict(schema, [[], [1]])).toBe(false);
  });
});

describe("a schema that cannot be decided on is refused, with keyword and place", () => {
  test.each<readonly [unknown, RegExp]>([
    [5, /must be a schema/],
    [null, /must be a schema/],
    [{ properties: { a: "string" } }, /"\/properties\/a" must be a schema/],
    [{ properties: { a: { type: "dict" } } }, /"type" at "\/properties\/a" must name types/],
    [{ type: [] }, /must name a type/],
    [{ type: null }, /must name types/],
    [{ minLength: -1 }, /"minLength" at "" must be a whole number from 0 on; it is -1/],
    [{ minLength: "1" }, /"minLength"/],
    [{ maximum: "1" }, /"maximum" at "" must be a number/],
    [{ exclusiveMinimum: true }, /"exclusiveMinimum"/],
    [{ multipleOf: 0 }, /"multipleOf" at "" must be more than 0/],
    [{ required: "a" }, /"required" at "" must be an array of names/],
    [{ required: [1] }, /"required"/],
    [{ enum: "a" }, /"enum" at "" must be an array/],
    [{ properties: [] }, /"properties" at "" must be an object/],
    [{ anyOf: [] }, /"anyOf" at "" must hold a schema/],
    [{ allOf: {} }, /"allOf" at "" must be an array/],
    [{ items: 5 }, /"\/items" must be a schema/],
    [{ uniqueItems: "yes" }, /"uniqueItems"/],
    [{ pattern: "(" }, /"pattern" at "" holds "\("/],
    [{ patternProperties: { "(": true } }, /"patternProperties" at "" holds/],
    [{ dependentRequired: { a: "b" } }, /"dependentRequired"/],
    [{ format: 5 }, /"format"/],
    [{ $ref: "other.json" }, /"\$ref" at "" points outside the schema/],
    [{ $ref: "#anchor" }, /flatten it first/],
    [{ $ref: "#/$defs/none" }, /names a place that does not exist/],
    [{ $ref: "#/$defs/toString", $defs: {} }, /names a place that does not exist/],
    [{ $ref: "#/%zz" }, /percent-encoded/],
    [{ default: () => 1 }, /"default" at "" must be JSON/],
    [{ items: { $id: "other", $ref: "#/$defs/a" }, $defs: { a: {} } }, /another resource/],
    [{ $ref: "#/$defs/a/items", $defs: { a: { $id: "other", items: {} } } }, /its own \$id/],
    [{ $dynamicRef: "#a" }, /dynamic scope/],
    [{ properties: { a: { $id: "other" } } }, /another resource/],
    [{ $schema: "http://json-schema.org/draft-04/schema#" }, /must name draft 2020-12 or draft-07/],
    [{ items: { $schema: "http://json-schema.org/draft-07/schema#" } }, /another draft/],
  ])("createValidator refuses an undecidable schema with keyword and place: %j", (schema, problem) => {
    expect(() => createValidator(schema)).toThrow(TypeError);
    expect(() => createValidator(schema)).toThrow(problem);
  });
});

describe("draft-07, where $schema says so", () => {
  test("draft-07 ignores siblings of $ref", () => {
    const schema = old({
      properties: { a: { $ref: "#/definitions/x", maxLength: 1 } },
      definitions: { x: { type: "string" } },
    });
    expect(verdict(schema, { a: "long" })).toBe(true);
    expect(verdict(schema, { a: 1 })).toBe(false);
  });
  test("tuples, dependencies, and words it does not know", () => {
    expect(verdict(old({ items: [{ type: "string" }], additionalItems: false }), ["a", 1])).toBe(false);
    expect(verdict(old({ items: [{ type: "string" }], additionalItems: { type: "number" } }), ["a", 1])).toBe(true);
    expect(verdict(old({ dependencies: { a: ["b"], c: { required: ["d"] } } }), { a: 1 })).toBe(false);
    expect(verdict(old({ dependencies: { a: ["b"], c: { required: ["d"] } } }), { c: 1, b: 1 })).toBe(false);
    expect(
      verdict(old({ prefixItems: [false], dependentRequired: { a: ["b"] }, unevaluatedProperties: false }), { a: 1 }),
    ).toBe(true);
    expect(verdict(old({ contains: true, maxContains: 0 }), [1])).toBe(true);
  });
});

describe("foreign patterns are not run", () => {
  const skip: ValidatorOptions = { foreignPatterns: "skip" };
  const slow = "^(a+)+$";
  test("foreign patterns count as met", () => {
    const text = `${"a".repeat(100)}!`;
    const schema = {
      properties: { a: { type: "string", pattern: slow } },
      patternProperties: { [slow]: { type: "integer" } },
    };
    expect(check(schema, { a: text, [text]: "x" }, skip).valid).toBe(true);
    expect(check(schema, { a: 5 }, skip).valid).toBe(false);
    expect(check({ pattern: "(" }, "x", skip).valid).toBe(true);
  });
  test("and what hangs on them is left undecided, never refused", () => {
    for (const schema of [
      { not: { pattern: "b" } },
      { oneOf: [{ pattern: "a" }, { pattern: "b" }] },
      conditional({ pattern: "b" }, false),
      { contains: { pattern: "b" }, maxContains: 0, minContains: 0 },
    ]) {
      const value = "contains" in schema ? ["a"] : "a";
      expect(check(schema, value).valid).toBe(true);
      expect(check(schema, value, skip).valid).toBe(true);
    }
    const named = { patternProperties: { "^a": true }, additionalProperties: false, unevaluatedProperties: false };
    expect(check(named, { a: 1 }, skip).valid).toBe(true);
  });
  test("a schema without patterns is judged in full", () => {
    expect(check({ not: { type: "string" } }, "a", skip).valid).toBe(false);
  });
});

test("createMatcher judges the same, and reads and fills nothing", () => {
  const schema = {
    type: "object",
    properties: { n: { type: "integer", default: 1 }, day: { type: "string", format: "date" } },
    required: ["n"],
  };
  const judge = createMatcher(schema);
  for (const value of [{ n: 1 }, { n: "1" }, {}, { n: 1, day: "never" }, []]) {
    expect(judge(value)).toBe(createValidator(schema)(value).valid);
  }
  expect(createValidator(schema, { coerce: true, defaults: true })({ n: "1" }).valid).toBe(true);
  expect(judge({ n: "1" })).toBe(false);
});

describe.each([false, true])("a large value against a union of constants (coerce %s)", (coerce) => {
  const described = Array.from({ length: 30 }, (_, index) => ({ const: `v${index}`, description: `Value ${index}.` }));
  const $defs = Object.fromEntries(described.map((schema, index) => [`d${index}`, schema]));
  test.each<[string, JsonObject]>([
    ["described", { oneOf: described }],
    ["with notes of others", { oneOf: described.map((schema) => ({ ...schema, markdownDescription: "A value." })) }],
    ["beside a pattern", { oneOf: [...described, { type: "string", pattern: "^z" }] }],
    ["behind references", { oneOf: described.map((_, index) => ({ $ref: `#/$defs/d${index}` })), $defs }],
    ["objects", { oneOf: described.map((schema) => ({ ...schema, const: { k: schema.const } })) }],
    ["one by one", { enum: described.map((schema) => ({ k: schema.const })) }],
  ])("is refused after a few reads and with a short message: %s", (_name, schema) => {
    const items = Array.from({ length: 5000 }, (_, index) => ({ name: `item ${index}` }));
    let reads = 0;
    const counted = new Proxy(items, { get: (target, key) => (reads++, Reflect.get(target, key) as unknown) });
    const { valid, errors } = createValidator(schema, { coerce })(counted);
    expect(valid).toBe(false);
    expect(errors.map(({ message }) => message.length).filter((length) => length > 300)).toEqual([]);
    expect(reads).toBeLessThan(2000);
  });
});

test("values that are listed twice over, by enum and const, are those that both list", () => {
  const union = createValidator({ oneOf: [{ enum: ["read"], const: "delete" }, { const: "list" }] });
  expect(["read", "delete", "list"].map((value) => union(value).valid)).toEqual([false, false, true]);
  const mode = { properties: { mode: { enum: ["a", "b"], const: "b" }, n: { type: "integer" } } };
  const other = { properties: { mode: { const: "a" } } };
  expect(createValidator({ anyOf: [mode, other] }, { coerce: true })({ mode: "b", n: "1" }).value).toEqual({
    mode: "b",
    n: 1,
  });
});

test("constants with descriptions give the same answers as a list", () => {
  const constants = Array.from({ length: 30 }, (_, index) => ({ const: `v${index}`, description: `Value ${index}.` }));
  const validate = createValidator({ oneOf: constants });
  expect(validate("v7").valid).toBe(true);
  expect(validate("w").errors[0]?.expected).toContain('"v0", "v1"');
  const twice = createValidator({
    oneOf: [{ enum: ["a", "b"] }, { const: "b", title: "B" }, { type: "integer", enum: [1, "c"] }],
  });
  expect(["a", "b", 1, "c"].map((value) => twice(value).valid)).toEqual([true, false, true, false]);
  expect(twice("b").errors[0]?.received).toBe("what both 1 and 2 allow");
  expect(createValidator({ anyOf: [{ enum: ["a", "b"] }, { const: "b" }] })("b").valid).toBe(true);
});
