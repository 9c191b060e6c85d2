import { describe, expect, test } from "vitest";
import type { LoadedDocument } from "../../model/document.js";
import { loadSource } from "../../cached-steps.js";
import { CompileCache } from "../../context/compile-cache.js";
import { load } from "./index.js";

const loadOne = (text: string, uri = "a.tool.yaml") => load([{ uri, text, role: "spec" }]);

function documentOf(text: string, uri?: string): LoadedDocument {
  const { value, diagnostics } = loadOne(text, uri);
  expect(diagnostics).toEqual([]);
  const [document] = value;
  if (document === undefined) throw new Error("nothing was loaded");
  return document;
}

/** `code line:column` of each finding. */
const findingsOf = (text: string, uri?: string): readonly string[] =>
  loadOne(text, uri).diagnostics.map(
    ({ code, location }) => `${code} ${location?.range.start.line}:${location?.range.start.column}`,
  );

describe("values", () => {
  test("YAML 1.2 means what JSON means", () => {
    const { value } = documentOf("a: yes\nb: 0x1F\nc: [~, 1.50, -0, 1e3]\nd: 2020-01-01\ne:\nf: '1'\n");
    expect(value).toEqual({ a: "yes", b: 31, c: [null, 1.5, 0, 1000], d: "2020-01-01", e: null, f: "1" });
  });

  test("an alias stands for its value", () => {
    const document = documentOf("a: &x { b: 1 }\nc: *x\n");
    expect(document.value).toEqual({ a: { b: 1 }, c: { b: 1 } });
    expect(document.locate("/c").range.start).toMatchObject({ line: 2, column: 4 });
    expect(document.locate("/c/b", "key").range.start).toMatchObject({ line: 1, column: 9 });
  });

  test("inherited names are keys like others", () => {
    for (const uri of ["a.yaml", "a.json"]) {
      const { value } = documentOf(`{"constructor": 1, "toString": {"valueOf": 2}}`, uri);
      expect(value).toEqual({ constructor: 1, toString: { valueOf: 2 } });
    }
  });
});

describe("places", () => {
  test.each(["\n", "\r\n"])("places are those of the author's text, with line break %j", (lineBreak) => {
    const lines = ["\uFEFFname: x", "input:", "  properties:", "    a/b: { type: string }", "  required: [q, a/b]", ""];
    const document = documentOf(lines.join(lineBreak));
    const at = (pointer: string, part?: "key" | "value"): string => {
      const { start, end } = document.locate(pointer, part).range;
      return `${start.line}:${start.column}-${end.line}:${end.column}`;
    };
    expect(at("/name", "key")).toBe("1:1-1:5");
    expect(at("/name")).toBe("1:7-1:8");
    expect(at("/input/properties/a~1b", "key")).toBe("4:5-4:8");
    expect(at("/input/properties/a~1b/type")).toBe("4:18-4:24");
    expect(at("/input/required/1")).toBe("5:17-5:20");
    expect(at("/input")).toBe("3:3-5:21");
  });

  test("a value among thousands has its own place, in a list and in an object", () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `  - { k${index}: ${index} }`);
    const keys = Array.from({ length: 3000 }, (_, index) => `  k${index}: ${index}`);
    const document = documentOf(["list:", ...lines, "object:", ...keys, ""].join("\n"));
    for (const index of [0, 1, 1500, 2999]) {
      expect(document.locate(`/list/${index}/k${index}`).range.start).toMatchObject({ line: index + 2 });
      expect(document.locate(`/object/k${index}`, "key").range.start).toMatchObject({ line: index + 3003, column: 3 });
    }
    expect(document.locate("/list/3000").pointer).toBe("/list");
    expect(document.locate("/list/00").pointer).toBe("/list");
  });

  test("a missing place falls back to the nearest enclosing value", () => {
    const location = documentOf("input:\n  type: object\n").locate("/input/properties/x");
    expect(location).toMatchObject({ pointer: "/input", range: { start: { line: 2, column: 3 } } });
  });

  test("places are the same in JSON", () => {
    const document = documentOf('{\n  "a": [1, { "b": true }]\n}', "a.tool.json");
    expect(document.locate("/a/1/b").range.start).toMatchObject({ line: 2, column: 19, offset: 20 });
    expect(document.locate("/a/1/b", "key").range.start).toMatchObject({ line: 2, column: 14 });
  });

  test("locates numeric keys in the order of the file", () => {
    const document = documentOf('b: 1\n"2": 2\n"1": 3\n');
    expect(document.locate("/1").range.start.line).toBe(3);
    expect(document.locate("/2").range.start.line).toBe(2);
  });
});

