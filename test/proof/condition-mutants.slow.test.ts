import { compileFunction } from "node:vm";
import * as codegen from "@hasp/runtime/codegen/v1";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Expression } from "../../packages/compiler/src/model/conditions.js";
import { compile } from "../../packages/compiler/src/compile.js";
import type { EmitInput } from "../../packages/compiler/src/context/plugins.js";
import { completePlan } from "../../packages/compiler/src/config/complete-plan.js";
import { groupBy } from "../../packages/compiler/src/model/group-by.js";
import { answerQuestions } from "../../packages/project/src/modules/emitted/answer-questions.js";
import { emitFiles } from "../../packages/compiler/src/context/context.testing.js";
import { createContextFor } from "../../packages/compiler/src/builtin/index.js";
import { prepare } from "../../packages/compiler/src/builtin/emitters/prepare.js";
import { listExpectations, type Expectation } from "../../packages/compiler/src/verify/expected-build.js";
import { verifyModules } from "../../packages/compiler/src/verify/verify-build.js";
import { printJavaScript, type PrintedPredicate } from "../../packages/compiler/src/cel/print-javascript.js";

/**
 * Gives the printer of conditions each fault that it can have, one at a time: it prints the tree of a condition with one
 * part changed. `build --check` must refuse each one that some valid input can tell from the condition.
 */

/** Conditions with every kind of expression: a kind that is added to the language is a type error here. */
const CONDITIONS: { readonly [Kind in Expression["kind"]]: readonly string[] } = {
  literal: ["input.flag == true", "input.text == 'a'", "input.count == -3", "input.scope == null"],
  input: ["input.flag"],
  variable: ["input.tags.exists(one, input.more.exists(two, one == two))"],
  member: ["input.flag", "input.nested.inner.x == 1"],
  has: ["has(input.maybe)", "has(input.nested.inner.y)", "present(input, 'max-rows')"],
  list: ["input.mode in ['read', 'list']"],
  not: ["!input.flag"],
  and: ["input.flag && input.other"],
  or: ["input.flag || input.other"],
  condition: ["input.flag ? input.other : input.count == 2"],
  equals: ["input.mode == 'read'", "input.mode != 'read'", "input.map == input.map2", "input.map != input.map2"],
  order: [
    ...["<", "<=", ">", ">="].map((operator) => `input.count ${operator} 3`),
    ...["<", "<=", ">", ">="].map((operator) => `input.text ${operator} 'b'`),
    "timestamp(input.at) < timestamp('2026-01-31T12:00:00Z')",
  ],
  "in-list": ["'a' in input.tags", "input.map in input.maps"],
  "in-map": ["input.text in input.map"],
  arithmetic: [
    ...["+", "-", "*", "/", "%"].map((operator) => `input.count ${operator} 2 == 1`),
    ...["+", "-", "*", "/"].map((operator) => `input.ratio ${operator} 2.0 == 1.0`),
    "input.text + 'x' == 'ax'",
    "timestamp(input.at) + duration('1h') < timestamp('2026-01-31T12:00:00Z')",
    "duration(input.at) - duration('1m') > duration('2h')",
  ],
  negate: ["-input.count == 3"],
  size: ["size(input.text) > 1", "size(input.tags) > 1", "size(input.map) > 1"],
  "string-test": ["input.text.startsWith('a')", "input.text.endsWith('a')", "input.text.contains('a')"],
  matches: ["input.text.matches('^a+$')"],
  time: ["timestamp(input.at) > timestamp('2026-01-31T12:00:00Z')", "duration(input.at) > duration('1h')"],
  quantifier: ["input.tags.all(tag, tag != 'x')", "input.tags.exists(tag, tag == 'x')"],
};

const spec = (condition: string): string => `hasp: 1
name: act
description: Act on something. Use it to act.
input:
  type: object
  required: [mode, text, count, ratio, flag, other, tags, more, at, map, map2, maps, nested, scope]
  properties:
    mode: { enum: [read, write, list] }
    text: { type: string, maxLength: 9 }
    count: { type: integer }
    ratio: { type: number }
    flag: { type: boolean }
    other: { type: boolean }
    tags: { type: array, maxItems: 4, items: { type: string, maxLength: 9 } }
    more: { type: array, maxItems: 4, items: { type: string, maxLength: 9 } }
    at: { type: string, maxLength: 40 }
    map: { type: object, additionalProperties: { type: string } }
    map2: { type: object, additionalProperties: { type: string } }
    maps: { type: array, maxItems: 4, items: { type: object, additionalProperties: { type: string } } }
    maybe: { type: string }
    scope: { type: [string, "null"] }
    max-rows: { type: integer }
    nested: { type: object, required: [inner], properties: { inner: { type: object, required: [x], properties: { x: { type: integer }, y: { type: integer } } } } }
concurrency: { rules: [{ when: ${JSON.stringify(condition)}, class: READ_ONLY }] }
examples: [{ input: { mode: read, text: a, count: 1, ratio: 1, flag: true, other: false, tags: [a], more: [], at: 1h, map: {}, map2: {}, maps: [], scope: null, nested: { inner: { x: 1 } } } }]
`;

