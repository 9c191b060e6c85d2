import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema, JsonValue } from "@hasp/schema";
import { createConditionSampler } from "./condition-inputs.js";
import { createPredicateCompiler } from "../compile-predicate.js";
import type { ExpressionPredicate } from "../../model/conditions.js";
import { outcomeOf } from "../import-printed.testing.js";
import {
  answersOf,
  faultyTrees,
  noteValues,
  OPERATOR_CONDITIONS,
  OPERATOR_INPUT,
  operatorInput,
  type Part,
  printTree,
  type SeenValues,
} from "../../../../../test/compiler/printer-faults.testing.js";

const SLOTS = ["one", "two", "three", "four"] as const;

const INPUT: JsonSchema = {
  type: "object",
  required: SLOTS,
  additionalProperties: false,
  properties: Object.fromEntries(SLOTS.map((slot) => [slot, OPERATOR_INPUT])),
};

const compile = createPredicateCompiler(INPUT);
const sample = createConditionSampler(INPUT, []);

const compileOne = createPredicateCompiler(OPERATOR_INPUT);
const sampleOne = createConditionSampler(OPERATOR_INPUT, []);

function compiled(source: string): ExpressionPredicate {
  const { predicate, problems } = compile(source);
  return predicate ?? expect.fail(`${source}: ${JSON.stringify(problems)}`);
}

const sources = Object.entries(OPERATOR_CONDITIONS).flatMap(([operator, conditions]) =>
  conditions.map((condition) => [operator, condition] as const),
);

const seen: SeenValues = new Map();
for (const [, condition] of sources) noteValues(treeOf(compiled(place(condition, "one"))), seen);

function place(condition: string, slot: (typeof SLOTS)[number]): string {
  return condition.replaceAll(/\bit\b/gu, `input.${slot}`);
}

function treeOf({ expression }: ExpressionPredicate): Part {
  return expression as unknown as Part;
}

/** Conditions around `(it)` that leave the answer to it for some values of other, unrelated conditions. */
const CONTEXTS = [
  "one && (it)",
  "(it) && one",
  "one && (it) && two",
  "one && two && (it)",
  "one || (it)",
  "!(one || (it)) || two",
  "one && (two || (it))",
  "one ? (it) : two",
  "one && (two ? (it) : three)",
  "(it) ? one : two",
  "(it) == (one && two)",
] as const;

/** The exploration: one condition of so many, its contexts, one fault of so many, and random conditions. All of it takes ten minutes of CPU. */
const explored = {
  quick: { every: 5, contexts: 1, stride: 15, randoms: 5 },
  more: { every: 1, contexts: 3, stride: 5, randoms: 40 },
  all: { every: 1, contexts: CONTEXTS.length, stride: 1, randoms: 300 },
};
const sampled = process.env["HASP_SAMPLES"];
const { every, contexts, stride, randoms } = explored[sampled === "more" || sampled === "all" ? sampled : "quick"];

const cases = sources.flatMap(([, condition], index) => {
  if (index % every !== 0) return [];
  const pick = (by: number): string => sources[(index + by) % sources.length]?.[1] ?? "";
  // Another context and other neighbours for each condition.
  const wholes = Array.from({ length: contexts }, (_, round) => {
    const context = CONTEXTS[(index + round * 5) % CONTEXTS.length] ?? "";
    const words: { readonly [word: string]: string } = {
      one: `(${place(pick(7 + round * 29), "two")})`,
      two: `(${place(pick(18 + round * 13), "three")})`,
      three: `(${place(pick(11 + round * 17), "four")})`,
      it: place(condition, "one"),
    };
    return context.replaceAll(/\b(?:one|two|three|it)\b/gu, (word) => words[word] ?? word);
  });
  return [{ alone: place(condition, "one"), wholes }];
});

