const LONGEST_TESTED_NAME = 256;

/**
 * Whether a pattern may be run while compiling: it has no repetition inside a repetition, and no back-reference, so it
 * cannot take exponential time. A stricter test than needed; what fails it is kept apart, never guessed at.
 */
function isTame(pattern: string): boolean {
  if (/\\[1-9]|\\k</.test(pattern)) return false;
  const plain = pattern.replaceAll(/\\./g, "x").replaceAll(/\[[^\]]*\]/g, "x");
  // The innermost groups first: a group that repeats or chooses, and is itself repeated, is what backtracks.
  let left = plain;
  for (;;) {
    const group = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?([^()]*)\)([*+{])?/.exec(left);
    if (group === null) break;
    const [text, inner = "", repeated] = group;
    const varies = /[*+{|?]/.test(inner);
    if (repeated !== undefined && varies) return false;
    left = left.slice(0, group.index) + (varies ? "x?" : "x") + left.slice(group.index + text.length);
  }
  return (left.match(/[*+{]/g) ?? []).length <= 3;
}

/** Tests property names against a pattern; `undefined` where running it might take too long. */
export function nameTester(pattern: string): (name: string) => boolean | undefined {
  const expression = isTame(pattern) ? new RegExp(pattern, "u") : undefined;
  return (name) => (name.length > LONGEST_TESTED_NAME ? undefined : expression?.test(name));
}

/** Whether a pattern matches one property name; `undefined` where running it might take too long. */
export function matchesName(pattern: string, name: string): boolean | undefined {
  return nameTester(pattern)(name);
}
