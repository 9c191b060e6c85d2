import { computeLeastCommonMultiple, cloneJson, isEqualJson, type JsonValue } from "@hasp/base/json";
import {
  INTEGER,
  NUMBER,
  type TypeMask,
  STRING,
  ANY_TYPE,
  maskOfTypes,
  maskOfValue,
  listTypes,
} from "../../json/type-mask.js";
import type { BoundSchema } from "../../resolve/types.js";
import { reportResidual, type Cause } from "../conjunction/diagnostics.js";
import type { NodeMerge } from "./merge.js";
import { linearPattern } from "../../patterns/linear-pattern.js";
import type { TypeName, MutableSchema } from "../../vocabulary/json-schema.js";

/** Intersects `type`, `enum` and `const`. Runs last: other families may have excluded types, and bounds drop values. */
export function mergeValues(merge: NodeMerge): void {
  const { out, types } = merge;
  if (types === 0) return merge.never(causesOf(merge, TYPES));
  let order: readonly TypeName[] | undefined;
  let isSpelledAsList = false;
  let stated = ANY_TYPE;
  let values: readonly JsonValue[] | undefined;
  let isConstant = false;
  for (const { node, keywords } of merge.parts) {
    const { type, enum: list, const: constant } = keywords;
    if (type !== undefined) {
      // One author's `["string"]` stays a list.
      isSpelledAsList = order === undefined && Array.isArray((node.value as { readonly type?: unknown }).type);
      order = order === undefined ? type : order.concat(type);
      stated &= maskOfTypes(type);
    }
    if (list !== undefined) values = intersection(values, list);
    if (constant === undefined) continue;
    values = intersection(values, [constant]);
    isConstant = true;
  }
  if (order !== undefined) {
    // A listed 1 does not turn the author's `number` into `integer`.
    const left = listTypes(stated & ((types & NUMBER) === 0 ? types : types | NUMBER), order);
    const [single] = left;
    if (single !== undefined) out.type = left.length > 1 || isSpelledAsList ? left : single;
  }
  if (values === undefined) return;
  const kept = values.filter((value) => (maskOfValue(value) & types) !== 0 && fits(value, out));
  const [only] = kept;
  if (only === undefined) return merge.never(causesOf(merge, values.length === 0 ? LISTS : BOUNDS));
  if (kept.length === 1 && isConstant) out.const = cloneJson(only);
  else out.enum = kept.map(cloneJson);
}

function causesOf(merge: NodeMerge, keywords: readonly ValueKeyword[]): Cause[] {
  return merge.parts.flatMap((part) =>
    keywords.filter((keyword) => part.keywords[keyword] !== undefined).map((keyword) => cause(merge, part, keyword)),
  );
}

function cause(merge: NodeMerge, part: BoundSchema, keyword: ValueKeyword): Cause {
  return { ...merge.because(part, keyword), deliberate: keyword === "enum" && part.keywords.enum?.length === 0 };
}

const LISTS = ["enum", "const"] as const;

const TYPES = ["type", ...LISTS] as const;

const BOUNDS = [
  ...TYPES,
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
] as const;

type ValueKeyword = (typeof BOUNDS)[number];

function intersection(left: readonly JsonValue[] | undefined, right: readonly JsonValue[]): readonly JsonValue[] {
  if (left === undefined) return right;
  const scalars = new Set(right);
  return left.filter(
    (value) => scalars.has(value) || (typeof value === "object" && right.some((other) => isEqualJson(value, other))),
  );
}

function fits(value: JsonValue, out: MutableSchema): boolean {
  if (typeof value === "number") {
    return (
      value >= (out.minimum ?? -Infinity) &&
      value <= (out.maximum ?? Infinity) &&
      (out.exclusiveMinimum === undefined || value > out.exclusiveMinimum) &&
      (out.exclusiveMaximum === undefined || value < out.exclusiveMaximum)
    );
  }
  if (typeof value === "string" && (out.minLength !== undefined || out.maxLength !== undefined)) {
    const { length } = Array.from(value);
    return length >= (out.minLength ?? 0) && length <= (out.maxLength ?? Infinity);
  }
  return true;
}

interface RangeEnd {
  readonly value: number;
  readonly exclusive: boolean;
  readonly part: BoundSchema;
  readonly keyword: "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum";
}

/** Finds the highest lower bound (`sign` 1) or the lowest upper bound (-1). At equal values the exclusive one wins. */
function tightest(
  merge: NodeMerge,
  inclusive: "minimum" | "maximum",
  exclusive: "exclusiveMinimum" | "exclusiveMaximum",
  sign: 1 | -1,
): RangeEnd | undefined {
  let best: RangeEnd | undefined;
  for (const part of merge.parts) {
    for (const keyword of [inclusive, exclusive] as const) {
      const value = part.keywords[keyword];
      if (value === undefined) continue;
      const isExclusive = keyword === exclusive;
      const difference = best === undefined ? 1 : (value - best.value) * sign;
      if (difference > 0 || (difference === 0 && isExclusive)) best = { value, exclusive: isExclusive, part, keyword };
    }
  }
  if (best !== undefined) merge.out[best.keyword] = best.value;
  return best;
}