describe("what JSON cannot say is refused with its place", () => {
  test.each([
    ["a: 1e400", ["load/number-not-exact 1:4"]],
    ["a: 12345678901234567890", ["load/number-not-exact 1:4"]],
    ["a: 3.141592653589793238", ["load/number-not-exact 1:4"]],
    ["a: .inf\nb: .nan", ["load/number-not-json 1:4", "load/number-not-json 2:4"]],
    [
      "a: [007, -01, 0.5, 00, 0]",
      ["load/number-not-json 1:5", "load/number-not-json 1:10", "load/number-not-json 1:20"],
    ],
    ["a: !!str 1\nb: !secret x", ["load/tag 1:10", "load/tag 2:12"]],
    ["a: &x {}\nb:\n  <<: *x", ["load/merge-key 3:3"]],
    ["1: a\ntrue: b\n[c]: d", ["load/key-not-string 1:1", "load/key-not-string 2:1", "load/key-not-string 3:1"]],
    ["a: 1\nb: 2\na: 3", ["load/duplicate-key 3:1"]],
    ["a: { __proto__: { isAdmin: true } }", ["load/unsafe-key 1:6"]],
    ["a: *x", ["load/unknown-alias 1:4"]],
    ["a: &x [*x]", ["load/recursive-alias 1:8"]],
    ["a: 1\n---\nb: 2", ["load/yaml-syntax 2:1"]],
    ["a: [1,\nb: 2", ["load/yaml-syntax 2:1"]],
    ["%YAML 1.1\n---\na: yes", ["load/yaml-version 1:1"]],
  ])("rejects the YAML %j", (text, expected) => {
    expect(findingsOf(text)).toEqual(expected);
  });

  test.each([
    ['{ "a": 1, }', ["load/json-syntax 1:11"]],
    ['{ "a": 1 // why\n}', ["load/json-syntax 1:10"]],
    ['{ "a": 1, "a": 2 }', ["load/duplicate-key 1:11"]],
    ['{ "__proto__": 1 }', ["load/unsafe-key 1:3"]],
    ['{ "a": 1e400 }', ["load/number-not-exact 1:8"]],
    ['{ "a": 1 } x', ["load/json-syntax 1:12"]],
    ["", ["load/json-syntax 1:1"]],
  ])("rejects the JSON %j", (text, expected) => {
    expect(findingsOf(text, "a.json")).toEqual(expected);
  });
});

describe("hostile files end in a diagnostic", () => {
  test("aliases of aliases", () => {
    const lines = ["a0: &a0 [1,1,1,1,1,1,1,1,1,1]"];
    for (let level = 1; level < 12; level += 1) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(",")}]`);
    }
    expect(findingsOf(lines.join("\n"))).toEqual([expect.stringContaining("load/too-many-aliases")]);
  });

  test.each([
    ["a.yaml", "[".repeat(100_000)],
    ["a.json", "[".repeat(100_000)],
    ["a.json", "[".repeat(2000) + "]".repeat(2000)],
    ["a.yaml", "[".repeat(1000) + "]".repeat(1000)],
  ])("brackets without end in %s", (uri, text) => {
    const { value, diagnostics } = loadOne(text, uri);
    expect(value).toEqual([]);
    expect(diagnostics).toHaveLength(1);
  });

  test("a file of seventeen megabytes", () => {
    expect(findingsOf("x".repeat(17 * 1024 * 1024))).toEqual(["load/file-too-large 1:1"]);
  });
});

test("one text is parsed once", () => {
  const cache = new CompileCache();
  const source = { uri: "a.yaml", text: "a: 1", role: "spec" } as const;
  expect(loadSource(source, cache).value).toBe(loadSource({ ...source }, cache).value);
  expect(loadSource({ ...source, text: "a: 2" }, cache).value?.value).toEqual({ a: 2 });
});

describe("nesting that exhausts the parser", () => {
  test.each([
    ["lists", "[", "a.tool.yaml"],
    ["objects", "{a: ", "a.tool.yaml"],
    ["blocks", "- ", "a.tool.yaml"],
    ["JSON", "[", "a.tool.json"],
    ["keys", "? ", "a.tool.yaml"],
  ])("reports deep nesting of %s in our words", (_what, opening, uri) => {
    const { value, diagnostics } = loadOne(opening.repeat(100_000), uri);
    expect(value).toEqual([]);
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["load/too-deep", "This is nested more than 512 levels deep, which is the most that hasp reads."],
    ]);
  });
});

describe("a text that is long but not deep", () => {
  const many = 20_000;

  test.each([
    ["comments above a key", `a:\n${"  # why\n".repeat(many)}  b: 1\n`, { a: { b: 1 } }],
    ["comments between items", `a:\n  - 1\n${"  # why\n\n".repeat(many)}  - 2\n`, { a: [1, 2] }],
    ["comments at other columns", `a: 1\n${"  # why\n# not\n".repeat(many)}b: 2\n`, { a: 1, b: 2 }],
    ["a text of many escapes", `a: "${"\\n".repeat(4_000_000)}"\n`, { a: "\n".repeat(4_000_000) }],
  ])("is read: %s", (_what, text, value) => {
    const loaded = loadOne(text, "a.yaml");
    expect(loaded.diagnostics).toEqual([]);
    expect(loaded.value[0]?.value).toEqual(value);
  });
});
