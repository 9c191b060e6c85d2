import { attempt } from "../../diagnostics/thrown-text.js";
import { duration, timestamp } from "@hasp/runtime/codegen/v1";
import { createValidator, type JsonSchema, type JsonValue } from "@hasp/schema";
import { parsePointer, isList, isObject } from "../../model/json.js";
import { type CompiledExpression, type Expression, listOperands } from "../../model/conditions.js";
import { findEdgeInputs } from "./edge-inputs.js";
import { sampleInputs } from "./sample-inputs.js";

/** Returns valid inputs on which a different condition would probably answer differently; `given` are the author's own. */
export function findConditionInputs(
  { expression, reads }: CompiledExpression,
  schema: JsonSchema,
  given: readonly JsonValue[],
  limit: number,
): readonly JsonValue[] {
  const found = new Map<string, JsonValue>();
  const validate = createValidator(schema, { defaults: true });
  const take = (candidates: Iterable<JsonValue>, most: number): void => {
    for (const candidate of candidates) {
      if (found.size >= most) return;
      const { valid, value } = validate(candidate);
      if (valid) found.set(JSON.stringify(value), value as JsonValue);
    }
  };
  take(sampleInputs(schema, [expression], given), limit / 2);
  const bases = [...found.values()].slice(0, MOST_BASES);
  take(inputsWithLiterals(expression, reads, bases), limit);
  take(findEdgeInputs(schema, schema), limit);
  return [...found.values()];
}

const MOST_BASES = 4;

/** Puts values like the literals of an expression where it reads: into one field, then into all of them. */
function* inputsWithLiterals(
  expression: Expression,
  reads: readonly string[],
  bases: readonly JsonValue[],
): Generator<JsonValue> {
  const values = valuesLike(literalsOf(expression));
  const paths = reads.map(parsePointer).filter((path) => !path.includes("*"));
  for (const base of bases) {
    for (const value of values) {
      for (const path of paths) yield withValue(base, path, value);
      yield paths.reduce((input, path) => withValue(input, path, value), base);
    }
  }
  // Fields that are compared with each other.
  for (const base of bases) {
    for (const [index, path] of paths.entries()) {
      const others = [...paths.slice(0, index), ...paths.slice(index + 1)];
      for (const value of values) {
        const held = withValue(base, path, value);
        for (const other of others) for (const beside of values) yield withValue(held, other, beside);
      }
    }
  }
}

function literalsOf(expression: Expression): readonly (string | number)[] {
  const own = expression.kind === "literal" ? [expression.value] : [];
  const pattern = expression.kind === "matches" ? textsLike(expression.pattern) : [];
  const found = own.filter((value) => typeof value === "string" || typeof value === "number");
  return [...found, ...pattern, ...listOperands(expression).flatMap(literalsOf)];
}

/** Returns texts that a simple pattern may match: its literal characters. */
function textsLike(pattern: string): readonly string[] {
  const plain = pattern.replaceAll(/\\(.)|[$()*+.?[\]^{|}]/gu, "$1");
  return [plain, `${plain}${plain.slice(-1)}`];
}

function valuesLike(literals: readonly (string | number)[]): readonly JsonValue[] {
  const texts = literals.filter((literal) => typeof literal === "string");
  const numbers = literals.filter((literal) => typeof literal === "number");
  const strings = [
    ...texts.flatMap((text) => [text, `${text}x`, `x${text}`, text.slice(0, -1)]),
    ...timesLike(texts),
    "",
    "a",
    "ab",
    "\u{1F600}",
    "constructor",
  ];
  const amounts = [
    ...numbers.flatMap((number) => [number, number + 1, number - 1, -number, number * 2]),
    0,
    1,
    2,
    3,
    0.5,
  ];
  const items = [...new Set(strings)].slice(0, 12);
  const maps = items.flatMap((text) => [{ [text]: "a" }, { [text]: text, a: "b" }]);
  return [
    ...new Set<JsonValue>([null, true, false, ...strings, ...amounts, Number.MAX_SAFE_INTEGER, -7, -0.5]),
    [],
    {},
    ...items.map((text) => [text]),
    ...items.map((text) => [text, "other"]),
    items.slice(0, 2),
    ...maps,
    ...maps.map((map) => [map]),
  ];
}

/** Returns points and lengths of time near those that an expression names, and at the distances that it names. */
function timesLike(texts: readonly string[]): readonly string[] {
  const lengths = texts.flatMap((text) => nanoseconds(duration, text));
  const points = texts.flatMap((text) => nanoseconds(timestamp, text));
  const distances = [0n, 1n, ...lengths].flatMap((length) => [length, -length]);
  const [moments, spans] = [points, lengths].map((all) => all.flatMap((each) => distances.map((by) => each + by)));
  return [
    ...(moments ?? []).map((moment) => new Date(Number(moment / 1_000_000n)).toISOString()),
    ...(spans ?? []).map((span) => `${span}ns`),
    ...(points.length === 0 ? [] : ["0001-01-02T00:00:00Z", "1971-01-01T00:00:00Z", "9999-12-30T00:00:00Z"]),
    ...(lengths.length === 0 ? [] : ["87600000h"]),
  ];
}

function nanoseconds(read: (text: string) => bigint, text: string): readonly bigint[] {
  return attempt(() => [read(text)]) ?? [];
}

function withValue(input: JsonValue, [key, ...others]: readonly string[], value: JsonValue): JsonValue {
  if (key === undefined) return value;
  const holder = isObject(input) && !isList(input) ? input : {};
  return { ...holder, [key]: withValue(holder[key] ?? {}, others, value) };
}
