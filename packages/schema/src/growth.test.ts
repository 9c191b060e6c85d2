import { describe, expect, test, vi } from "vitest";
import { closeSchema } from "./close/close-schema.js";
import { findOpenLocations } from "./close/open-locations.js";
import { flatten } from "./flatten/flatten.js";
import { exploreChoices } from "./generate/choices.js";
import { makeValue, startMaking } from "./generate/make-value.js";
import { sampleValues } from "./generate/sample-values.js";
import { lower } from "./lower/lower.js";
import { NameTests } from "./patterns/linear-pattern.js";
import type { JsonSchema } from "./vocabulary/json-schema.js";

/** Counts the reads of members of a schema at any depth, the patterns compiled and the items of lists searched. */
function countWork(schema: JsonSchema, work: (counted: JsonSchema) => unknown): number {
  let count = 0;
  const counted = new WeakMap<object, object>();
  const watch = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const known = counted.get(value);
    if (known !== undefined) return known;
    const proxy = new Proxy(value, {
      get(target, key) {
        count += 1;
        return watch(Reflect.get(target, key));
      },
    });
    counted.set(value, proxy);
    return proxy;
  };
  const { includes } = Array.prototype;
  const searches = vi.spyOn(Array.prototype, "includes").mockImplementation(function search(this: unknown[], ...asked) {
    count += this.length;
    return Reflect.apply(includes, this, asked);
  });
  const compiling: ProxyHandler<RegExpConstructor> = {
    construct(target, given) {
      count += 1;
      return Reflect.construct(target, given) as RegExp;
    },
  };
  vi.stubGlobal("RegExp", new Proxy(RegExp, compiling));
  try {
    work(watch(schema) as JsonSchema);
    return count;
  } finally {
    searches.mockRestore();
    vi.unstubAllGlobals();
  }
}

const text: JsonSchema = { type: "string" };

function each(count: number, make: (index: number) => readonly [string, JsonSchema]): { [name: string]: JsonSchema } {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));
}

/** Large schemas that people and generators write, by their size. */
const SHAPES: { readonly [name: string]: (size: number) => JsonSchema & object } = {
  "properties beside patterns": (size) => ({
    type: "object",
    properties: each(size, (index) => [`p${index}`, text]),
    patternProperties: each(size, (index) => [`^q${index}$`, text]),
    additionalProperties: false,
  }),
  "overlapping patterns": (size) => ({
    type: "object",
    properties: each(size, (index) => [`kx${index}y`, text]),
    patternProperties: each(size, (index) => [`k.{0,${index}}y`, text]),
    additionalProperties: false,
  }),
  "an allOf of conditions": (size) => ({
    type: "object",
    properties: { kind: { type: "integer" }, note: text },
    allOf: Array.from({ length: size }, (_, index) => ({
      if: { properties: { kind: { const: index } }, required: ["kind"] },
      then: { properties: { note: { minLength: index } } },
    })),
  }),
  "required properties": (size) => ({
    type: "object",
    properties: each(size, (index) => [`p${index}`, text]),
    required: Array.from({ length: size }, (_, index) => `p${index}`),
    additionalProperties: false,
  }),
};

/** Objects that each name all others. */
function nameEachOther(count: number): JsonSchema & object {
  const all = each(count, (index) => [`p${index}`, { $ref: `#/$defs/N${index}` }]);
  return { $ref: "#/$defs/N0", $defs: each(count, (index) => [`N${index}`, { type: "object", properties: all }]) };
}

const flat = { originsOf: () => [] };

const WORKS: { readonly [name: string]: (schema: JsonSchema) => unknown } = {
  flatten: (schema) => flatten(schema),
  closeSchema: (schema) => closeSchema(schema),
  findOpenLocations: (schema) => findOpenLocations(schema),
  lower: (schema) => lower(schema, "anthropic", { flat }),
};

describe.each(Object.entries(SHAPES))("%s", (_, shape) => {
  test.each(Object.entries(WORKS))("%s does twice the work for twice the size", (_name, work) => {
    const [once, twice] = [countWork(shape(100), work), countWork(shape(200), work)];
    expect(twice).toBeLessThan(2.3 * once);
  });
});

test("closeSchema does little more work for each reference between more objects", () => {
  const [few = 0, many = 0] = [20, 40].map((count) => countWork(nameEachOther(count), (schema) => closeSchema(schema)));
  expect(many / 40 ** 2).toBeLessThan((2.2 * few) / 20 ** 2);
});

test("sampling a long enum does twice the work for twice the size", () => {
  const list = (size: number, first: number): JsonSchema => ({
    type: "object",
    properties: { a: { enum: Array.from({ length: size }, (_, index) => `v${index + first}`) } },
  });
  const sample = (size: number): number =>
    countWork(list(size, 0), (schema) => [...sampleValues(schema, { beside: list(size, 1) })]);
  expect(sample(2000)).toBeLessThan(2.3 * sample(1000));
});

test("sampling compares patterns within one budget, however many there are", () => {
  const list = (most: number): JsonSchema & object => ({
    type: "object",
    properties: each(4, (index) => {
      const pattern = `(a${index}|b[c-x]{1,${most}})`.repeat(20);
      return [`p${index}`, { type: "string", pattern }];
    }),
  });
  const schema = list(3);
  const making = startMaking(schema, list(4));
  const { steps } = making.budget;
  const values = [...exploreChoices((choices) => makeValue([schema], making, choices, { share: 1 }), new Set())];
  expect(values.length).toBeGreaterThan(20);
  expect(making.budget.steps).toBeLessThan(0);
  // The last comparison of many notices that nothing is left.
  expect(making.budget.steps).toBeGreaterThan(-0.1 * steps);
});

test("objects under more patterns than can be compared are refused at their place", () => {
  const open: JsonSchema = { type: "object", properties: { a: text } };
  const size = 1500;
  const schema: JsonSchema = {
    type: "object",
    properties: each(size, (index) => [`p${index}`, open]),
    patternProperties: each(size, (index) => [`^q${index}$`, { ...open, title: "other" }]),
    additionalProperties: false,
  };
  const { diagnostics } = closeSchema({ type: "object", properties: { x: schema }, additionalProperties: false });
  expect(diagnostics).toMatchObject([{ code: "schema/contested-place", origin: { pointer: "/properties/x" } }]);
  expect(diagnostics[0]?.message).toMatch(/^There are too many names and patterns here/);
});

test("each pattern is compiled once, and nothing is known of names past the limit of work", () => {
  const tests = new NameTests();
  const pattern = "(?:a{0,99}b){0,99}$";
  let known = 0;
  while (known < 100_000 && tests.matches(pattern, `a${known}b`) !== undefined) known += 1;
  expect(known).toBeGreaterThan(10);
  expect(known).toBeLessThan(100_000);
  expect(tests.isSpent).toBe(true);
  expect(tests.matches("^a", "a")).toBeUndefined();
});
