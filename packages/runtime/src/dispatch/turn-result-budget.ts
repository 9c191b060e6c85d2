import { fairLimit, limit, sizeOf } from "../results/limits.js";
import { limitOf, putAway, resultsOf, toResult } from "./finish.js";
import type { CutToBudget } from "./parts.js";

/**
 * The part that keeps all results of a turn together under a budget: the largest give first, `unlimited` ones never.
 */
export function turnResultBudget(mostChars: number): CutToBudget {
  return async (engine, turn, finished) => {
    const results = resultsOf(finished);
    const sizes = finished.map((slot, index) => ({
      sizeChars: sizeOf(results[index]?.content ?? []),
      limit: limitOf(slot),
    }));
    const most = fairLimit(sizes, mostChars);
    for (const [index, slot] of finished.entries()) {
      const { outcome, result } = slot;
      if (most === undefined || outcome === undefined || result === undefined) continue;
      if (limitOf(slot) === "unlimited" || sizeOf(result.content) <= most) continue;
      const limited = await limit(outcome.content, most, putAway(engine, turn, slot), result.offloaded);
      results[index] = toResult(slot, outcome, limited, result.wasConcurrent);
    }
    return results;
  };
}
