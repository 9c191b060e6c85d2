import fc from "fast-check";
import { expect, test } from "vitest";
import { parseArray, printArray, findCellParser, printBound } from "./cells.js";

test.each([
  [16, "t", true],
  [16, "f", false],
  [17, String.raw`\x00ff`, "AP8="],
  [17, String.raw`\x`, ""],
  [20, "9007199254740993", "9007199254740993"],
  [23, "-5", -5],
  [701, "0.1", 0.1],
  [701, "-Infinity", "-Infinity"],
  [1700, "1.50", "1.50"],
  [1114, "2024-03-01 12:00:00.5", "2024-03-01T12:00:00.5"],
  [1184, "2024-03-01 12:00:00+00", "2024-03-01T12:00:00+00:00"],
  [1184, "2024-03-01 12:00:00-03:30", "2024-03-01T12:00:00-03:30"],
  [1184, "infinity", "infinity"],
  [1184, "0044-03-15 12:00:00+00 BC", "0044-03-15 12:00:00+00 BC"],
  [3802, '{"a": [1, null]}', { a: [1, null] }],
  [114, '{"a": -9007199254740993, "b": 1e400, "c": "9007199254740993"}', { a: "-9007199254740993", b: "1e400", c: "9007199254740993" }], // prettier-ignore
  [1007, "{1,NULL,3}", [1, null, 3]],
  [1007, "[0:1]={1,2}", [1, 2]],
  [1007, "{{1,2},{3,4}}", [[1, 2], [3, 4]]], // prettier-ignore
  [1009, String.raw`{a,"b,c","NULL","d\"e\\f",""}`, ["a", "b,c", "NULL", 'd"e\\f', ""]],
  [3807, String.raw`{"{\"a\": \"}\"}"}`, [{ a: "}" }]],
  [99999, "(1,x)", "(1,x)"],
])("parses a cell of type %i: %j is %j", (type, text, value) => {
  expect(findCellParser(type)(text)).toEqual(value);
});

test("parses a printed array back, with any elements", () => {
  const lists = fc.array(fc.option(fc.string({ unit: "binary" }), { nil: null }));
  fc.assert(
    fc.property(lists, (list) => {
      expect(parseArray(printArray(list, String), (text) => text)).toEqual(list.map((item) => item ?? "null"));
      expect(
        parseArray(
          printArray(list, (item) => item as string | null),
          (text) => text,
        ),
      ).toEqual(list);
    }),
  );
});

test.each([
  [undefined, undefined, null],
  [-0.5, undefined, "-0.5"],
  ["'; DROP TABLE users --", undefined, "'; DROP TABLE users --"],
  [[1, "a"], 3802, '[1,"a"]'],
  [[1, [2]], 1007, '{"1",{"2"}}'],
  [[{ a: 1 }, "b"], 3807, String.raw`{"{\"a\":1}","\"b\""}`],
  [{ base64: "AP8=" }, 17, String.raw`\x00ff`],
  [{ text: "é" }, 17, String.raw`\xc3a9`],
  [{ a: 1 }, 25, '{"a":1}'],
])("binds %j for a parameter of type %s as %j", (value, type, text) => {
  expect(printBound(value, 1, type)).toBe(text);
});

test.each([
  ["a\0b", undefined, /NUL/],
  ["\uD800", undefined, /Unicode/],
  [{ base64: "?" }, 17, /bytea/],
  [() => 1, undefined, /function/],
])("refuses to bind %j", (value, type, message) => {
  expect(() => printBound(value, 3, type)).toThrow(message);
  expect(() => printBound(value, 3, type)).toThrow(expect.objectContaining({ code: "not-executed" }));
});
