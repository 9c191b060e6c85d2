import fc from "fast-check";
import { expect, test } from "vitest";
import { createValidator, type JsonSchema, type JsonValue } from "@hasp/schema";
import { outcomeOf } from "../import-printed.testing.js";
import { combineValues, createInputSampler, findTestedFields } from "./sample-inputs.js";
import { createPredicateCompiler } from "../compile-predicate.js";
import type { ExpressionPredicate } from "../../model/conditions.js";

const INPUT: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["mode", "count", "text"],
  properties: {
    mode: { enum: ["read", "write", "list"] },
    count: { type: "integer", minimum: -3, maximum: 12 },
    ratio: { type: "number", default: 0.5 },
    text: { type: "string", minLength: 1 },
    dry: { type: "boolean" },
    note: { type: ["string", "null"] },
    scope: {
      type: "object",
      additionalProperties: false,
      properties: { level: { enum: [1, 2] }, deep: { type: "boolean", default: true } },
    },
    target: {
      oneOf: [
        {
          type: "object",
          additionalProperties: false,
          required: ["kind", "path"],
          properties: { kind: { const: "file" }, path: { type: "string" } },
        },
        { type: "object", additionalProperties: false, required: ["kind"], properties: { kind: { const: "none" } } },
      ],
    },
  },
};

const input: fc.Arbitrary<JsonValue> = fc.record(
  {
    mode: fc.constantFrom("read", "write", "list"),
    count: fc.integer({ min: -3, max: 12 }),
    ratio: fc.constantFrom(-2, 0.25, 0.5, 0.75, 1, 3.5),
    text: fc.constantFrom("a", "ls", "x", "git status", "other"),
    dry: fc.boolean(),
    note: fc.constantFrom(null, "", "a", "zz"),
    scope: fc.record({ level: fc.constantFrom(1, 2), deep: fc.boolean() }, { requiredKeys: ["deep"] }),
    target: fc.constantFrom<JsonValue[]>({ kind: "file", path: "/a" }, { kind: "file", path: "/b" }, { kind: "none" }),
  },
  { requiredKeys: ["mode", "count", "ratio", "text"] },
);

const { bool: expression } = fc.letrec<{ bool: string }>((tie) => ({
  bool: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(
      "input.mode == 'read'",
      "input.mode in ['write', 'list']",
      "input.mode != 'list'",
      "has(input.dry)",
      "(has(input.dry) && input.dry)",
      "(!has(input.note) || input.note == null)",
      "(has(input.note) && input.note == 'a')",
      "input.text == 'ls'",
      "input.text in ['ls', 'git status']",
      "has(input.scope)",
      "(has(input.scope) && has(input.scope.level))",
      "(has(input.scope) && has(input.scope.level) && input.scope.level == 2)",
      "(has(input.scope) && input.scope.deep)",
      "(has(input.target) && input.target.kind == 'file')",
      "(has(input.target) && input.target.kind == 'file' && input.target.path == '/a')",
    ),
    fc
      .tuple(fc.constantFrom("<", "<=", ">", ">=", "==", "!="), fc.integer({ min: -3, max: 12 }))
      .map(([sign, mark]) => `input.count ${sign} ${mark}`),
    fc
      .tuple(fc.constantFrom("<", ">="), fc.constantFrom("0.5", "1.0"))
      .map(([sign, mark]) => `input.ratio ${sign} ${mark}`),
    fc
      .tuple(tie("bool"), fc.constantFrom("&&", "||"), tie("bool"))
      .map(([left, sign, right]) => `(${left} ${sign} ${right})`),
    tie("bool").map((operand) => `!(${operand})`),
  ),
}));

function compiled(source: string): ExpressionPredicate | undefined {
  return createPredicateCompiler(INPUT)(source).predicate;
}

const answersOf = (predicates: readonly ExpressionPredicate[], value: JsonValue): string =>
  predicates.map((predicate) => String(outcomeOf(() => predicate.evaluate(value)))).join();

test("where the tried values are said to stand for all others, they do", () => {
  let exhaustive = 0;
  fc.assert(
    fc.property(
      fc.array(expression, { minLength: 1, maxLength: 3 }),
      fc.array(input, { minLength: 20, maxLength: 20 }),
      (sources, values) => {
        const predicates = sources.flatMap((source) => compiled(source) ?? []);
        const { fields, isExhaustive } = findTestedFields(
          predicates.map((each) => each.expression),
          INPUT,
        );
        if (!isExhaustive) return;
        exhaustive += 1;
        const tried = new Set([...combineValues({}, fields)].map((value) => answersOf(predicates, value)));
        for (const value of values) {
          expect([...tried], `${sources.join(" ; ")} ${JSON.stringify(value)}`).toContain(answersOf(predicates, value));
        }
      },
    ),
    { numRuns: 120, seed: 11 },
  );
  expect(exhaustive).toBeGreaterThan(60);
});

test("every sampled input is valid, and both answers of a predicate are found where both exist", () => {
  const validate = createValidator(INPUT);
  const predicate = compiled("has(input.target) && input.target.kind == 'file' && input.count > 11");
  const inputs = [...createInputSampler(INPUT, [])(predicate === undefined ? [] : [predicate.expression])];
  expect(inputs.every((value) => validate(value).valid)).toBe(true);
  expect(new Set(inputs.map((value) => predicate?.evaluate(value)))).toEqual(new Set([true, false]));
});
