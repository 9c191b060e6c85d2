import { expect, test } from "vitest";
import { describeMessage, excerpt, formatDiagnostic, formatMessage } from "./message.js";

test.each([
  ["Nothing is defined at {ref}.", { ref: "#/a" }, "Nothing is defined at #/a."],
  [
    "{count} of {names:list}, {names:quoted} or {names:code}",
    { count: 2, names: ["a", "b"] },
    '2 of a, b, "a", "b" or `a`, `b`',
  ],
  ["It is {value:json}.", { value: { a: [1] } }, 'It is {"a":[1]}.'],
  ["Here is {value:value}.", { value: [1] }, "Here is a list."],
  ["Here is {value:value}.", { value: { a: 1 } }, "Here is an object."],
  ["Here is {value:value}.", { value: 1n }, "Here is a bigint."],
  ["Here is {value:value}.", { value: undefined }, "Here is undefined."],
  ["Here is {value:value}.", { value: "a\u202e" }, 'Here is "a\\u202e".'],
  ["No: {causes:clauses}.", { causes: ["a", "b"] }, "No: a, and b."],
  ["No: {causes:clauses}.", { causes: ["a", "b", "c", "d", "e", "f"] }, "No: a, and b, and c, and d, and 2 more."],
  ["It failed: {reason:clause}.", { reason: "No such file." }, "It failed: No such file."],
  ["There is no {word}.{nearest:suggestion}", { word: "a", nearest: [] }, "There is no a."],
  [
    "There is no {word}.{nearest:suggestion}",
    { word: "a", nearest: ["b", "c"] },
    'There is no a. Did you mean "b" or "c"?',
  ],
  ['Write { "type": "object", "properties": {} }.', undefined, 'Write { "type": "object", "properties": {} }.'],
])("formatMessage fills the template %s", (message, parameters, expected) => {
  expect(formatMessage(message, parameters)).toBe(expected);
});

test("a parameter cannot break a line, reorder the text or bring placeholders of its own", () => {
  const name = "a\n::stop-commands::\u202e{other}\u0007";
  expect(formatMessage("{name} {other}", { name, other: 1 })).toBe("a\\n::stop-commands::\\u202e{other}\\u0007 1");
  expect(formatMessage("{name:quoted}", { name: [name] })).not.toMatch(/[\n\u202e\u0007]/u);
  expect(formatMessage("{name:lines}", { name: "a\nb" })).toBe("a\nb");
});

test("the variant selects the template; a remedy without that variant is omitted", () => {
  const definition = {
    severity: "error",
    message: { one: "{name} is one.", two: "{name} is two." },
    help: { two: "Remove {name}." },
  } as const;
  expect(formatDiagnostic("load", "x", definition, { variant: "one", name: "a" })).toEqual({
    code: "load/x",
    severity: "error",
    message: "a is one.",
  });
  expect(formatDiagnostic("load", "x", definition, { variant: "two", name: "a" })).toMatchObject({ help: "Remove a." });
  expect(() => formatDiagnostic("load", "x", definition, { variant: "three" })).toThrow("no variant");
});

test("a finding carries what it suggests as it is, if that is one text", () => {
  const definition = { severity: "error", message: "No {word}.{nearest:suggestion}" } as const;
  const meantOf = (...nearest: readonly string[]): unknown =>
    formatDiagnostic("load", "x", definition, { word: 'a. Did you mean "b"?', nearest }).meant;
  expect([meantOf('c"\u202e'), meantOf("c", "d"), meantOf()]).toEqual(['c"\u202e', undefined, undefined]);
});

test("a remedy with a missing optional parameter is omitted", () => {
  const definition = { severity: "error", message: "No.", help: "{key}: {description:optional}" } as const;
  expect(formatDiagnostic("load", "x", definition, { key: "a", description: undefined })).not.toHaveProperty("help");
  expect(formatDiagnostic("load", "x", definition, { key: "a", description: "An A." })).toMatchObject({
    help: "a: An A.",
  });
});

test("documentation names the parameters", () => {
  expect(describeMessage("No {rule} in {paths:list}.{nearest:suggestion}")).toEqual(["No <rule> in <paths>."]);
  expect(describeMessage({ one: "{a}", two: "{b}" })).toEqual(["<a>", "<b>"]);
});

test.each([
  ["abcdef", "abcdef"],
  ["abcdefg", "abcde…"],
  ["a\n  b\r\nc", "a b c"],
  ["😀😀😀😀😀😀", "😀😀😀😀😀😀"],
  ["a😀😀😀😀😀😀", "a😀😀😀😀…"],
  ["", ""],
])("excerpt of %j is %j", (text, expected) => {
  expect(excerpt(text, 6)).toBe(expected);
});
