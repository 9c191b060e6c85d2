import type { Dialect } from "../../dialects/definition/dialect.js";

/**
 * Whether a regular expression is inside what a dialect takes. The scan is coarse on purpose: what might be a refused
 * construct counts as one, and the constraint is then told in words.
 */
export function isPatternCarried(pattern: string, patterns: Dialect["patterns"]): boolean {
  switch (patterns) {
    case "any":
      return true;
    case "no-lookaround":
      return !lookaround.test(pattern);
    case "simple":
      return (
        !lookaround.test(pattern) &&
        !/\\[1-9bBk]/.test(pattern) &&
        !/\\[pPuxc]|\(\?/.test(pattern) &&
        !hasLargeRepeat(pattern)
      );
    case "unanchored":
      return !/[$^]|\(\?/.test(pattern);
  }
}

const lookaround = /\(\?<?[=!]/;

/** The bound of "small" is not published. */
const LARGEST_REPEAT = 100;

function hasLargeRepeat(pattern: string): boolean {
  return [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].some(
    ([, least, most]) => Math.max(Number(least), Number(most ?? 0)) > LARGEST_REPEAT,
  );
}