export function mergeNumbers(merge: NodeMerge): void {
  const lower = tightest(merge, "minimum", "exclusiveMinimum", 1);
  const upper = tightest(merge, "maximum", "exclusiveMaximum", -1);
  if (lower !== undefined && upper !== undefined) {
    const isOpen = lower.exclusive || upper.exclusive;
    const first = lower.exclusive ? Math.floor(lower.value) + 1 : Math.ceil(lower.value);
    const last = upper.exclusive ? Math.ceil(upper.value) - 1 : Math.floor(upper.value);
    const excluded =
      lower.value > upper.value || (lower.value === upper.value && isOpen) ? NUMBER : first > last ? INTEGER : 0;
    if (excluded !== 0) {
      merge.exclude(excluded, [merge.because(lower.part, lower.keyword), merge.because(upper.part, upper.keyword)]);
    }
  }
  mergeMultiples(merge);
}

function mergeMultiples(merge: NodeMerge): void {
  const parts = merge.parts.filter(({ keywords }) => keywords.multipleOf !== undefined);
  if (parts.length === 0) return;
  const values = [...new Set(parts.map(({ keywords }) => keywords.multipleOf ?? 1))];
  const common = values.reduce<number | undefined>(
    (left, right) => (left === undefined ? undefined : computeLeastCommonMultiple(left, right)),
    values[0],
  );
  if (common !== undefined) {
    merge.out.multipleOf = common;
    return;
  }
  for (const multipleOf of values) merge.residual({ multipleOf });
  const origins = parts.map((part) => merge.origin(part, "multipleOf"));
  merge.report(reportResidual("multipleOf", origins));
}

type Minimum = "minLength" | "minItems" | "minProperties";

type Maximum = "maxLength" | "maxItems" | "maxProperties";

/** Takes the highest minimum and the lowest maximum; together they may exclude every value of their type. */
export function mergeCounts(merge: NodeMerge, minimum: Minimum, maximum: Maximum, types: TypeMask): void {
  let lowest: BoundSchema | undefined;
  let highest: BoundSchema | undefined;
  for (const part of merge.parts) {
    const low = part.keywords[minimum];
    const high = part.keywords[maximum];
    if (low !== undefined && low > (merge.out[minimum] ?? -1)) {
      merge.out[minimum] = low;
      lowest = part;
    }
    if (high !== undefined && high < (merge.out[maximum] ?? Infinity)) {
      merge.out[maximum] = high;
      highest = part;
    }
  }
  if (lowest === undefined || highest === undefined) return;
  if ((merge.out[minimum] ?? 0) > (merge.out[maximum] ?? 0)) {
    merge.exclude(types, [merge.because(lowest, minimum), merge.because(highest, maximum)]);
  }
}

/** Maps the distinct values of one keyword to the first part that has each. */
function distinctValues(parts: readonly BoundSchema[], keyword: "pattern" | "format"): Map<string, BoundSchema> {
  const found = new Map<string, BoundSchema>();
  for (const part of parts) {
    const value = part.keywords[keyword];
    if (value !== undefined && !found.has(value)) found.set(value, part);
  }
  return found;
}

export function mergeStrings(merge: NodeMerge): void {
  mergeCounts(merge, "minLength", "maxLength", STRING);
  for (const keyword of ["pattern", "format"] as const) {
    if (merge.parts.every((part) => part.keywords[keyword] === undefined)) continue;
    const values = distinctValues(merge.parts, keyword);
    const [only] = values.keys();
    if (only === undefined) continue;
    const joined = values.size === 1 ? only : keyword === "pattern" ? conjoinPatterns([...values.keys()]) : undefined;
    if (joined !== undefined) {
      merge.out[keyword] = joined;
      continue;
    }
    for (const value of values.keys()) merge.residual({ [keyword]: value });
    const origins = [...values.values()].map((part) => merge.origin(part, keyword));
    merge.report(reportResidual(keyword, origins));
  }
  const content = merge.parts.find(({ keywords }) => keywords.contentSchema !== undefined)?.keywords.contentSchema;
  if (content !== undefined) merge.out.contentSchema = merge.build([content], "child");
}

/**
 * Conjoins several patterns to one. A JSON Schema pattern may match anywhere in the string, so each is sought from the
 * start by a look-ahead of its own: `^a` and `z$` give `^(?=[\s\S]*?(?:^a))(?=[\s\S]*?(?:z$))`. `undefined` if named
 * groups would change their meaning, or the whole cannot be matched in linear time.
 */
function conjoinPatterns(patterns: readonly string[]): string | undefined {
  if (patterns.some((pattern) => /\\[1-9]|\\k<|\(\?<[^=!]/.test(pattern))) return undefined;
  const joined = `^${patterns.map((pattern) => `(?=[\\s\\S]*?(?:${pattern}))`).join("")}`;
  return linearPattern(joined) === undefined ? undefined : joined;
}
