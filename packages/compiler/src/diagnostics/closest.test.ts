import { expect, test } from "vitest";
import { findClosest, suggestionsFor } from "./closest.js";

const known = ["isDestructive", "isReadOnly", "description", "openai-chat", "openai-responses"];

test.each([
  ["isDestrucive", "isDestructive"],
  ["is_destructive", "isDestructive"],
  ["readOnly", "isReadOnly"],
  ["colour", undefined],
  ["", undefined],
])("%s → %s", (word, expected) => {
  expect(findClosest(word, known)).toBe(expected);
});

test("a word that begins others suggests them", () => {
  expect(suggestionsFor("openai", known)).toEqual(["openai-chat", "openai-responses"]);
  expect(suggestionsFor("desc", known)).toEqual(["description"]);
  expect(suggestionsFor("o", known)).toEqual([]);
});
