import { expect, test } from "vitest";
import { findClosest, findSuggestions } from "./closest.js";

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
  expect(findSuggestions("openai", known)).toEqual(["openai-chat", "openai-responses"]);
  expect(findSuggestions("desc", known)).toEqual(["description"]);
  expect(findSuggestions("o", known)).toEqual([]);
  expect(
    findSuggestions(
      "mail",
      Array.from({ length: 6 }, () => "mail_archive"),
    ),
  ).toEqual(["mail_archive"]);
});
