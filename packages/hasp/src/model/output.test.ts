import { expect, test } from "vitest";
import { fileOfPieces, hasSameText, isTextOf, type OutputFile, piecesOf } from "./output.js";

const file = (...pieces: readonly string[]): OutputFile => fileOfPieces({ path: "a.json", owner: "hasp", pieces });

test("a file of pieces is a file like any other, its text the pieces in their order", () => {
  expect(file("[\n", "1", "\n]\n")).toEqual({ path: "a.json", owner: "hasp", text: "[\n1\n]\n" });
  expect({ ...file("a", "b") }.text).toBe("ab");
  expect(file().text).toBe("");
  expect(piecesOf(file("a", "b"))).toEqual(["a", "b"]);
  expect(piecesOf({ path: "a.json", owner: "hasp", text: "ab" })).toEqual(["ab"]);
});

test.each<[readonly string[], readonly string[], boolean]>([
  [["a", "b"], ["a", "b"], true],
  [["a", "b"], ["a", "c"], false],
  [["ab", "c"], ["a", "bc"], true],
  [["ab", "c"], ["a", "cb"], false],
  [["ab"], ["a", "b"], true],
  [["ab"], ["a", "b", "c"], false],
  [[], [""], true],
  [["x", "a"], ["a", "x"], false],
])("%j and %j have the same text: %j", (left, right, isSame) => {
  expect(hasSameText(file(...left), file(...right))).toBe(isSame);
  expect(isTextOf(file(...left), right.join(""))).toBe(isSame);
});

test("a text that only begins or ends as a file does is not its text", () => {
  expect(isTextOf(file("a", "b"), "abc")).toBe(false);
  expect(isTextOf(file("a", "b"), "a")).toBe(false);
  expect(isTextOf(file("a", "b"), "")).toBe(false);
});
