import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLinearTime } from "./linear-time.js";

describe("refused", () => {
  test.each([
    String.raw`^([\s\S]+)+;$`,
    "^(a+)+$",
    "^(a+)+",
    "^(a*)*$",
    "^(a|a)*$",
    "(x+x+)+y",
    "^(?:ab|a|b)+$",
    "^(\\w|\\d)+$",
    "^([\\w.]+)*@x$",
    "^([a-z]{1,20}){1,20}$",
    "^(?:\\s*\\w+\\s*,?)+$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "^(?:\\p{L}|é)+$",
    "^(?:\\p{Lu}|\\p{Script=Greek})+$",
    "^a*a*a*a*a*a*a*a*b$",
    "^\\s*\\s*x",
    "^.*a.*b.*c$",
    "a+b",
    "\\s+$",
    "^\\S+@\\S+$",
    "a+\\b",
    "a+(?!b)",
    "^(?=(a+)+$)",
    "^(?!(?:a|a)*$)b",
    "(?<=(?:a|a)+)b",
    "^(a+)\\1$",
    "^(?:a?){30}$",
    `^${"(?:a|a)".repeat(30)}$`,
    `^${"a?".repeat(30)}${"a".repeat(30)}$`,
    "(",
  ])("%s", (pattern) => {
    expect(isLinearTime(pattern)).toBe(false);
  });
});

describe("proved", () => {
  test.each([
    "a",
    "[a-z]+",
    "^[a-z]+$",
    "^[a-z]",
    "^(?:[a-z]+-)*[a-z]+$",
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^[a-z][a-z0-9-]{0,61}[a-z0-9]$",
    "^[A-Z]{1,10}[A-Z0-9]{0,10}$",
    "^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])$",
    '^(?:[^"\\\\]|\\\\.)*"$',
    "^(?:a|b)*$",
    "^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2})?Z?)?$",
    "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    "^[^@\\s]+@[^@\\s.]+(?:\\.[^@\\s.]+)+$",
    "^(?=.*\\d)[a-z\\d]+$",
    "^(?!-)[a-z-]+$",
    "^https?://",
    "^\\p{L}+(?: \\p{L}+)*$",
    "^(?:refs/heads/)?[\\w./-]+$",
    "\\.(?:ya?ml|json)$",
    "^$",
    "",
  ])("%s", (pattern) => {
    expect(isLinearTime(pattern)).toBe(true);
  });
});

/** A small expression over a and b, and a matcher that counts what a backtracking engine tries. */
type Tree =
  | string
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Tree[] }
  | { readonly kind: "star" | "plus" | "optional" | "twice" | "ahead" | "not-ahead"; readonly part: Tree };

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom("a", "b", "c"),
    fc.record({
      kind: fc.constantFrom("sequence", "choice"),
      parts: fc.array(tie("tree"), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constantFrom("star", "plus", "optional", "twice", "ahead", "not-ahead"), part: tie("tree") }),
  ),
}));

function printed(node: Tree): string {
  if (typeof node === "string") return node;
  if ("parts" in node) return `(?:${node.parts.map(printed).join(node.kind === "choice" ? "|" : "")})`;
  if (node.kind === "ahead" || node.kind === "not-ahead") {
    return `(${node.kind === "ahead" ? "?=" : "?!"}${printed(node.part)})`;
  }
  return `(?:${printed(node.part)})${{ star: "*", plus: "+", optional: "?", twice: "{2}" }[node.kind]}`;
}

const MOST_STEPS = 1_000_000;

/** The steps of a search that fails or succeeds; `end` requires the end of the text. */
function stepsOn(root: Tree, text: string, isAnchored: boolean, end: boolean): number {
  let steps = 0;
  const matches = (node: Tree, at: number, rest: (at: number) => boolean): boolean => {
    steps += 1;
    if (steps > MOST_STEPS) return true;
    if (typeof node === "string") return text[at] === node && rest(at + 1);
    if ("parts" in node) {
      if (node.kind === "choice") return node.parts.some((part) => matches(part, at, rest));
      const from = (index: number, here: number): boolean => {
        const part = node.parts[index];
        return part === undefined ? rest(here) : matches(part, here, (next) => from(index + 1, next));
      };
      return from(0, at);
    }
    const { kind, part } = node;
    if (kind === "optional") return matches(part, at, (next) => next !== at && rest(next)) || rest(at);
    if (kind === "twice") return matches(part, at, (next) => matches(part, next, rest));
    if (kind === "ahead") return matches(part, at, () => true) && rest(at);
    if (kind === "not-ahead") return !matches(part, at, () => true) && rest(at);
    const again = (here: number): boolean => matches(part, here, (next) => next !== here && again(next)) || rest(here);
    return kind === "star" ? again(at) : matches(part, at, again);
  };
  for (let from = 0; from <= (isAnchored ? 0 : text.length); from += 1) {
    if (matches(root, from, (at) => !end || at === text.length)) break;
  }
  return steps;
}

test("no proved expression takes more than a constant number of steps per character", () => {
  const runs = Number(process.env["HASP_FUZZ_RUNS"] ?? 1500);
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 });
  let proved = 0;
  fc.assert(
    fc.property(
      tree,
      fc.boolean(),
      fc.boolean(),
      fc.array(word, { minLength: 3, maxLength: 3 }),
      (node, isAnchored, end, words) => {
        const pattern = `${isAnchored ? "^" : ""}(?:${printed(node)})${end ? "$" : ""}`;
        if (!isLinearTime(pattern)) return;
        proved += 1;
        const [prefix = "", pump = "", suffix = ""] = words;
        for (const text of [pump, "a", "ab", "aab"].map(
          (each) => prefix + each.repeat(Math.ceil(800 / each.length)) + suffix,
        )) {
          const perCharacter = stepsOn(node, text, isAnchored, end) / text.length;
          expect(perCharacter, `${pattern} on ${text}`).toBeLessThan(20 * pattern.length);
        }
      },
    ),
    { numRuns: runs, seed: 7 },
  );
  expect(proved).toBeGreaterThan(runs / 10);
});