const plan = completePlan({ dialects: [], unlocked: true, today: "2030-01-01" });
const sourcesOf = (condition: string) => [{ uri: "act.tool.yaml", text: spec(condition), role: "spec" as const }];

/** A sound build of a condition, and what is expected of its modules: the same for every fault of the printer. */
interface Sound {
  readonly tree: Part;
  readonly expectations: readonly Expectation[];
  /** The input of the emitters if the printer had printed something else. */
  printedAs(printed: PrintedPredicate): EmitInput;
}

async function compileSound(condition: string): Promise<Sound> {
  const { tools, toolsets } = await compile(sourcesOf(condition), plan, { emits: false });
  const [tool] = tools;
  const [rule] = tool?.rules ?? [];
  if (tool === undefined || rule?.when?.kind !== "expression") return expect.fail(condition);
  const { when } = rule;
  return {
    tree: when.expression as unknown as Part,
    expectations: [
      ...listExpectations(prepare({ tools, toolsets, plan }, createContextFor({ tools, toolsets, plan }))),
    ],
    printedAs: (printed) => ({
      tools: [{ ...tool, rules: [{ ...rule, when: { ...when, ...printed } }] }],
      toolsets,
      plan,
    }),
  };
}

/** Emits the modules with a condition as it was printed, and verifies them. */
async function verify({ printedAs, expectations }: Sound, printed: PrintedPredicate): Promise<void> {
  const { value, diagnostics } = await emitFiles(printedAs(printed));
  expect(diagnostics).toEqual([]);
  await verifyModules(expectations, value, answerQuestions);
}

/** Valid inputs, drawn without a look at any condition. */
const text = fc.string({ unit: fc.constantFrom("a", "b", "x", "c"), maxLength: 3 });
const tags = fc.array(text, { maxLength: 3 });
const map = fc.dictionary(text, text, { maxKeys: 2 });
const integer = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constant(Number.MAX_SAFE_INTEGER));
const moment = fc.constantFrom(
  "2026-01-31T12:00:00Z",
  "2026-01-31T11:00:00Z",
  "2026-02-01T00:00:00Z",
  "1h",
  "2h1m",
  "3h",
  "x",
);
const inputs = fc.sample(
  fc.record(
    {
      mode: fc.constantFrom("read", "write", "list"),
      text,
      count: integer,
      ratio: fc.oneof(integer, fc.constantFrom(0.5, 1.5, -0.5)),
      flag: fc.boolean(),
      other: fc.boolean(),
      tags,
      more: tags,
      at: moment,
      map,
      map2: map,
      maps: fc.array(map, { maxLength: 2 }),
      maybe: text,
      scope: fc.option(text),
      "max-rows": integer,
      nested: fc.record({ inner: fc.record({ x: integer, y: integer }, { requiredKeys: ["x"] }) }),
    },
    // prettier-ignore
    { requiredKeys: ["mode", "text", "count", "ratio", "flag", "other", "tags", "more", "at", "map", "map2", "maps", "scope", "nested"] },
  ),
  { numRuns: 400, ...seedOfRun() },
);

/** The seed that the environment asks for; the same one otherwise, so that every run proves the same. */
function seedOfRun(): { readonly seed: number } {
  return { seed: fc.readConfigureGlobal().seed ?? 1 };
}

/** Returns what a printed condition answers for each input. */
function answersOf(javascript: string): string {
  try {
    const names = Object.keys(codegen);
    const evaluate = (
      compileFunction(`"use strict"; return (input) => ${javascript};`, names) as (...values: unknown[]) => Condition
    )(...Object.values(codegen));
    return JSON.stringify(inputs.map((input) => answerOf(evaluate, input)));
  } catch {
    return "no condition";
  }
}

type Condition = (input: unknown) => unknown;

function answerOf(evaluate: Condition, input: unknown): unknown {
  try {
    const answer = evaluate(input);
    return typeof answer === "boolean" ? answer : "error";
  } catch {
    return "error";
  }
}

const conditions = Object.entries(CONDITIONS).flatMap(([kind, sources]) => sources.map((source) => ({ kind, source })));

/** A part of a tree, as far as mutants go: kinds and fields of any name. */
type Part = Readonly<Record<string, unknown>>;

/** The values that a field of a kind of expression has anywhere; a fault may put one in another's place. */
const seen = new Map<string, Set<unknown>>();

function note(part: Part): void {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value !== "object" || value === null) {
      const known = seen.get(`${String(part["kind"])}.${key}`) ?? new Set();
      seen.set(`${String(part["kind"])}.${key}`, known.add(value));
    } else for (const inner of Array.isArray(value) ? (value as Part[]) : [value as Part]) note(inner);
  }
}