describe("sampled inputs", () => {
  test.each(cases)("inputs tell $alone from each fault in it, whatever surrounds it", ({ alone: source, wholes }) => {
    const alone = compiled(source);
    const inputs = sample(alone.expression);
    const answers = answersOf(alone.javascript, inputs)?.join();
    const faults = [...faultyTrees(treeOf(alone), seen)].filter(([, tree], index) => {
      if (index % stride !== 0) return false;
      const printed = printTree(tree);
      const given = printed && answersOf(printed.javascript, inputs);
      return given !== undefined && given.join() !== answers;
    });
    expect(faults.length).toBeGreaterThan(0);
    expect(wholes.flatMap((whole) => findMissed(whole, treeOf(alone), faults))).toEqual([]);
  });

  test("sampled inputs give a condition every answer that random ones give", { timeout: 600_000 }, () => {
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom(...sources.map(([, each]) => each.replaceAll(/\bit\b/gu, "input"))),
        tie("condition").map((inner) => `!(${inner})`),
        fc
          .tuple(tie("condition"), fc.constantFrom("&&", "||", "=="), tie("condition"))
          .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
        fc
          .tuple(tie("condition"), tie("condition"), tie("condition"))
          .map(([test, left, right]) => `(${test}) ? (${left}) : (${right})`),
      ),
    }));
    fc.assert(
      fc.property(condition, fc.array(operatorInput, { minLength: 50, maxLength: 50 }), (source, inputs) => {
        const { predicate } = compileOne(source);
        fc.pre(predicate !== undefined);
        if (predicate === undefined) return;
        const found = listAnswers(predicate, sampleOne(predicate.expression));
        for (const answer of listAnswers(predicate, inputs)) expect(found, source).toContain(answer);
      }),
      { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? randoms) },
    );
  });

  test.each([
    // `at` is never a duration and a timestamp.
    "((!(duration(input.at) >= duration('1h'))) && (size(input.map) > 1)) ? ((timestamp(input.at) < timestamp('2026-01-31T12:00:00Z')) ? (has(input.nested.inner.y)) : (input.flag == true)) : (input.flag == true)",
    // Only together are the parts true.
    "(((input.flag == true) && (timestamp(input.at) <= timestamp('2026-01-31T12:00:00Z'))) || ((input.flag == true) && (input.flag == true))) || (input.flag == true)",
  ])("sampled inputs give both answers of a condition whose parts depend on each other: %s", (source) => {
    const { predicate } = compileOne(source);
    const whole = predicate ?? expect.fail("no condition");
    expect(listAnswers(whole, sampleOne(whole.expression)).toSorted()).toEqual([false, true]);
  });

  test("inputs tell memberships of one map and a text beside a limit apart in one condition", () => {
    const map = { type: "object", additionalProperties: { type: "string" } } as const;
    const schema: JsonSchema = {
      type: "object",
      required: ["limits", "label", "size"],
      properties: { limits: map, label: { type: "string" }, size: { type: "integer" } },
    };
    const source = "'cpu' in input.limits && input.label in input.limits && input.label < 'm' && !(input.size > 500)";
    const { predicate } = createPredicateCompiler(schema)(source);
    const whole = predicate ?? expect.fail("no condition");
    const inputs = createConditionSampler(schema, [])(whole.expression);
    const answers = answersOf(whole.javascript, inputs)?.join();
    const missed = [...faultyTrees(treeOf(whole), seen)].filter(([change, tree]) => {
      // A change without an effect is no fault.
      if (/swapped|^order\.of/u.test(change)) return false;
      const printed = printTree(tree);
      return printed !== undefined && answersOf(printed.javascript, inputs)?.join() === answers;
    });
    expect(missed.map(([change]) => change)).toEqual([]);
  });
});

/** Lists the answers that a condition gives for inputs; an error is none. */
function listAnswers({ evaluate }: ExpressionPredicate, inputs: readonly JsonValue[]): readonly unknown[] {
  const answers = new Set(inputs.map((input) => outcomeOf(() => evaluate(input))));
  return [...answers].filter((answer) => answer !== "error");
}

type Faults = readonly (readonly [change: string, tree: Part])[];

/** Returns the faults of a part that no input of the whole condition shows. */
function findMissed(source: string, part: Part, faults: Faults): readonly string[] {
  const whole = compiled(source);
  const inputs = sample(whole.expression);
  const answers = answersOf(whole.javascript, inputs)?.join();
  const place = placeOf(treeOf(whole), JSON.stringify(part));
  return faults.flatMap(([change, tree]) => {
    const printed = printTree(replaceAt(treeOf(whole), place, tree));
    const given = printed && answersOf(printed.javascript, inputs);
    return given?.join() === answers ? [`${source}: ${change}`] : [];
  });
}

/** Returns the names of the members that lead to a part that is printed like this. */
function placeOf(whole: Part, text: string): readonly string[] {
  const find = (part: Part): readonly string[] | undefined => {
    if (JSON.stringify(part) === text) return [];
    for (const [key, value] of Object.entries(part)) {
      const isPart = typeof value === "object" && value !== null && !Array.isArray(value);
      const below = isPart ? find(value as Part) : undefined;
      if (below !== undefined) return [key, ...below];
    }
    return undefined;
  };
  return find(whole) ?? expect.fail(`the part is not in the condition: ${text}`);
}

function replaceAt(whole: Part, [key, ...below]: readonly string[], to: Part): Part {
  return key === undefined ? to : { ...whole, [key]: replaceAt(whole[key] as Part, below, to) };
}
