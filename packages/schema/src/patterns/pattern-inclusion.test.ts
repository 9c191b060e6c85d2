import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inBoundedTime } from "../in-bounded-time.testing.js";
import { comparePatterns } from "./pattern-inclusion.js";

describe("comparePatterns", () => {
  test.each([
    ["^c[0-9]+$", "^[cu][0-9]+$", "included"],
    ["^[cu][0-9]+$", "^c[0-9]+$", { witness: "u0" }],
    ["^a{2,4}$", "^a{1,5}$", "included"],
    ["^a{1,5}$", "^a{2,4}$", { witness: "a" }],
    ["^\\d+$", "^[0-9]*$", "included"],
    ["^[0-9]*$", "^\\d+$", { witness: "" }],
    ["^ab", "b", "included"],
    ["b", "^ab", { witness: "b" }],
    ["^(?:cat|dog)$", "^[a-z]{3}$", "included"],
    ["^.$", "^[^\\n\\r\\u2028\\u2029]$", "included"],
    ["^[^\\n\\r\\u2028\\u2029]$", "^.$", "included"],
    ["^\\u{1F600}$", "^[\\uD83D\\uDE00-\\u{1F64F}]$", "included"],
    ["^$", "^a?$", "included"],
    ["^(?:a|)b?$|c", "", "included"],
    ["a$", "^", "included"],
    ["^(?:(?:){1000000}a{0}){1000000}b$", "^b$", "included"],
  ] as const)("compares %s with %s", (inner, outer, expected) => {
    expect(comparePatterns(inner, outer)).toEqual(expected);
  });

  test.each(["^(?=a)", "\\ba", "^\\p{L}$", "^(?:a{100}){100}$"])("decides nothing about %s", (pattern) => {
    expect(comparePatterns(pattern, pattern)).toBeUndefined();
  });

  test("gives up soon on patterns with many characters and states", () => {
    const classes = Array.from({ length: 900 }, (_, index) => {
      const [first, last] = [0x4e00 + 9 * index, 0x4e04 + 9 * index].map((each) => `\\u{${each.toString(16)}}`);
      return `[${first}-${last}]?`;
    });
    const compare = (): unknown => comparePatterns(`^${classes.join("")}$`, "^[\\u{4e00}-\\u{9fff}]*$");
    expect(inBoundedTime(compare)).toBeUndefined();
  });

  const part: fc.Arbitrary<string> = fc.letrec<{ readonly node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "\\w", "^", "$", ""),
      fc.tuple(tie("node"), tie("node")).map(([left, right]) => left + right),
      fc.tuple(tie("node"), tie("node")).map(([left, right]) => `(?:${left}|${right})`),
      fc
        .tuple(tie("node"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}"))
        .map(([inner, times]) => `(?:${inner})${times}`),
    ),
  })).node;

  test("agrees with the engine on every text", () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c", "\n", "-"), maxLength: 6 }), {
      minLength: 20,
    });
    fc.assert(
      fc.property(part, part, texts, (inner, outer, samples) => {
        const [left, right] = [new RegExp(inner, "u"), new RegExp(outer, "u")];
        const answer = comparePatterns(inner, outer);
        if (answer === undefined) return;
        if (answer === "included") {
          for (const text of samples) if (left.test(text)) expect(right.test(text), JSON.stringify(text)).toBe(true);
        } else {
          expect([left.test(answer.witness), right.test(answer.witness)]).toEqual([true, false]);
        }
      }),
    );
  });
});
