import { expect, test } from "vitest";
import { decode } from "./index.js";
import { inexactInteger, parseExactJson } from "@hasp/base/json";

const ROUNDED = [
  "9007199254740993",
  "9007199254740993.0",
  "9007199254740993e0",
  "9007199254740.993E3",
  "-9007199254740993.00e0",
  "1e400",
];

test.each(ROUNDED)("%s would be rounded", (numeral) => {
  for (const text of [numeral, `[${numeral}]`, `{"a":{"b":[1,${numeral}]}}`]) {
    expect(inexactInteger(text)).toBe(numeral);
  }
  expect(decode({ kind: "text" }, `[${numeral}]`)).toBe(`[${numeral}]`);
});

test.each([
  "1",
  "9007199254740991",
  "1.0",
  "1e3",
  "1e21",
  "0.1",
  "0.12345678901234567890",
  "1e-7",
  '"9007199254740993.0"',
])("%s is read as it is, or as every language reads it", (text) => {
  expect(inexactInteger(`[${text}]`)).toBeUndefined();
  expect(decode({ kind: "text" }, `[${text}]`)).toEqual(JSON.parse(`[${text}]`));
});

test("integers that would be rounded become strings, and nothing else changes", () => {
  for (const numeral of ROUNDED) {
    const text = `{"a":[1.5,${numeral},"\\"${numeral}"],"b":${numeral}}`;
    expect(parseExactJson(text)).toEqual({ a: [1.5, numeral, `"${numeral}`], b: numeral });
  }
  for (const text of ['{"a":[1,0.12345678901234567890,"9007199254740993"]}', "[9007199254740991]"]) {
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  }
});