/** Every tree with one field of one part changed, and what was changed. Positions in the schema are not part of it. */
function* mutants(part: Part): Generator<readonly [change: string, mutant: Part]> {
  const kind = String(part["kind"]);
  for (const [key, value] of Object.entries(part)) {
    if (key === "pointer") continue;
    const changed = (change: string, other: unknown): readonly [string, Part] => [
      `${kind}.${key}: ${change}`,
      { ...part, [key]: other },
    ];
    if (Array.isArray(value)) {
      const items = value as readonly Part[];
      yield changed("without its first item", items.slice(1));
      yield changed("with its first item twice", [...items.slice(0, 1), ...items]);
      for (const [index, item] of items.entries()) {
        for (const [change, mutant] of mutants(item)) yield [change, { ...part, [key]: items.with(index, mutant) }];
      }
    } else if (typeof value === "object" && value !== null) {
      yield changed("negated", { kind: "not", operand: value });
      yield changed("left out", { kind: "literal", value: true });
      for (const [change, mutant] of mutants(value as Part)) yield [change, { ...part, [key]: mutant }];
    } else {
      for (const other of others(kind, key, value)) yield changed(`${String(value)} → ${String(other)}`, other);
    }
  }
  const children = Object.entries(part).filter(
    ([, value]) => typeof value === "object" && value !== null && !Array.isArray(value),
  );
  const [[first = "", left] = [], [second = "", right] = []] = children;
  if (children.length === 2) {
    yield [`${kind}: ${first} and ${second} swapped`, { ...part, [first]: right, [second]: left }];
  }
  for (const [key, child] of children) yield [`${kind}: ${key} in its place`, child as Part];
}

function others(kind: string, key: string, value: unknown): readonly unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1, -value - 1];
  const known = [...(seen.get(`${kind}.${key}`) ?? [])].filter(
    (other) => other !== value && typeof other === typeof value,
  );
  if (key === "kind") return kind === "and" ? ["or"] : kind === "or" ? ["and"] : [];
  // A name, a pattern or a text may be any; the rest is one of few words.
  const isFree = ["name", "pattern", "value", "variable"].includes(key);
  return isFree && typeof value === "string" ? [`${value}x`, ...known.slice(0, 2)] : known;
}

const table: { readonly kind: string; readonly isObservable: boolean; readonly isRefused: boolean }[] = [];

afterAll(() => {
  const lines = [...groupBy(table, ({ kind }) => kind)].map(([kind, all]) => {
    const [observable, refused] = [all.filter((each) => each.isObservable), all.filter((each) => each.isRefused)];
    const counts = [all, observable, refused].map(({ length }) => String(length).padStart(10));
    return `${kind.padEnd(12)}${counts.join("")}\n`;
  });
  process.stdout.write(
    `\nfaults of the printer of conditions, against build --check\n${"construct".padEnd(12)}    faults  observed   refused\n${lines.join("")}`,
  );
});

/** Prints a tree; `undefined` where it cannot be printed. */
function printedTree(tree: Part): PrintedPredicate | undefined {
  try {
    return printJavaScript(tree as unknown as Expression);
  } catch {
    return undefined;
  }
}

async function isRefused(sound: Sound, printed: PrintedPredicate): Promise<boolean> {
  try {
    await verify(sound, printed);
    return false;
  } catch (error) {
    expect(String(error)).toMatch(/hasp generated .*\bact\b|oxfmt|cannot be (?:read|formatted)|does not parse/u);
    return true;
  }
}

const builds = new Map<string, Sound>();

describe("a fault of the printer", () => {
  test("is found in nothing that is sound", async () => {
    for (const { source } of conditions) {
      const sound = await compileSound(source);
      await verify(sound, printedTree(sound.tree) ?? expect.fail("nothing is printed"));
      builds.set(source, sound);
      note(sound.tree);
    }
  });

  test.each(conditions)("is refused if an input shows it: $kind, $source", async ({ kind, source }) => {
    const sound = builds.get(source) ?? expect.fail("no build");
    const original = printedTree(sound.tree)?.javascript ?? expect.fail("nothing is printed");
    const tried = new Set<string | undefined>([original, undefined]);
    const answers = answersOf(original);
    const missed: string[] = [];
    for (const [change, mutant] of mutants(sound.tree)) {
      const printed = printedTree(mutant);
      const text = printed?.javascript;
      // A change that prints the same, or nothing, is no fault of the printer.
      if (printed === undefined || text === undefined || tried.has(text)) continue;
      tried.add(text);
      const isObservable = answersOf(text) !== answers;
      const refused = await isRefused(sound, printed);
      table.push({ kind, isObservable, isRefused: refused });
      if (isObservable && !refused) missed.push(`printed as ${text} (${change})`);
    }
    expect(missed).toEqual([]);
    expect(tried.size, source).toBeGreaterThan(2);
  });
});
