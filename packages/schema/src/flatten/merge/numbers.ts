import { leastCommonMultiple } from "../../json/decimal.js";
import { INTEGER, NUMBER } from "../../json/type-mask.js";
import type { Bound } from "../../resolve/types.js";
import { residual } from "../conjunction/diagnostics.js";
import type { Merge } from "./merge.js";

interface Limit {
  readonly value: number;
  readonly exclusive: boolean;
  readonly part: Bound;
  readonly keyword: "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum";
}

/** Finds the highest lower bound (`sign` 1) or the lowest upper bound (-1). At equal values the exclusive one wins. */
function tightest(
  merge: Merge,
  inclusive: "minimum" | "maximum",
  exclusive: "exclusiveMinimum" | "exclusiveMaximum",
  sign: 1 | -1,
): Limit | undefined {
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

export function mergeNumbers(merge: Merge): void {
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

function mergeMultiples(merge: Merge): void {
  const parts = merge.parts.filter(({ keywords }) => keywords.multipleOf !== undefined);
  if (parts.length === 0) return;
  const values = [...new Set(parts.map(({ keywords }) => keywords.multipleOf ?? 1))];
  const common = values.reduce<number | undefined>(
    (left, right) => (left === undefined ? undefined : leastCommonMultiple(left, right)),
    values[0],
  );
  if (common !== undefined) {
    merge.out.multipleOf = common;
    return;
  }
  for (const multipleOf of values) merge.residual({ multipleOf });
  const origins = parts.map((part) => merge.origin(part, "multipleOf"));
  merge.report(residual("multipleOf", origins));
}
