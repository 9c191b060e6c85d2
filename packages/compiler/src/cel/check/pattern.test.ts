import fc from "fast-check";
import { linearPattern } from "@hasp/schema/vocabulary";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { findPatternProblem } from "./pattern.js";

/** Pieces of patterns, lawful and not. */
// prettier-ignore
const piece = fc.constantFrom(
  "a", "b", "-", " ", "é", "😀", "\n", "\u0085", "\u2028", "\\d", "\\D", "\\w", "\\W", "\\b", "\\B", "\\s", "\\S", ".",
  "\\n", "\\t", "\\v", "\\f", "\\x41", "\\.", "\\/", "\\-", "\\a", "\\A", "\\z", "\\Q", "\\p{L}", "\\pN", "\\u0041",
  "[a-c]", "[^a]", "[\\w-]", "[\\s]", "[^\\n]", "[[:alpha:]]", "[]", "[^]", "[\\b]", "[^\\w]", "[\\W_]", "[a\\-z]",
  "[-a]", "[a-]", "[\\]a]", "[a^]", "[&&a]", "[a&&b]", "[😀-😂]", "[^😀]", "[\\\\]", "[^\\x00-\\x7f]", "\\\\", "(|a)",
  "??", "+?", "(?i)", "(?=a)", "(?<n>a)", "(?P<n>a)", "(?:a|b)", "(a)", "()", "|", "*", "+", "?", "*?", "{2}", "{1,}",
  "{,2}", "^", "$", "\\1", "\\cA", "\\0",
);
const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
// prettier-ignore
const character = fc.constantFrom(
  "a", "b", "A", "1", "_", "-", " ", "\n", "\r", "\t", "\v", "\u0085", "\u00a0", "\u2028", "\u0000", "\ufeff", "K", "ſ",
  "é", "😀", "😁", "/", ".", "\\", "]", "^", "&",
);
const text = fc.string({ unit: character, maxLength: 6 });

test("refuses exactly the counts inside each other that RE2 refuses", () => {
  const count = fc.tuple(fc.constantFrom(0, 1, 2, 5, 31, 32, 33), fc.constantFrom("", ",", ",40"));
  const part = fc
    .array(count, { minLength: 1, maxLength: 3 })
    .map((counts) => counts.reduce((inner, [least, most]) => `(?:b|${inner}){${least}${most}}`, "a"));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
      const source = parts.join("[c-d]+");
      const refusesRe2 = ((): boolean => {
        try {
          RE2JS.compile(source);
          return false;
        } catch {
          return true;
        }
      })();
      expect(findPatternProblem(source)?.variant === "pattern-count", source).toBe(refusesRe2);
    }),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 100), seed: 5 },
  );
});

test("a pattern that passes answers alike in RE2 and in JavaScript", () => {
  let passed = 0;
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 10, maxLength: 10 }), (source, texts) => {
      if (findPatternProblem(source) !== undefined) return;
      passed += 1;
      const javascript = linearPattern(source);
      const re2 = RE2JS.compile(source);
      for (const each of texts) {
        expect(javascript?.test(each), JSON.stringify([source, each])).toBe(re2.matcher(each).find());
      }
    }),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 300), seed: 5 },
  );
  expect(passed).toBeGreaterThan(50);
});
