import { INTEGER, NUMBER } from "../../inspect/type-mask.js";
import type { Bound } from "../../bind/types.js";
import { flattenDiagnostics } from "../diagnostics.js";
import type { Merge } from "./merge.js";

/** One bound of a range, with the part that set it. */
interface Limit {
  readonly value: number;
  readonly exclusive: boolean;
  readonly part: Bound;
  readonly keyword: "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum";
}

/** `sign` 1 looks for the highest lower bound, -1 for the lowest upper bound. At equal values the exclusive one is tighter. */
function tightest(merge: Merge, inclusive: "minimum" | "maximum", exclusive: "exclusiveMinimum" | "exclusiveMaximum", sign: 1 | -1): Limit | undefined {
  let best: Limit | undefined;
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

/** Bounds tighten; multiples become the least common multiple. */
export function mergeNumbers(merge: Merge): void {
  const lower = tightest(merge, "minimum", "exclusiveMinimum", 1);
  const upper = tightest(merge, "maximum", "exclusiveMaximum", -1);
  if (lower !== undefined && upper !== undefined) {
    const isOpen = lower.exclusive || upper.exclusive;
    const first = lower.exclusive ? Math.floor(lower.value) + 1 : Math.ceil(lower.value);
    const last = upper.exclusive ? Math.ceil(upper.value) - 1 : Math.floor(upper.value);
    const excluded = lower.value > upper.value || (lower.value === upper.value && isOpen) ? NUMBER : first > last ? INTEGER : 0;
    if (excluded !== 0) merge.exclude(excluded, [merge.because(lower.part, lower.keyword), merge.because(upper.part, upper.keyword)]);
  }
  mergeMultiples(merge);
}

function mergeMultiples(merge: Merge): void {
  const parts = merge.parts.filter(({ keywords }) => keywords.multipleOf !== undefined);
  if (parts.length === 0) return;
  const values = [...new Set(parts.map(({ keywords }) => keywords.multipleOf ?? 1))];
  const common = values.reduce<number | undefined>((left, right) => (left === undefined ? undefined : leastCommonMultiple(left, right)), values[0]);
  if (common !== undefined) {
    merge.out.multipleOf = common;
    return;
  }
  for (const multipleOf of values) merge.residual({ multipleOf });
  const origins = parts.map((part) => merge.origin(part, "multipleOf"));
  merge.report(flattenDiagnostics.residual("multipleOf", "their least common multiple is no exact number", origins));
}

/** Over decimals: 0.4 and 0.6 give 1.2. `undefined` where the result would not be exact. */
function leastCommonMultiple(left: number, right: number): number | undefined {
  if (left === right) return left;
  const places = Math.max(decimalPlaces(left), decimalPlaces(right));
  if (places > 20) return undefined;
  const scale = 10n ** BigInt(places);
  const first = scaled(left, places);
  const second = scaled(right, places);
  let divisor = first;
  for (let rest = second; rest !== 0n; ) [divisor, rest] = [rest, divisor % rest];
  const multiple = (first / divisor) * second;
  if (multiple > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const result = Number(`${multiple / scale}.${(multiple % scale).toString().padStart(places, "0")}`);
  return scaled(result, places) === multiple ? result : undefined;
}

function decimalPlaces(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  return Math.max(0, (mantissa.split(".")[1] ?? "").length - Number(exponent));
}

/** The value times 10^places, exactly, read from its shortest decimal form. */
function scaled(value: number, places: number): bigint {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const zeros = places - fraction.length + Number(exponent);
  return zeros < 0 ? 0n : BigInt(whole + fraction) * 10n ** BigInt(zeros);
}
