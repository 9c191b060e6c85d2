import { compileFunction } from "node:vm";
import * as codegen from "@hasp/runtime/codegen/v1";
import type { JsonObject, JsonSchema } from "@hasp/schema";
import fc from "fast-check";
import {
  type ArithmeticDomain,
  type ArithmeticOperator,
  type Expression,
  type OrderOperator,
  printJavaScript,
  type PrintedPredicate,
} from "@hasp/compiler/conditions";

/** An expression of one kind and, where the kind has several operators, one of them. */
type Operator = NameOf<Expression>;

type NameOf<Part> = Part extends { readonly kind: "order"; readonly of: infer Of extends string }
  ? `${OrderOperator} ${Of}`
  : Part extends { readonly kind: "arithmetic" }
    ? Arithmetic
    : Part extends { readonly kind: infer Kind extends "equals" | "in-list"; readonly by: infer By extends string }
      ? `${Kind} ${By}`
      : Part extends { readonly kind: "size"; readonly of: infer Of extends string }
        ? `size ${Of}`
        : Part extends { readonly kind: "time"; readonly of: infer Of extends string }
          ? Of
          : Part extends { readonly kind: "text-form"; readonly form: infer Form extends string }
            ? Form
            : Part extends { readonly kind: "string-test"; readonly test: infer Test extends string }
              ? Test
              : Part extends { readonly kind: "quantifier"; readonly quantifier: infer Quantifier extends string }
                ? Quantifier
                : Part extends { readonly kind: infer Kind extends string }
                  ? Kind
                  : never;

type Arithmetic =
  | `${ArithmeticOperator} ${Extract<ArithmeticDomain, "integer">}`
  | `${Exclude<ArithmeticOperator, "%">} ${Extract<ArithmeticDomain, "double">}`
  | `+ ${Extract<ArithmeticDomain, "string">}`
  | `${"+" | "-"} ${Extract<ArithmeticDomain, "timestamp" | "duration">}`;

const NOON = "timestamp('2026-01-31T12:00:00Z')";

/** Conditions with every operator: one that is added to the language is a type error here. `it` is an input. */
export const OPERATOR_CONDITIONS: { readonly [Name in Operator]: readonly string[] } = {
  literal: ["it.flag == true", "it.text == 'a'", "it.count == -3", "it.scope == null"],
  input: ["it.flag"],
  variable: ["it.tags.exists(one, it.more.exists(two, one == two))"],
  member: ["it.flag", "it.nested.inner.x == 1"],
  has: ["has(it.maybe)", "has(it.nested.inner.y)", "present(it, 'max-rows')", "'cpu' in it.map"],
  list: ["it.mode in ['read', 'list']"],
  not: ["!it.flag"],
  and: ["it.flag && it.other"],
  or: ["it.flag || it.other"],
  condition: ["it.flag ? it.other : it.count == 2"],
  "equals identity": ["it.mode == 'read'", "it.mode != 'read'"],
  "equals value": ["it.map == it.map2", "it.map != it.map2"],
  "< number": ["it.count < 3"],
  "<= number": ["it.count <= 3"],
  "> number": ["it.count > 3"],
  ">= number": ["it.count >= 3"],
  "< string": ["it.text < 'b'"],
  "<= string": ["it.text <= 'b'"],
  "> string": ["it.text > 'b'"],
  ">= string": ["it.text >= 'b'"],
  "< time": [`timestamp(it.at) < ${NOON}`],
  "<= time": [`timestamp(it.at) <= ${NOON}`],
  "> time": ["duration(it.at) > duration('1h')"],
  ">= time": ["duration(it.at) >= duration('1h')"],
  "in-list identity": ["'a' in it.tags"],
  "in-list value": ["it.map in it.maps"],
  "in-map": ["it.text in it.map"],
  "+ integer": ["it.count + 2 == 1"],
  "- integer": ["it.count - 2 == 1"],
  "* integer": ["it.count * 2 == 4"],
  "/ integer": ["it.count / 2 == 1"],
  "% integer": ["it.count % 2 == 1"],
  "+ double": ["it.ratio + 2.0 == 1.0"],
  "- double": ["it.ratio - 2.0 == 1.0"],
  "* double": ["it.ratio * 2.0 == 1.0"],
  "/ double": ["it.ratio / 2.0 == 1.0"],
  "+ string": ["it.text + 'x' == 'ax'"],
  "+ timestamp": [`timestamp(it.at) + duration('1h') < ${NOON}`],
  "- timestamp": [`timestamp(it.at) - duration('1h') < ${NOON}`],
  "+ duration": ["duration(it.at) + duration('1m') > duration('2h')"],
  "- duration": ["duration(it.at) - duration('1m') > duration('2h')"],
  negate: ["-it.count == 3"],
  "size string": ["size(it.text) > 1"],
  "size list": ["size(it.tags) > 1"],
  "size map": ["size(it.map) > 1"],
  lower: ["it.text.lower() == 'a'", "lower(it.text).startsWith('a')"],
  upper: ["it.text.upper() == 'A'"],
  trim: ["it.text.trim() == 'a'"],
  startsWith: ["it.text.startsWith('a')"],
  endsWith: ["it.text.endsWith('a')"],
  contains: ["it.text.contains('a')"],
  matches: ["it.text.matches('^a+$')"],
  timestamp: [`timestamp(it.at) > ${NOON}`],
  duration: ["duration(it.at) > duration('1h')"],
  all: ["it.tags.all(tag, tag != 'x')"],
  exists: ["it.tags.exists(tag, tag == 'x')"],
};

