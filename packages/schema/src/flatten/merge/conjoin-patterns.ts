import { linearPattern } from "../../patterns/linear-pattern.js";

/**
 * Conjoins several patterns to one. A JSON Schema pattern may match anywhere in the string, so each is sought from the
 * start by a look-ahead of its own: `^a` and `z$` give `^(?=[\s\S]*?(?:^a))(?=[\s\S]*?(?:z$))`. `undefined` if named
 * groups would change their meaning, or the whole cannot be matched in linear time.
 */
export function conjoinPatterns(patterns: readonly string[]): string | undefined {
  if (patterns.some((pattern) => /\\[1-9]|\\k<|\(\?<[^=!]/.test(pattern))) return undefined;
  const joined = `^${patterns.map((pattern) => `(?=[\\s\\S]*?(?:${pattern}))`).join("")}`;
  return linearPattern(joined) === undefined ? undefined : joined;
}
