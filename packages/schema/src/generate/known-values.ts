import { own, type JsonValue } from "@hasp/base/json";
import { comparePatterns, findMatch, type PatternBudget } from "../patterns/pattern-inclusion.js";
import { assertedFormats } from "../validate/index.js";
import type { SchemaObject } from "../vocabulary/json-schema.js";
import { listAllowed } from "./place-schemas.js";

/** The longest text that is tried because a bound lies there. */
const LONGEST_TEXT_AT_BOUND = 20_000;

export const ANYTHING: readonly JsonValue[] = ["x", "", 1, 1.5, true, null, [], {}];

/** Returns a number between two bounds of which one excludes 1. */
export function chooseBetween(lowest: number, highest: number, atLeast: (wanted: number) => number): number {
  if (Number.isInteger(atLeast(lowest))) return atLeast(lowest);
  if (!Number.isFinite(lowest)) return -atLeast(-Math.floor(highest));
  const middle = atLeast(Math.ceil(lowest));
  return middle <= highest ? middle : (lowest + highest) / 2;
}

/** Returns a number just beyond an exclusive bound. An infinite bound stays. */
export function excludeBound(exclusive: number, unit: number): number {
  return Number.isFinite(exclusive)
    ? exclusive + (unit === 0 ? Math.max(Math.abs(exclusive), 1) * 1e-6 : unit)
    : exclusive;
}

export function roundBetween(wanted: number, from: number, to: number): number {
  const short = Number(wanted.toFixed(2));
  return short >= from && short <= to ? short : wanted;
}

/** Lists numbers at bounds and beside them. */
export function listMarks(
  nodes: readonly SchemaObject[],
  others: readonly SchemaObject[],
  step: number,
): readonly number[] {
  const bounds = [...nodes, ...others].flatMap((node) => [
    node.minimum,
    node.maximum,
    node.exclusiveMinimum,
    node.exclusiveMaximum,
    node.multipleOf,
  ]);
  const marks = [0, 1, 1000, ...bounds, ...others.flatMap(listAllowed)].filter((mark) => typeof mark === "number");
  return marks.flatMap((mark) => [mark, mark - step, mark + step]);
}

/** Lists texts that one of several patterns matches and another does not, texts of other lengths, and usual spellings. */
export function listTextsBeside(
  nodes: readonly SchemaObject[],
  others: readonly SchemaObject[],
  budget: PatternBudget,
): readonly string[] {
  const both = [...nodes, ...others];
  const bounds = both.flatMap(({ minLength = 0, maxLength = 0 }) => [minLength, maxLength]);
  const lengths = [...new Set([0, 1, ...bounds.flatMap((length) => [length - 1, length, length + 1])])].filter(
    (length) => length >= 0 && length <= LONGEST_TEXT_AT_BOUND,
  );
  const [ours, theirs] = [nodes, others].map((list) => [...new Set(list.flatMap(({ pattern }) => pattern ?? []))]);
  const patterns = [...new Set([...(ours ?? []), ...(theirs ?? [])])];
  const given = both.flatMap((node) => [...listAllowed(node), ...(node.examples ?? [])]);
  return [
    ...(others.length === 0 ? [] : listDifferences(ours?.[0] ?? "", theirs?.[0] ?? "", budget)),
    ...SPELLINGS,
    ...patterns.flatMap((pattern) => lengths.flatMap((length) => findMatch(pattern, length, budget) ?? [])),
    ...lengths.map((length) => "x".repeat(length)),
    ...given.filter((value) => typeof value === "string"),
  ];
}

function listDifferences(pattern: string, other: string, budget: PatternBudget): readonly string[] {
  if (pattern === other) return [];
  return [comparePatterns(pattern, other, budget), comparePatterns(other, pattern, budget)].flatMap((found) =>
    typeof found === "object" ? [found.witness] : [],
  );
}

const SPELLINGS: readonly string[] = ["a", "A", "abc", "ABC", "a b", "a-b", "a_b", "a.b", "1", "abc123", "ab/c", "é"];

const MORE_FORMATS: { readonly [format: string]: string } = {
  byte: "c2FtcGxl",
  url: "https://example.com/",
  "uri-template": "https://example.com/{id}",
  "iso-time": "12:00:00Z",
  "iso-date-time": "2030-01-31T12:00:00Z",
  "json-pointer-uri-fragment": "#/a",
  "relative-json-pointer": "0",
};

export function findExample(format: string): string | undefined {
  return assertedFormats.get(format)?.example ?? own(MORE_FORMATS, format);
}
