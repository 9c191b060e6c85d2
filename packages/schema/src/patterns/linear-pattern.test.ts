import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inBoundedTime } from "../in-bounded-time.testing.js";
import { PatternBoundExceeded, linearPattern } from "./linear-pattern.js";

const RUNS = Number(process.env["HASP_FUZZ_RUNS"] ?? 150);

const atoms = fc.constantFrom(
  "a", "b", ".", "\\d", "\\w", "\\S", "[ab]", "[^a]", "\\u{1F600}", "\\uD83D\\uDE00", "\\p{L}", "[\\s\\S]", "\\.", "\\x61", "-",
  "^", "$", "\\b", "\\B",
); // prettier-ignore
const quantifiers = fc.constantFrom("", "", "", "*", "+", "?", "*?", "+?", "{2}", "{1,2}", "{2,}", "{0}");

const { pattern: patterns } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  pattern: fc
    .array(
      fc.array(tie("term"), { maxLength: 4 }).map((terms) => terms.join("")),
      { minLength: 1, maxLength: 3 },
    )
    .map((choices) => choices.join("|")),
  term: fc.oneof(
    { maxDepth: 3 },
    {
      weight: 5,
      arbitrary: fc.tuple(atoms, quantifiers).map(([atom, times]) => atom + (/^[\^$]|^\\[bB]/.test(atom) ? "" : times)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom("(", "(?:", "(?<n>"), tie("pattern"), quantifiers)
        .map(([open, inner, times]) => `${open}${inner.replaceAll("(?<n>", "(?:")})${times}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("(?=", "(?!", "(?<=", "(?<!"), tie("pattern"))
        .map((parts) => `${parts.join("")})`),
    },
  ),
}));

const texts = fc.string({
  unit: fc.constantFrom("a", "b", "1", ".", "-", " ", "\n", "😀", "\ud83d", "é"),
  maxLength: 12,
});

test("matches what the native engine matches", () => {
  let compared = 0;
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 5, maxLength: 5 }), (pattern, samples) => {
      let native: RegExp;
      try {
        native = new RegExp(pattern, "u");
      } catch {
        return;
      }
      const linear = linearPattern(pattern);
      if (linear === undefined) throw new Error(`not supported: ${pattern}`);
      for (const text of samples) {
        // V8 also looks for empty matches between the halves of a surrogate pair, where the standard does not.
        if (/\(\?|\\b/i.test(pattern) && /😀/u.test(text)) continue;
        compared++;
        expect(linear.test(text), `${pattern} on ${JSON.stringify(text)}`).toBe(native.test(text));
      }
    }),
    { numRuns: RUNS },
  );
  expect(compared).toBeGreaterThan(RUNS);
});

describe("ends soon on any text", () => {
  test.each([
    String.raw`^([\s\S]+)+;$`,
    "^(a+)+$",
    "^(a|a)*$",
    "^(a|ab|b)*c$",
    "^(?=(a+)+$)b",
    "(?!(a*)*c)a",
    "^a*a*a*a*a*a*a*a*a*a*b$",
    "a*a*a*a*b",
    ".*.*.*=.*;",
    `^${"a?".repeat(30)}${"a".repeat(30)}$`,
    "(x+x+)+y",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "^(a{1,50}){1,50}$",
    String.raw`^(?=[\s\S]*?(?:^(a|aa)+$))(?=[\s\S]*?(?:b$))`,
    String.raw`\s+$`,
    "^(?:(?:){1000000}a{0}){1000000}[ax]+$",
  ])("linearPattern matches any text in linear time: %s", (pattern) => {
    const linear = linearPattern(pattern);
    for (const character of ["a", "x", " "]) {
      expect(inBoundedTime(() => linear?.test(`${character.repeat(2_000)}!`))).toBeTypeOf("boolean");
    }
  });

  test("linearPattern refuses a text that is too long for its pattern", () => {
    expect(() => linearPattern("^(a{1,50}){1,50}$")?.test("a".repeat(100_000))).toThrow(PatternBoundExceeded);
  });
});

test.each(["(a)\\1", "(?<n>a)\\k<n>", "(?:a{1,200}){1,200}", "(".repeat(300) + ")".repeat(300)])(
  "gives up what has no bound: %s",
  (pattern) => {
    expect(linearPattern(pattern)).toBeUndefined();
  },
);

test("leaves to the native engine what costs it little", () => {
  for (const pattern of ["^[a-z][a-z0-9-]*$", "^\\d{4}-\\d{2}-\\d{2}$", "^a?b", "[a-z]", "^(?:read|write)$", "^x-"]) {
    expect(linearPattern(pattern)).toBeInstanceOf(RegExp);
  }
});
