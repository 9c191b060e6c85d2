import fc from "fast-check";
import { expect, test } from "vitest";
import { linearPattern } from "./linear-pattern.js";
import { findMatch } from "./pattern-inclusion.js";

test.each([
  ["^c\\d+$", 0, "c0"],
  ["^c\\d+$", 5, "c0000"],
  ["foo", 0, "foo"],
  ["^[0-9a-f]{8}-4[0-9a-f]{3}$", 0, "00000000-4000"],
  ["^(?!a)[a-z]{3}$", 0, "bbb"],
  ["^\\p{L}+$", 4, "aaaa"],
  ["\\bok\\b", 0, "ok"],
  ["^(?=z)(?:z[0-9]{9})$", 0, "z000000000"],
])("finds a text for %s of at least %i characters", (pattern, least, expected) => {
  expect(findMatch(pattern, least)).toBe(expected);
});

test.each([
  ["^[a-z]{2,5}$", 6],
  ["[]", 0],
  ["^a(?!b)b$", 0],
  ["^(a+)+\\1$", 0],
  ["^a*$", 1_000_000],
])("finds none for %s of at least %i characters", (pattern, least) => {
  expect(findMatch(pattern, least)).toBeUndefined();
});

test("every text that it finds matches, and is long enough", () => {
  const part = fc.constantFrom("a", "[b-d]", "\\d", ".", "\\w", "\\p{Lu}", "(?:x|yz)", "(?!q)", "\\b", "é");
  const repeated = fc.tuple(part, fc.constantFrom("", "*", "+", "?", "{2}", "{1,3}"));
  const pattern = fc.array(repeated, { minLength: 1, maxLength: 5 }).map((parts) => {
    const text = parts.map(([each, times]) => (/^\\b$|^\(\?!/u.test(each) ? each : `${each}${times}`)).join("");
    return `^${text}$`;
  });
  let found = 0;
  fc.assert(
    fc.property(pattern, fc.nat(6), (each, least) => {
      const text = findMatch(each, least);
      if (text === undefined) return;
      found += 1;
      expect([each, text, linearPattern(each)?.test(text)]).toEqual([each, text, true]);
      expect([...text].length).toBeGreaterThanOrEqual(least);
    }),
  );
  expect(found).toBeGreaterThan(20);
});
