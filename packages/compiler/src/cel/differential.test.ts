import { Environment } from "@marcbachmann/cel-js";
import fc from "fast-check";
import { format } from "prettier";
import { expect, test } from "vitest";
import type { JsonSchema, JsonValue } from "@hasp/schema";
import { importPrinted, outcomeOf } from "./import-printed.testing.js";
import { createPredicateCompiler } from "./compile-predicate.js";
import type { ExpressionPredicate } from "../model/conditions.js";

const INPUT: JsonSchema = {
  type: "object",
  required: ["mode", "text", "count", "ratio", "ratios", "flag", "tags", "at"],
  properties: {
    ratios: { type: "array", maxItems: 4, items: { type: "number" } },
    mode: { enum: ["read", "write", "list"] },
    text: { type: "string" },
    count: { type: "integer" },
    ratio: { type: "number" },
    flag: { type: "boolean" },
    tags: { type: "array", maxItems: 4, items: { type: "string" } },
    numbers: { type: "array", maxItems: 4, items: { type: "integer" } },
    scope: { type: "string" },
    at: { type: "string" },
    nested: { type: "object", required: ["x"], properties: { x: { type: "integer" }, y: { type: "string" } } },
  },
};

const compile = createPredicateCompiler(INPUT);

const TIMES = ["2026-01-31T12:00:00Z", "2026-01-31T13:00:00+01:00", "2025-06-01T00:00:00.500Z", "not a time"];
const text = fc.constantFrom("", "a", "ab", "abc", "read", "\u00e9", "a\nb", " \u00a0aB\ufeff", "\u0130\u00df\u03a3");

const ratio = fc.constantFrom(-1.5, -0, 0, 0.5, 1, 2);

const input: fc.Arbitrary<{ readonly [key: string]: JsonValue }> = fc.record(
  {
    mode: fc.constantFrom("read", "write", "list"),
    text,
    count: fc.integer({ min: -4, max: 4 }),
    ratio,
    ratios: fc.array(ratio, { maxLength: 4 }),
    flag: fc.boolean(),
    tags: fc.array(text, { maxLength: 4 }),
    at: fc.constantFrom(...TIMES),
    numbers: fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 4 }),
    scope: text,
    nested: fc.record({ x: fc.integer({ min: -3, max: 3 }), y: text }, { requiredKeys: ["x"] }),
  },
  { requiredKeys: ["mode", "text", "count", "ratio", "ratios", "flag", "tags", "at"] },
);

/** Expressions over that input, most of them lawful. */
const { bool: expression } = fc.letrec<{ bool: string; int: string; double: string; string: string; time: string }>(
  (tie) => {
    const literal = text.map((value) => JSON.stringify(value));
    const order = fc.constantFrom("<", "<=", ">", ">=", "==", "!=");
    const pair = (operand: fc.Arbitrary<string>, operator: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      fc.tuple(operand, operator, operand).map(([left, sign, right]) => `(${left} ${sign} ${right})`);
    return {
      int: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom("input.count", "1", "2", "-3", "0", "size(input.text)", "input.tags.size()"),
        pair(tie("int"), fc.constantFrom("+", "-", "*", "/", "%")),
        fc.tuple(tie("bool"), tie("int"), tie("int")).map(([test, left, right]) => `(${test} ? ${left} : ${right})`),
        tie("int").map((operand) => `-(${operand})`),
      ),
      double: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom("input.ratio", "1.0", "0.5", "(0.0 / 0.0)"),
        pair(tie("double"), fc.constantFrom("+", "-", "*", "/")),
        fc
          .tuple(tie("bool"), tie("double"), tie("double"))
          .map(([test, left, right]) => `(${test} ? ${left} : ${right})`),
        tie("double").map((operand) => `-(${operand})`),
      ),
      string: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constant("input.text"),
        literal,
        pair(tie("string"), fc.constant("+")),
        fc.tuple(tie("string"), fc.constantFrom("lower", "upper", "trim")).map(([whole, form]) => `${form}(${whole})`),
      ),
      time: fc.constantFrom(
        "timestamp(input.at)",
        "timestamp('2026-01-31T12:00:00Z')",
        "(timestamp(input.at) + duration('1h'))",
      ),
      bool: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom(
          "input.flag",
          "true",
          "false",
          "has(input.scope)",
          "has(input.nested)",
          "input.mode == 'read'",
          "input.mode in ['write', 'list']",
        ),
        pair(tie("int"), order),
        pair(tie("double"), order),
        pair(tie("string"), order),
        pair(tie("time"), order),
        fc
          .tuple(tie("string"), fc.constantFrom("startsWith", "endsWith", "contains"), tie("string"))
          .map(([whole, test, part]) => `${whole}.${test}(${part})`),
        ...(["int", "double", "string", "bool"] as const).map((kind) =>
          fc
            .tuple(tie(kind), fc.array(tie(kind), { minLength: 1, maxLength: 3 }))
            .map(([item, list]) => `(${item} in [${list.join(", ")}])`),
        ),
        tie("double").map((item) => `(${item} in input.ratios)`),
        tie("double").map((item) => `input.ratios.exists(r, r == ${item} || r in [${item}])`),
        tie("string").map((whole) => `${whole}.matches('^[a-z]*b$')`),
        tie("bool").map((operand) => `!${operand.startsWith("(") ? operand : `(${operand})`}`),
        pair(tie("bool"), fc.constantFrom("&&", "||", "==")),
        fc.tuple(tie("bool"), tie("bool"), tie("bool")).map(([test, left, right]) => `(${test} ? ${left} : ${right})`),
        fc
          .tuple(fc.constantFrom("all", "exists"), tie("string"))
          .map(([quantifier, part]) => `input.tags.${quantifier}(t, t != ${part})`),
        fc.constantFrom(
          "'a' in input.tags",
          "(has(input.numbers) && input.numbers.exists(n, 2 / n == input.count))",
          "(!has(input.nested) || input.nested.x > input.count)",
          "(has(input.nested) && has(input.nested.y) && input.nested.y == input.text)",
          "(has(input.scope) ? input.scope == input.text : input.flag)",
        ),
      ),
    };
  },
);

