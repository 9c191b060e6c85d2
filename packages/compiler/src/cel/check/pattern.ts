import { excerpt, printThrown } from "@hasp/base/diagnostics";
import { linearPattern } from "@hasp/schema/vocabulary";
import type { RefusalParameters } from "./messages.js";

const LONGEST_PATTERN = 500;
/** RE2's maximum count. It multiplies nested counts. */
const LARGEST_COUNT = 1000;

/** Finds why a pattern is refused: it must mean the same in RE2 and JavaScript, and match in linear time. */
export function findPatternProblem(pattern: string): RefusalParameters | undefined {
  if (pattern.length > LONGEST_PATTERN) return { variant: "pattern-length", limit: LONGEST_PATTERN };
  // Flags inside a pattern are new in JavaScript: say what to write instead, whatever this engine says of them.
  const [flags] = /(?<!\\)\(\?[a-z-]+[:)]/iu.exec(pattern) ?? [];
  if (flags !== undefined) return differs(flags);
  try {
    const isLinear = linearPattern(pattern) !== undefined;
    return problemOfMeaning(pattern) ?? (isLinear ? undefined : { variant: "pattern-time", pattern });
  } catch (error) {
    const reason = printThrown(error).replaceAll(pattern, () => excerpt(pattern));
    return { variant: "pattern-javascript", pattern, reason };
  }
}

/** Returns the maximum steps of a match per character of the text; 1 if JavaScript's own engine runs it. */
export function countStepsPerCharacter(pattern: string): number {
  if (linearPattern(pattern) instanceof RegExp) return 1;
  const counts = Array.from(pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/gu), ([, least, most = ""]) =>
    Math.max(1, Number(least), Number(most)),
  );
  return (
    pattern.length *
    Math.min(
      LARGEST_COUNT,
      counts.reduce((left, right) => left * right, 1),
    )
  );
}

// Constructs that mean the same in RE2 and JavaScript. Everything else is refused.
const SAME_IN_BOTH = [
  /^\\[dDwWbB]/u,
  /^\\[nrtfv]/u,
  /^\\x[0-9A-Fa-f]{2}/u,
  /^\\[\^$\\.*+?()[\]{}|/]/u,
  /^\((?:\?:)?(?!\?)/u,
  /^\{\d+(?:,\d*)?\}/u,
  /^[)|^$*+?]/u,
  /^[^\\.[\](){}|^$*+?]/u,
] as const;

const CLASS_MEMBER = /^(?:\\[dDwWnrtfv]|\\x[0-9A-Fa-f]{2}|\\[\^$\\.*+?()[\]{}|/-]|[^\\[\]])/u;

function problemOfMeaning(pattern: string): RefusalParameters | undefined {
  const tokens: string[] = [];
  for (let rest = pattern; rest !== ""; rest = rest.slice(tokens.at(-1)?.length)) {
    if (rest.startsWith("[")) {
      const length = classLength(rest);
      if (length === undefined) return differs(rest.slice(0, rest.indexOf("]") + 1 || rest.length));
      tokens.push(rest.slice(0, length));
      continue;
    }
    const found = SAME_IN_BOTH.map((form) => form.exec(rest)?.[0]).find((each) => each !== undefined);
    if (found === undefined) {
      return differs(rest.startsWith("(?") ? rest.slice(0, 3) : rest.slice(0, rest.startsWith("\\") ? 2 : 1));
    }
    tokens.push(found);
  }
  return problemOfCounts(tokens);
}

/** Finds a count that RE2 refuses: it multiplies each count with those inside its group. */
function problemOfCounts(tokens: readonly string[]): RefusalParameters | undefined {
  // The largest product in each open group, and that of the last part, which a count may follow.
  const products = [1];
  let last = 1;
  for (const token of tokens) {
    if (/^\{./u.test(token)) {
      const [least = 0, most = least] = (token.match(/\d+/gu) ?? []).map(Number);
      // A part that never occurs multiplies nothing.
      last = token.endsWith(",}") || most > 0 ? last * Math.max(1, most) : 1;
      if (last > LARGEST_COUNT) return { variant: "pattern-count", limit: LARGEST_COUNT, count: token };
      continue;
    }
    products.push(Math.max(products.pop() ?? 1, last));
    last = token === ")" ? (products.pop() ?? 1) : 1;
    if (token.startsWith("(")) products.push(1);
  }
  return undefined;
}

/** Returns the length of the leading character class if all its members mean the same in both engines. */
function classLength(text: string): number | undefined {
  let at = text.startsWith("[^") ? 2 : 1;
  const first = at;
  while (at < text.length) {
    if (text[at] === "]") return at === first ? undefined : at + 1;
    const found = CLASS_MEMBER.exec(text.slice(at))?.[0];
    if (found === undefined) return undefined;
    at += found.length;
  }
  return undefined;
}

function differs(construct: string): RefusalParameters {
  const { help } = REMEDIES.find(({ form }) => form.test(construct)) ?? {};
  const remedy = help ?? "Write plain characters, classes such as [a-z], groups, |, *, +, ?, {n,m}, ^ and $.";
  return { variant: "pattern-construct", construct, remedy };
}

const REMEDIES = [
  { form: /^\.$/u, help: "Write [^\\n] for any character but a line feed." },
  { form: /^\\s$/u, help: "Write [ \\t\\r\\n] for white space." },
  { form: /^\\S$/u, help: "Write [^ \\t\\r\\n] for anything but white space." },
  { form: /^\[\[?:/u, help: "Write out the characters, as in [a-z]." },
  { form: /^\(\?[=!<]/u, help: "Write two tests joined by && instead of a lookahead or lookbehind." },
  { form: /^\(\?i/u, help: "Match the text in one case, as in `input.sql.lower().matches('…')`." },
  { form: /^\(\?[a-z]/u, help: "Write the pattern without flags: ^ and $ stand for the ends of the text." },
] as const;
