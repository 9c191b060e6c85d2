import type { TypeMask } from "../../json/type-mask.js";
import type { Bound } from "../../resolve/types.js";
import type { Merge } from "./merge.js";

type Minimum = "minLength" | "minItems" | "minProperties";
type Maximum = "maxLength" | "maxItems" | "maxProperties";

/** Takes the highest minimum and the lowest maximum; together they may exclude every value of their type. */
export function mergeCounts(merge: Merge, minimum: Minimum, maximum: Maximum, types: TypeMask): void {
  let lowest: Bound | undefined;
  let highest: Bound | undefined;
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
