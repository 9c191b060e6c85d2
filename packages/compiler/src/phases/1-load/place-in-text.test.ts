import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { isObject } from "@hasp/base/json";
import { placeInText } from "@hasp/base/diagnostics";
import { parseSource } from "./parse-source.js";

/** The line, the column and the source of a part of the text at `/s`. */
function placed(source: string, part: string, uri = "a.yaml"): readonly [line: number, column: number, text: string] {
  const document = parseSource({ uri, role: "spec", text: source }).value;
  if (document === undefined || !isObject(document.value)) throw new Error("no document");
  const text = String(document.value["s"]);
  const start = text.indexOf(part);
  const { range } = placeInText(document, document.locate("/s"), text, { start, end: start + part.length });
  return [range.start.line, range.start.column, source.slice(range.start.offset, range.end.offset)];
}

test.each([
  ["plain", "s: SELECT a FROM b\n", [1, 13, "FROM"]],
  ["plain, on two lines", "s: SELECT a\n  FROM b\n", [2, 3, "FROM"]],
  ["single-quoted", "s: 'it''s a FROM'\n", [1, 13, "FROM"]],
  ["double-quoted", 's: "\\t\\u0041\\x41 \\"a\\" FROM"\n', [1, 24, "FROM"]],
  ["double-quoted, folded by hand", 's: "SELECT \\\n  a FROM"\n', [2, 5, "FROM"]],
  ["a block", "s: |\n    SELECT a\n      FROM b\n", [3, 7, "FROM"]],
  ["a block with a header", "t: 1\ns: |2- # the FROM\n\n   SELECT a\n\n   FROM b\n", [6, 4, "FROM"]],
  ["a folded block", "s: >-\n  SELECT a\n  FROM b\n", [3, 3, "FROM"]],
  ["line ends of Windows", "s: |\r\n  SELECT a\r\n  FROM b\r\n", [3, 3, "FROM"]],
] as const)("finds words in %s", (_, source, expected) => {
  expect(placed(source, "FROM")).toEqual(expected);
});

test("finds words in a text in JSON", () => {
  expect(placed('{ "s": "a\\n\\u0046ROM" }', "FROM", "a.json")).toEqual([1, 12, "\\u0046ROM"]);
});

test("an alias is a place of its own", () => {
  expect(placed("t: &t SELECT a FROM b\ns: *t\n", "FROM")).toEqual([2, 4, "*t"]);
});

test("finds the words of a text in every style of YAML", () => {
  const word = fc.string({ unit: fc.constantFrom(..."ab$'\"\\:#é,-|>"), minLength: 1 });
  const text = fc.array(fc.tuple(word, fc.constantFrom(" ", "\n", "\n\n", "  ", "\n  ")), {
    minLength: 1,
    maxLength: 6,
  });
  const style = fc.constantFrom("PLAIN", "QUOTE_SINGLE", "QUOTE_DOUBLE", "BLOCK_LITERAL", "BLOCK_FOLDED");
  fc.assert(
    fc.property(text, style, (words, defaultStringType) => {
      const value = `${words.flat().join("")}FROM`;
      const source = stringify({ s: value }, { defaultStringType, defaultKeyType: "PLAIN", lineWidth: 30 });
      const found = placed(source, "FROM")[2].replace(/\\\n\s*/u, "");
      expect([source, found]).toEqual([source, "FROM"]);
    }),
  );
});
