/**
 * One pattern that holds where all of several do. A JSON Schema pattern may match anywhere in the string, so each is
 * sought from the start on by a look-ahead of its own: `^a` and `z$` give `^(?=[\s\S]*?(?:^a))(?=[\s\S]*?(?:z$))`.
 * `undefined` where numbered or named groups would change their meaning by standing together.
 */
export function conjoinPatterns(patterns: readonly string[]): string | undefined {
  if (patterns.some((pattern) => /\\[1-9]|\\k<|\(\?<[^=!]/.test(pattern))) return undefined;
  return `^${patterns.map((pattern) => `(?=[\\s\\S]*?(?:${pattern}))`).join("")}`;
}