const text = { type: "string", maxLength: 9 } as const;
const map = { type: "object", additionalProperties: { type: "string" } } as const;

// prettier-ignore
const REQUIRED = [
  "mode", "text", "count", "ratio", "flag", "other", "tags", "more", "at", "map", "map2", "maps", "nested", "scope",
] as const;

/** The inputs that these conditions read. */
export const OPERATOR_INPUT: JsonSchema = {
  type: "object",
  required: REQUIRED,
  additionalProperties: false,
  properties: {
    mode: { enum: ["read", "write", "list"] },
    text,
    count: { type: "integer" },
    ratio: { type: "number" },
    flag: { type: "boolean" },
    other: { type: "boolean" },
    tags: { type: "array", maxItems: 4, items: text },
    more: { type: "array", maxItems: 4, items: text },
    at: { type: "string", maxLength: 40 },
    map,
    map2: map,
    maps: { type: "array", maxItems: 4, items: map },
    maybe: { type: "string" },
    scope: { type: ["string", "null"] },
    "max-rows": { type: "integer" },
    nested: {
      type: "object",
      required: ["inner"],
      properties: {
        inner: {
          type: "object",
          required: ["x"],
          properties: { x: { type: "integer" }, y: { type: "integer" } },
        },
      },
    },
  },
};

/** Valid inputs, drawn without a look at any condition. */
const word = fc.string({ unit: fc.constantFrom("a", "b", "x", "c"), maxLength: 3 });
const words = fc.array(word, { maxLength: 3 });
const wordMap = fc.dictionary(word, word, { maxKeys: 2 });
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
export const operatorInput: fc.Arbitrary<JsonObject> = fc.record(
  {
    mode: fc.constantFrom("read", "write", "list"),
    text: word,
    count: integer,
    ratio: fc.oneof(integer, fc.constantFrom(0.5, 1.5, -0.5)),
    flag: fc.boolean(),
    other: fc.boolean(),
    tags: words,
    more: words,
    at: moment,
    map: wordMap,
    map2: wordMap,
    maps: fc.array(wordMap, { maxLength: 2 }),
    maybe: word,
    scope: fc.option(word),
    "max-rows": integer,
    nested: fc.record({ inner: fc.record({ x: integer, y: integer }, { requiredKeys: ["x"] }) }),
  },
  { requiredKeys: [...REQUIRED] },
);

/** A part of a tree, as far as faults go: kinds and fields of any name. */
export type Part = Readonly<Record<string, unknown>>;

/** The values that a field of a kind of expression has anywhere; a fault may put one in another's place. */
export type SeenValues = Map<string, Set<unknown>>;

export function noteValues(part: Part, seen: SeenValues): void {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value !== "object" || value === null) {
      const known = seen.get(`${String(part["kind"])}.${key}`) ?? new Set();
      seen.set(`${String(part["kind"])}.${key}`, known.add(value));
    } else for (const inner of Array.isArray(value) ? (value as Part[]) : [value as Part]) noteValues(inner, seen);
  }
}

/** Yields every tree with one field of one part changed, and what was changed. Positions in the schema are not part of it. */
export function* faultyTrees(part: Part, seen: SeenValues): Generator<readonly [change: string, faulty: Part]> {
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
        for (const [change, faulty] of faultyTrees(item, seen)) {
          yield [change, { ...part, [key]: items.with(index, faulty) }];
        }
      }
    } else if (typeof value === "object" && value !== null) {
      yield changed("negated", { kind: "not", operand: value });
      yield changed("left out", { kind: "literal", value: true });
      yield changed("never true", { kind: "literal", value: false });
      for (const [change, faulty] of faultyTrees(value as Part, seen)) yield [change, { ...part, [key]: faulty }];
    } else {
      for (const other of others(kind, key, value, seen)) yield changed(`${String(value)} → ${String(other)}`, other);
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

function others(kind: string, key: string, value: unknown, seen: SeenValues): readonly unknown[] {
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

/** Prints a tree; `undefined` where it cannot be printed. */
export function printTree(tree: Part): PrintedPredicate | undefined {
  try {
    return printJavaScript(tree as unknown as Expression);
  } catch {
    return undefined;
  }
}

type Condition = (input: unknown) => unknown;

/** Compiles a printed condition; `undefined` for text that is no JavaScript. */
function compilePrinted(javascript: string): Condition | undefined {
  try {
    const names = Object.keys(codegen);
    const create = compileFunction(`"use strict"; return (input) => ${javascript};`, names) as (
      ...values: unknown[]
    ) => Condition;
    return create(...Object.values(codegen));
  } catch {
    return undefined;
  }
}

/** Returns what a printed condition answers for each input. */
export function answersOf(javascript: string, inputs: readonly unknown[]): readonly unknown[] | undefined {
  const evaluate = compilePrinted(javascript);
  return evaluate && inputs.map((input) => answerOf(evaluate, input));
}

function answerOf(evaluate: Condition, input: unknown): unknown {
  try {
    const answer = evaluate(input);
    return typeof answer === "boolean" ? answer : "error";
  } catch {
    return "error";
  }
}
