import { expect, test } from "vitest";
import { excerpt } from "./excerpt.js";

test.each([
  ["abcdef", "abcdef"],
  ["abcdefg", "abcde…"],
  ["a\n  b\r\nc", "a b c"],
  ["😀😀😀😀😀😀", "😀😀😀😀😀😀"],
  ["a😀😀😀😀😀😀", "a😀😀😀😀…"],
  ["", ""],
])("%j → %j", (text, expected) => {
  expect(excerpt(text, 6)).toBe(expected);
});
