import { expect, test } from "vitest";
import { closest, didYouMean } from "./closest.js";

const known = ["isDestructive", "isReadOnly", "description", "openai-chat", "openai-responses"];

test.each([
  ["isDestrucive", "isDestructive"],
  ["is_destructive", "isDestructive"],
  ["readOnly", "isReadOnly"],
  ["colour", undefined],
  ["", undefined],
])("%s → %s", (word, expected) => {
  expect(closest(word, known)).toBe(expected);
});

test("a word that begins others suggests them", () => {
  expect(didYouMean("openai", known)).toBe(' Did you mean "openai-chat" or "openai-responses"?');
  expect(didYouMean("desc", known)).toBe(' Did you mean "description"?');
  expect(didYouMean("o", known)).toBe("");
});
