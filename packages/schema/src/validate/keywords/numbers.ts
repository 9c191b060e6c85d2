import { fail } from "../check.js";
import { numberArgument, unusable, type Keyword, type KeywordTable } from "../compiler.js";
import { isMultipleOf } from "../multiple-of.js";

const multipleOf: Keyword<number> = (site) => {
  const divisor = numberArgument(site);
  if (divisor <= 0) throw unusable(site, "must be more than 0");
  return (value, run) => isMultipleOf(value, divisor) || fail(run, site, value, `a multiple of ${divisor}`);
};

function bound(words: string, isWithin: (value: number, limit: number) => boolean): Keyword<number> {
  return (site) => {
    const limit = numberArgument(site);
    return (value, run) => isWithin(value, limit) || fail(run, site, value, `${words} ${limit}`);
  };
}

/** Keywords that judge numbers. */
export const numberKeywords: KeywordTable<number> = new Map([
  ["minimum", bound("at least", (value, limit) => value >= limit)],
  ["maximum", bound("at most", (value, limit) => value <= limit)],
  ["exclusiveMinimum", bound("more than", (value, limit) => value > limit)],
  ["exclusiveMaximum", bound("less than", (value, limit) => value < limit)],
  ["multipleOf", multipleOf],
]);
