import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { countTokensExactly, findTokenizerProblem } from "./prompt-tokens.js";

test("counts what the tokenizer counts", () => {
  const text = JSON.stringify({
    name: "resize_image",
    description: "Resize an image. Größe in Pixeln, 図を縮める.",
    properties: { width: { type: "integer" } },
  });
  expect(countTokensExactly(text)).toBe(countTokens(text));
  expect(findTokenizerProblem()).toBeUndefined();
});

test("marks of a model's own protocol are text like any other", () => {
  expect(countTokensExactly('"a <|endoftext|> b"')).toBeGreaterThan(5);
});

test("a word without an end is counted in parts, off by no more than one in each", () => {
  const word = "ab".repeat(1500);
  expect(Math.abs(countTokensExactly(word) - countTokens(word))).toBeLessThanOrEqual(15);
  // Taken at once, each of these would take minutes.
  for (const letter of ["a", "я", " ", "~"]) expect(countTokensExactly(letter.repeat(300_000))).toBeGreaterThan(300);
});
