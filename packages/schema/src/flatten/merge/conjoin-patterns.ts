import { linearPattern } from "../../patterns/linear-pattern.js";

/**
 * One pattern that holds where all of several do. A JSON Schema pattern may match anywhere in the string, so each is
 * sought from the start on by a look-ahead of its own: `^a` and `z$` give `^(?=[\s\S]*?(?:^a))(?=[\s\S]*?(?:z$))`.
 * `undefined` where named groups would change their meaning by standing together, or the whole cannot be matched in
 * linear time.
 */
export function conjoinPatterns(patterns: readonly string[]): string | undefined {
  if (patterns.some((pattern) => /\\[1-9]|\\k<|\(\?<[^=!]/.test(pattern))) return undefined;
  const joined = `^${patterns.map((pattern) => `(?=[\\s\\S]*?(?:${pattern}))`).join("")}`;
  return linearPattern(joined) === undefined ? undefined : joined;
}