const library = new Environment()
  .registerFunction("lower(string): string", (whole: string) => whole.toLowerCase())
  .registerFunction("upper(string): string", (whole: string) => whole.toUpperCase())
  .registerFunction("trim(string): string", (whole: string) => whole.trim())
  .registerVariable("input", {
    schema: {
      mode: "string",
      text: "string",
      count: "int",
      ratio: "double",
      ratios: "list<double>",
      flag: "bool",
      tags: "list<string>",
      numbers: "list<int>",
      scope: "string",
      at: "string",
      nested: { x: "int", y: "string" },
    },
  });

/** The input as the library wants it: integers as BigInt where the schema says so. */
function forLibrary(value: { readonly [key: string]: JsonValue }): object {
  const asInteger = (each: JsonValue | undefined): unknown => (typeof each === "number" ? BigInt(each) : each);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (key === "count") return [key, asInteger(each)];
      if (key === "numbers" && Array.isArray(each)) return [key, each.map(asInteger)];
      if (key !== "nested" || typeof each !== "object" || each === null) return [key, each];
      return [
        key,
        Object.fromEntries(
          Object.entries(each).map(([name, inner]) => [name, name === "x" ? asInteger(inner as JsonValue) : inner]),
        ),
      ];
    }),
  );
}

const SEED = 20_261_120;

function sampled(): readonly ExpressionPredicate[] {
  const sources = new Set(fc.sample(expression, { seed: SEED, numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 100) }));
  return [...sources].flatMap((source) => compile(source).predicate ?? []);
}

test("evaluate, the printed JavaScript and the library agree wherever CEL and we mean the same", async () => {
  const predicates = sampled();
  expect(predicates.length).toBeGreaterThan(60);
  const printed = await importPrinted(predicates);
  const inputs = fc.sample(input, { seed: SEED, numRuns: 10 });
  let compared = 0;
  for (const [index, predicate] of predicates.entries()) {
    const judge = library.parse(predicate.source);
    for (const value of inputs) {
      const ours = outcomeOf(() => predicate.evaluate(value));
      const shown = JSON.stringify([predicate.source, value]);
      expect(
        outcomeOf(() => printed[index]?.(value)),
        shown,
      ).toBe(ours);
      const theirs = outcomeOf(() => judge({ input: forLibrary(value) }) as unknown);
      // Our one divergence here: CEL's || and && absorb an error on the other side, ours stop at it.
      if (ours === "error" && theirs !== "error") expect(predicate.source, shown).toMatch(/\|\||&&|exists|all/u);
      else expect(ours, shown).toBe(theirs);
      compared += 1;
    }
  }
  expect(compared).toBe(predicates.length * inputs.length);
});

test("an answer of ours is never an error in CEL, and an error of CEL never an answer of ours", () => {
  fc.assert(
    fc.property(expression, input, (source, value) => {
      const { predicate } = compile(source);
      fc.pre(predicate !== undefined);
      const ours = outcomeOf(() => predicate?.evaluate(value));
      const theirs = outcomeOf(() => library.evaluate(source, { input: forLibrary(value) }) as unknown);
      if (ours !== "error") expect(theirs).toBe(ours);
    }),
    { seed: SEED, numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 100) },
  );
});

test("evaluated and printed conditions normalise every character alike, alone and among others", async () => {
  const predicates = ["lower", "upper", "trim"].flatMap(
    (form) => compile(`has(input.scope) && input.text.${form}() == input.scope`).predicate ?? [],
  );
  const printed = await importPrinted(predicates);
  const answersFor = (value: string): void => {
    for (const [index, form] of [value.toLowerCase(), value.toUpperCase(), value.trim()].entries()) {
      const of = { text: value, scope: form };
      expect([predicates[index]?.evaluate(of), printed[index]?.(of)], JSON.stringify(value)).toEqual([true, true]);
    }
  };
  for (let code = 0; code <= 0x10_ffff; code += 1) {
    // Every character that a form changes, and some others.
    const value = String.fromCodePoint(code);
    if (code < 0x3000 || value !== value.toLowerCase() || value !== value.toUpperCase() || value !== value.trim()) {
      answersFor(`A${value}`);
    }
  }
  fc.assert(fc.property(fc.string({ unit: "binary" }), answersFor), { seed: SEED });
});

test("prints every condition in the layout of prettier", async () => {
  // It breaks chains of three methods, however wide the line may be.
  const printed = sampled().filter(({ javascript }) => !/\(\)\.\w+\(\)\.\w+\(/u.test(javascript));
  const lines = printed.map(({ javascript }) => `const f = (input) => ${javascript};\n`);
  expect(await format(lines.join(""), { parser: "babel", printWidth: 100_000 })).toBe(lines.join(""));
});
