import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject, JsonValue } from "@hasp/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LoadedDocument } from "@hasp/compiler/model";
import { load } from "@hasp/compiler/source";
import { resolve as resolveSpecs } from "@hasp/compiler/source";
import { testContext } from "../../../../test/compiler/context.testing.js";
import { importText } from "./import-source.testing.js";
import { importMcpList } from "./mcp-list.js";
import { compareSpec } from "./specs/compare-import.js";
import { printSpec } from "./specs/print-spec.js";
import { createSpecFileName, createToolName, findFreeName } from "./specs/names.js";

const corpus = resolve(import.meta.dirname, "../../../../../shared/corpus/tools");

function documentOf(list: JsonValue): LoadedDocument {
  const { value, diagnostics } = load([{ uri: "list.json", text: JSON.stringify(list), role: "shared" }]);
  const [document] = value;
  if (document === undefined) throw new Error(JSON.stringify(diagnostics));
  return document;
}

const importList = (document: LoadedDocument) =>
  importMcpList.read({ name: "list.json", document, documents: new Map() });

function importAll(tools: readonly JsonValue[]) {
  const { value, diagnostics } = importList(documentOf({ tools }));
  return { ...value, codes: diagnostics.map(({ code }) => code), diagnostics };
}

/** Imports one tool with this input schema; returns its schema and the findings. */
function importInput(inputSchema: JsonValue) {
  const { tools, codes, refused } = importAll([{ name: "a", description: "A tool.", inputSchema }]);
  return { input: tools[0]?.spec["input"], codes, refused };
}

function hinted(annotations: JsonValue) {
  return importAll([
    { name: "a", description: "A tool.", inputSchema: { type: "object", properties: {} }, annotations },
  ]);
}

function described(description: string): JsonObject {
  return { hasp: 1, name: "a", description, input: { type: "object", properties: {} } };
}

describe("names", () => {
  test.each([
    ["get_user", "get_user"],
    ["uber.eat.order", "uber_eat_order"],
    ["año/vehículo", "ano_vehiculo"],
    ["1password", "tool_1password"],
    ["_private_", "private"],
    ["mcp__github__search", "imported_mcp__github__search"],
    ["tool_search", "imported_tool_search"],
  ])("%s becomes %s", (from, to) => {
    expect(createToolName(from)).toBe(to);
    expect(createToolName(to)).toBe(to);
  });

  test("every text becomes a valid name that stays itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const name = createToolName(text);
        expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
        expect(createToolName(name)).toBe(name);
      }),
    );
  });

  test("a changed name makes way for one that is valid already", () => {
    const { tools, codes } = importAll(
      ["a.b", "a_b", "a-b", "a:b"].map((name) => ({
        name,
        description: "x",
        inputSchema: { type: "object", properties: {} },
      })),
    );
    expect(tools.map(({ name }) => name)).toEqual(["a_b_2", "a_b", "a-b", "a_b_3"]);
    expect(codes).toEqual(["import/renamed", "import/renamed"]);
    const long = "x".repeat(64);
    expect(findFreeName(long, (candidate) => candidate === long)).toBe(`${"x".repeat(62)}_2`);
  });

  test("each name becomes a file that differs from the others on every disk", () => {
    const { tools } = importAll(["Read", "read", "con"].map((name) => ({ name, description: "x", inputSchema: {} })));
    expect(tools.map(({ fileName }) => fileName)).toEqual(["Read.tool.yaml", "read_2.tool.yaml", "con_.tool.yaml"]);
    expect(createSpecFileName("LPT1", () => false)).toBe("LPT1_.tool.yaml");
  });
});

describe("what the source claims", () => {
  test("is suggested and never claimed", () => {
    expect(hinted({ readOnlyHint: true, openWorldHint: false, title: "A" }).tools[0]?.spec).toEqual({
      hasp: 1,
      name: "a",
      title: "A",
      description: "A tool.",
      input: { type: "object", properties: {} },
      origin: {
        kind: "mcp-list",
        source: "list.json",
        name: "a",
        annotations: { readOnlyHint: true, openWorldHint: false, title: "A" },
        suggested: { from: "annotations", class: "READ_ONLY", isOpenWorld: false },
        digest: expect.stringMatching(/^sha256-[0-9a-f]{64}$/),
      },
    });
    expect(hinted({ destructiveHint: false, idempotentHint: true }).tools[0]?.spec["origin"]).toMatchObject({
      suggested: { from: "annotations", isDestructive: false, isIdempotent: true },
    });
  });

  test("suggests nothing where it only repeats a strict default", () => {
    const spec = hinted({ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true })
      .tools[0]?.spec;
    expect(spec && Object.keys(spec)).toEqual(["hasp", "name", "description", "input", "origin"]);
  });

  test("is named where it means nothing", () => {
    expect(hinted({ readOnlyHint: "yes", safe: true }).codes).toEqual(["import/unknown-hint", "import/unknown-hint"]);
  });
});

describe("schemas of strangers", () => {
  test("type words with a certain meaning are translated", () => {
    const { input, codes } = importInput({
      type: "dict",
      properties: {
        a: { type: "float" },
        b: { type: "any" },
        c: { type: "STRING" },
        d: { type: ["int", "none"] },
        e: { type: "list", items: { type: "str" } },
      },
    });
    expect(input).toEqual({
      type: "object",
      properties: {
        a: { type: "number" },
        b: {},
        c: { type: "string" },
        d: { type: ["integer", "null"] },
        e: { type: "array", items: { type: "string" } },
      },
    });
    expect(new Set(codes)).toEqual(new Set(["import/type-word"]));
  });

  test("an uncertain type word refuses the tool by name", () => {
    const { tools, refused, diagnostics } = importAll([
      { name: "odd", description: "x", inputSchema: { type: "object", properties: { a: { type: "money" } } } },
      { name: "fine", description: "x", inputSchema: { type: "object", properties: {} } },
    ]);
    expect(refused).toEqual(["odd"]);
    expect(tools.map(({ name }) => name)).toEqual(["fine"]);
    expect(diagnostics[0]).toMatchObject({
      code: "import/unknown-type",
      tool: "odd",
      location: { pointer: "/tools/0/inputSchema/properties/a/type" },
    });
  });

  test("nullable becomes a type with null, beside an enum too, and is kept where it has no meaning", () => {
    expect(
      importInput({ type: "object", properties: { a: { type: "string", nullable: true, enum: ["x"] } } }).input,
    ).toEqual({
      type: "object",
      properties: { a: { type: ["string", "null"], enum: ["x", null] } },
    });
    const kept = importInput({
      type: "object",
      properties: { a: { $ref: "#/$defs/A", nullable: true } },
      $defs: { A: { type: "string" } },
    });
    expect(kept.input).toMatchObject({ properties: { a: { $ref: "#/$defs/A", "x-imported-nullable": true } } });
    expect(kept.codes).toEqual(["import/keyword-kept"]);
    expect(importInput({ type: "object", properties: {}, nullable: false }).input).toEqual({
      type: "object",
      properties: {},
    });
  });

  test("unknown keywords are kept under another name; x- words pass", () => {
    const { input, codes } = importInput({
      type: "object",
      properties: {},
      discriminator: { propertyName: "kind" },
      "x-mine": 1,
    });
    expect(input).toEqual({
      type: "object",
      properties: {},
      "x-imported-discriminator": { propertyName: "kind" },
      "x-mine": 1,
    });
    expect(codes).toEqual(["import/keyword-kept"]);
  });

  test("a property may be called like a keyword", () => {
    const properties = {
      nullable: { type: "boolean" },
      type: { type: "string" },
      $ref: { type: "string" },
      example: { type: "string" },
    };
    expect(importInput({ type: "object", properties })).toMatchObject({ input: { properties }, codes: [] });
  });

  test("draft-04 bounds become numbers", () => {
    expect(
      importInput({
        type: "object",
        properties: { a: { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false } },
      }).input,
    ).toEqual({
      type: "object",
      properties: { a: { type: "number", exclusiveMinimum: 1, maximum: 5 } },
    });
  });

  test("a default that does not fit is no default", () => {
    const { input, codes } = importInput({
      type: "object",
      properties: {
        a: { type: "string", default: null },
        b: { type: "string", default: "x" },
        c: { $ref: "#/$defs/N", default: "no" },
      },
      $defs: { N: { type: "number" } },
    });
    expect(input).toMatchObject({
      properties: {
        a: { type: "string", "x-imported-default": null },
        b: { default: "x" },
        c: { "x-imported-default": "no" },
      },
    });
    expect(codes).toEqual(["import/invalid-value", "import/invalid-value"]);
  });

  test("an example that does not fit is none", () => {
    const { input, codes } = importInput({
      type: "object",
      properties: { a: { type: "string", examples: ["x", 1] }, b: { type: "integer", example: "x" } },
    });
    expect(input).toMatchObject({
      properties: { a: { examples: ["x"], "x-imported-examples": [1] }, b: { "x-imported-examples": ["x"] } },
    });
    expect(codes).toEqual(["import/invalid-value", "import/example", "import/invalid-value"]);
  });

  test.each([
    [String.raw`^[\w\-\:]+$`, String.raw`^[\w\-:]+$`],
    [String.raw`^a\-b\@c$`, "^a-b@c$"],
    [String.raw`^\d+\.\d+$`, String.raw`^\d+\.\d+$`],
    [String.raw`^\p{L}+$`, String.raw`^\p{L}+$`],
  ])("the pattern %s is written as %s, which matches the same", (pattern, expected) => {
    const { input } = importInput({ type: "object", properties: { a: { type: "string", pattern } } });
    expect(input).toMatchObject({ properties: { a: { pattern: expected } } });
    if (pattern === expected) return;
    for (const text of ["a-b@c", "a:b", "a", "-", "@", ":", "\\", "b@c"]) {
      expect([text, new RegExp(expected, "u").test(text)]).toEqual([text, new RegExp(pattern).test(text)]);
    }
  });

  test.each([String.raw`^\q$`, "(", String.raw`^(a|b)c\1$`])(
    "the pattern %s, which no call could test, is kept aside",
    (pattern) => {
      const { input, codes } = importInput({ type: "object", properties: { a: { type: "string", pattern } } });
      expect(input).toEqual({ type: "object", properties: { a: { type: "string", "x-imported-pattern": pattern } } });
      expect(codes).toEqual(["import/loosened"]);
    },
  );

  test("a pattern is not run, whatever a default dares it to", () => {
    const preset = `${"a".repeat(60)}!`;
    const catastrophe = { type: "string", pattern: "^(a+)+$" };
    // Matched in linear time, like every call, the pattern refuses the default.
    expect(importInput({ type: "object", properties: { a: { ...catastrophe, default: preset } } })).toMatchObject({
      input: { properties: { a: { ...catastrophe, "x-imported-default": preset } } },
      codes: ["import/loosened"],
    });
  });

  test("the draft is kept where it matters", () => {
    const base = { type: "object", properties: {} };
    expect(importInput({ ...base, $schema: "https://json-schema.org/draft/2020-12/schema" }).input).toEqual(base);
    const draft07 = { $schema: "http://json-schema.org/draft-07/schema#", ...base };
    expect(importInput({ ...base, $schema: "http://json-schema.org/draft-07/schema" }).input).toEqual(draft07);
    expect(importInput({ ...base, $schema: "http://json-schema.org/draft-04/schema#" })).toMatchObject({
      input: draft07,
      codes: ["import/draft"],
    });
    expect(importInput({ type: "object", properties: { a: { items: [{ type: "string" }] } } })).toMatchObject({
      input: { $schema: "http://json-schema.org/draft-07/schema#" },
      codes: ["import/older-words"],
    });
    const mixed = {
      type: "object",
      properties: { a: { items: [{ type: "string" }] }, b: { $ref: "#/$defs/S", maxLength: 5 } },
      $defs: { S: { type: "string" } },
    };
    expect(importInput(mixed)).toMatchObject({ input: undefined, codes: ["import/mixed-drafts"], refused: ["a"] });
    expect(importInput({ ...mixed, $schema: draft07.$schema }).codes).toEqual([]);
    expect(importInput({ ...base, $schema: "https://example.com/mine" })).toMatchObject({
      input: undefined,
      codes: ["import/unknown-draft"],
      refused: ["a"],
    });
  });

  const draft2019 = { $schema: "https://json-schema.org/draft/2019-09/schema" };
  const tuple = { type: "array", items: [{ type: "number" }, { type: "string" }], additionalItems: false };
  const closedPair = { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false };

  test.each([
    ["that is stated", { ...draft2019, properties: { tuple } }],
    ["that only explains the keywords", { properties: { tuple }, ...closedPair }],
  ])("a draft 2019-09 %s becomes 2020-12", (_, schema) => {
    const { input, codes } = importInput({ type: "object", ...schema });
    const { items: prefixItems, additionalItems: items } = tuple;
    expect(input).toMatchObject({ properties: { tuple: { type: "array", prefixItems, items } } });
    expect(input).not.toHaveProperty("$schema");
    expect(input).not.toHaveProperty("properties.tuple.additionalItems");
    expect(codes).toEqual(["import/draft"]);
  });

  test("a recursion of draft 2019-09 becomes a reference to the root", () => {
    const kids = { type: "array", items: { $recursiveRef: "#" } };
    const { input, codes } = importInput({
      ...draft2019,
      $recursiveAnchor: true,
      type: "object",
      properties: { kids },
    });
    expect(input).toEqual({ type: "object", properties: { kids: { type: "array", items: { $ref: "#" } } } });
    expect(codes).toEqual(["import/draft"]);
  });

  test.each([
    ["dependencies", { ...draft2019, properties: {}, dependencies: { a: ["b"] } }, "import/unknown-draft"],
    [
      "contains",
      { ...draft2019, properties: { a: { contains: {}, unevaluatedItems: false } } },
      "import/unknown-draft",
    ],
    ["dependencies", { dependencies: { a: ["b"] }, ...closedPair }, "import/mixed-drafts"],
    ["prefixItems", { properties: { tuple, b: { prefixItems: [] } } }, "import/mixed-drafts"],
  ])("a tool whose %s another draft reads differently is refused", (_, schema, code) => {
    expect(importInput({ type: "object", ...schema })).toMatchObject({ input: undefined, codes: [code] });
  });

  test.each([
    ["minimum", "-9223372036854775808", { type: "integer" }],
    ["maximum", "9223372036854775807", { type: "integer", minimum: 0 }],
    ["exclusiveMaximum", "9223372036854775807", { type: "number" }],
    ["maxLength", "9223372036854775807", { type: "string" }],
    ["maximum", "1e400", { type: "number" }],
  ])("a %s of %s, which JavaScript rounds, is dropped with a warning", (keyword, numeral, schema) => {
    const inputSchema = { type: "object", properties: { a: { ...schema, [keyword]: "BOUND" } } };
    const text = JSON.stringify([{ name: "a", description: "x", inputSchema }]).replace('"BOUND"', numeral);
    const { specs, codes, diagnostics } = importText(importMcpList, text);
    expect(specs.get("a")?.["input"]).toMatchObject({ properties: { a: schema } });
    expect(specs.get("a")).not.toHaveProperty(`input.properties.a.${keyword}`);
    expect(codes).toEqual(["import/bound-dropped"]);
    expect(diagnostics[0]?.message).toContain(`"${keyword}" is beyond 2^53`);
  });

  test("a number that JavaScript rounds refuses its tool where it is no bound", () => {
    const inputSchema = { type: "object", properties: { maximum: { const: "VALUE" }, b: { maximum: "BOUND" } } };
    const tools = ["a", "b"].map((name) => ({ name, description: "x", inputSchema }));
    const text = JSON.stringify(tools)
      .replaceAll('"BOUND"', "9223372036854775807")
      .replace('"VALUE"', "9223372036854775807");
    const { specs, refused, codes } = importText(importMcpList, text);
    expect([...specs.keys()]).toEqual(["b"]);
    expect(refused).toEqual(["a"]);
    expect(codes).toContain("load/number-not-exact");
  });

  test("references by an $id of the same schema become JSON Pointers", () => {
    const { input, codes } = importInput({
      $id: "T0",
      type: "object",
      properties: { kid: { $ref: "T0" }, leaf: { $ref: "https://schemas.invalid/leaf#/properties/n" } },
      $defs: {
        Leaf: {
          $id: "https://schemas.invalid/leaf",
          type: "object",
          properties: { n: { type: "string" }, m: { $ref: "#/properties/n" } },
        },
      },
    });
    expect(codes).toEqual([]);
    expect(input).toMatchObject({
      properties: { kid: { $ref: "#" }, leaf: { $ref: "#/$defs/Leaf/properties/n" } },
      $defs: { Leaf: { properties: { m: { $ref: "#/$defs/Leaf/properties/n" } } } },
    });
    expect(JSON.stringify(input)).not.toContain("$id");
  });

  test("objects that are open or bare accept anything once that is approved", () => {
    const { input, codes } = importInput({
      type: "object",
      properties: { bare: { type: "object" }, open: { type: "object", additionalProperties: true } },
    });
    expect(input).toEqual({
      type: "object",
      properties: {
        bare: { type: "object", additionalProperties: true },
        open: { type: "object", additionalProperties: true },
      },
    });
    expect(codes).toEqual(["import/bare-object", "import/open-object"]);
    expect(importInput({ type: "object", properties: {} }).codes).toEqual([]);
  });

  test("definitions that nothing leads to are left out, and only those", () => {
    const $defs = {
      A: { $ref: "#/$defs/B" },
      B: { type: "string" },
      "C/~": { type: "number" },
      D: { $anchor: "name" },
    };
    const used = importInput({
      type: "object",
      properties: { a: { $ref: "#/$defs/A" }, c: { $ref: "#/$defs/C~1~0" } },
      $defs,
    });
    expect(used.input).toMatchObject({ $defs: { A: $defs.A, B: $defs.B, "C/~": $defs["C/~"] } });
    expect(Object.keys((used.input as { $defs: object }).$defs)).toEqual(["A", "B", "C/~"]);
    expect(used.codes).toEqual(["import/unused-definitions"]);
    expect(importInput({ type: "object", properties: {}, $defs }).input).toEqual({ type: "object", properties: {} });
    for (const doubtful of [{ $ref: "#" }, { $ref: "#name" }, { $anchor: "other" }]) {
      expect(importInput({ type: "object", properties: { a: doubtful }, $defs }).input).toMatchObject({ $defs });
    }
  });

  test("the root says that it is an object, which it is in every call; what cannot be one is refused", () => {
    expect(
      importInput({ oneOf: [{ required: ["a"] }, { required: ["b"] }], minProperties: 1, maxProperties: 3 }),
    ).toEqual({
      input: {
        type: "object",
        oneOf: [{ required: ["a"] }, { required: ["b"] }],
        minProperties: 1,
        maxProperties: 3,
        additionalProperties: true,
      },
      codes: ["import/root-object", "import/loosened"],
      refused: [],
    });
    expect(importInput({ $ref: "#/$defs/A", $defs: { A: { type: "object", properties: {} } } }).input).toMatchObject({
      type: "object",
      $ref: "#/$defs/A",
    });
    const draft07 = "http://json-schema.org/draft-07/schema#";
    expect(
      importInput({ $schema: draft07, $ref: "#/definitions/A", definitions: { A: { type: "object", properties: {} } } })
        .input,
    ).toEqual({
      $schema: draft07,
      type: "object",
      definitions: { A: { type: "object", properties: {} } },
      allOf: [{ $ref: "#/definitions/A" }],
    });
    expect(importInput({ type: ["object", "null"], properties: {} }).input).toEqual({ type: "object", properties: {} });
    expect(importInput({ type: "array", items: {} })).toMatchObject({
      codes: ["import/input-not-object"],
      refused: ["a"],
    });
    expect(importInput(false)).toMatchObject({ codes: ["import/input-not-object"], refused: ["a"] });
  });

  test.each([
    "https://example.com/a.json",
    "../../outside.json",
    "gone.json#/A",
    "urn:example:a",
    "/etc/passwd",
    "#/$defs/Gone",
    "file:///etc/passwd",
  ])("a reference to %s is not followed, and refuses the tool", ($ref) => {
    const { refused, diagnostics } = importAll([
      { name: "a", description: "x", inputSchema: { type: "object", properties: { b: { $ref } } } },
    ]);
    expect(refused).toEqual(["a"]);
    expect(diagnostics).toMatchObject([
      { code: "import/broken-reference", tool: "a", location: { pointer: "/tools/0/inputSchema/properties/b/$ref" } },
    ]);
  });

  test("refuses a tool whose schema is invalid or nested without end", () => {
    expect(importInput({ type: "object", properties: { $ref: "#/x" } })).toMatchObject({
      refused: ["a"],
      codes: ["import/reference-for-map"],
    });
    expect(importInput({ properties: [] })).toMatchObject({ refused: ["a"], codes: ["import/not-a-schema"] });
    expect(importInput(7)).toMatchObject({ refused: ["a"], codes: ["import/not-a-schema"] });
    const deep = Array.from({ length: 220 }).reduce<JsonValue>((inner) => ({ not: inner }), {});
    expect(importInput(deep)).toMatchObject({ refused: ["a"], codes: ["import/too-deep"] });
  });
});

describe("lists", () => {
  const tool = { name: "a", description: "x", inputSchema: { type: "object", properties: {} } };

  test.each([
    [{ tools: [tool] }],
    [[tool]],
    [{ jsonrpc: "2.0", id: 1, result: { tools: [tool] } }],
    [{ source: "s", license: "MIT", tools: [tool] }],
  ])("in the shape %j are read", (list) => {
    expect(importList(documentOf(list as JsonValue)).value.tools.map(({ name }) => name)).toEqual(["a"]);
  });

  test.each([
    [{ tools: {} }, "import/no-list"],
    ["tools", "import/no-list"],
    [[], "import/no-tools"],
    [{ tools: [null] }, "import/not-a-tool"],
    [{ tools: [{ description: "x" }] }, "import/not-a-tool"],
    [{ tools: [{ name: "a" }] }, "import/no-schema"],
    [{ tools: [tool, tool] }, "import/name-twice"],
  ])("%j are refused with %s", (list, code) => {
    expect(importList(documentOf(list as JsonValue)).diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  });

  test("a tool without a description is described by its name, and the import asks for more", () => {
    const { tools, codes } = importAll([{ name: "list-openOrders", inputSchema: {} }]);
    expect(tools[0]?.spec["description"]).toBe("List open orders.");
    expect(codes).toContain("import/no-description");
  });

  test("a tool with megabytes to say is refused, and the rest goes on", () => {
    const { refused, diagnostics, tools } = importAll([
      { ...tool, name: "large", description: "x".repeat(2 * 1024 * 1024) },
      tool,
    ]);
    expect([refused, tools.map(({ name }) => name)]).toEqual([["large"], ["a"]]);
    expect(diagnostics).toMatchObject([
      { code: "import/too-large", tool: "large", message: expect.stringContaining("3 MB") },
    ]);
  });

  test("keeps the other keys of a tool", () => {
    const { tools } = importAll([{ ...tool, _meta: { a: 1 }, icons: [] }]);
    expect(tools[0]?.spec).toMatchObject({ "x-imported-_meta": { a: 1 }, "x-imported-icons": [] });
  });
});

describe("printed specs", () => {
  test("prints blocks, with wrapped text and short lists on one line", () => {
    const description = `${"Word ".repeat(40)}end.`;
    const text = printSpec({
      ...described(description),
      input: {
        type: "object",
        required: ["a", "b"],
        properties: { a: { enum: ["x", "no"] }, b: { description: "One.\nTwo." } },
      },
    });
    expect(text).toBe(`hasp: 1
name: a
description: >-
  Word Word Word Word Word Word Word Word Word Word Word Word Word Word Word Word Word Word Word
  Word Word Word Word Word Word Word Word Word Word Word Word Word Word Word Word Word Word Word
  Word Word end.
input:
  type: object
  required: [a, b]
  properties:
    a:
      enum: [x, "no"]
    b:
      description: |-
        One.
        Two.
`);
  });

  test.each([
    "a: b\nc: d",
    "---\n...\n--- x",
    "# comment",
    "- item\n- item",
    "'single' \"double\" `tick` ${x} */ </script>",
    "trailing space \nand tab\t\n",
    "\n\nleading lines",
    "   indented\n  less\n",
    "!!js/function 'x'",
    "*alias &anchor",
    "{{ template }} {% x %}",
    "tabs\tinside",
    "bell \u0007 escape \u001b[31m",
    "\u2028 \u2029 \u0085 \ufeff \u202e",
    "x".repeat(5000),
    `${"long ".repeat(40)}\n${"long ".repeat(40)}`,
    "%YAML 1.1",
    "true",
    "1e3",
    "~",
    "",
    "<<",
    "=",
    "? x",
    "| block",
    "> folded",
  ])("prints exactly the text of case %#", (description) => {
    const text = printSpec(described(description));
    const read = load([{ uri: "a.tool.yaml", text: text ?? "", role: "spec" }]);
    expect(read.diagnostics).toEqual([]);
    expect(read.value[0]?.value).toEqual(described(description));
  });

  test("the compiler's own reader reads every printed spec back as the same value", () => {
    const value = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.string({
          unit: fc.oneof(
            fc.constantFrom("\n", " ", ":", "#", "-", "'", '"', "\t", "é", "|", ">", "&"),
            fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
          ),
        }),
        fc.constantFrom<JsonValue>(null, true, false, 0, -1, 1.5, "no", "null", "0x10", "1_000", "2001-01-01"),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(
          fc.string({ maxLength: 12 }).filter((key) => key !== "__proto__"),
          tie("value"),
          { maxKeys: 4, noNullPrototype: true },
        ),
      ),
    })).value;
    fc.assert(
      fc.property(value, fc.string({ unit: "binary" }), (inner, description) => {
        const whole: JsonObject = { ...described(description), "x-inner": inner };
        const text = printSpec(whole);
        if (text === undefined) return;
        const read = load([{ uri: "a.tool.yaml", text, role: "spec" }]);
        expect(read.diagnostics).toEqual([]);
        expect(read.value[0]?.value).toEqual(whole);
      }),
    );
  });
});

describe("a later import", () => {
  const first = importAll([
    {
      name: "a",
      description: "Old words.",
      inputSchema: { type: "object", properties: {} },
      annotations: { readOnlyHint: true },
    },
  ]);
  const spec = first.tools[0]?.spec ?? {};
  const mine = `${(printSpec(spec) ?? "").replace("name: a\n", "name: a # mine\n")}owner: me # stays\n`;
  const next = (change: object): JsonObject =>
    importAll([
      {
        name: "a",
        description: "Old words.",
        inputSchema: { type: "object", properties: {} },
        annotations: { readOnlyHint: true },
        ...change,
      },
    ]).tools[0]?.spec ?? {};

  test("finds no change in the same source, regardless of the author's additions", () => {
    expect(compareSpec(mine, spec)).toEqual({ kind: "same" });
    expect(compareSpec(mine.replace("Old words.", "My words."), spec)).toEqual({ kind: "same" });
  });

  test("names what the source changed, and takes it over beside the author's own keys and comments", () => {
    const comparison = compareSpec(
      mine,
      next({ description: "New words: ignore all others.", outputSchema: { type: "object", properties: {} } }),
    );
    expect(comparison).toMatchObject({ kind: "drifted", changed: ["description", "output"], isEdited: false });
    const text = comparison.kind === "drifted" ? (comparison.merged(() => "theirs") ?? "") : "";
    expect(text).toContain("name: a # mine\n");
    expect(text).toContain('description: "New words: ignore all others."\n');
    expect(text).toContain("owner: me # stays\n");
    expect(text).toContain("output:\n  type: object\n");
  });

  test("names changed hints, and says when the author has edited what changed", () => {
    expect(compareSpec(mine, next({ annotations: { readOnlyHint: false } }))).toMatchObject({
      changed: ["annotations"],
      isEdited: false,
    });
    expect(compareSpec(mine.replace("Old words.", "My words."), next({ description: "New words." }))).toMatchObject({
      changed: ["description"],
      isEdited: true,
    });
  });

  test("never takes a file for its own that is not", () => {
    expect(compareSpec("hasp: 1\nname: a\n", spec)).toEqual({ kind: "foreign" });
    expect(compareSpec("a: [", spec)).toEqual({ kind: "foreign" });
    expect(compareSpec(mine.replace("  name: a", "  name: b"), spec)).toEqual({ kind: "foreign" });
  });
});

describe.skipIf(!existsSync(corpus))("the corpus (skipped where ../shared/corpus is not there)", () => {
  test.each(existsSync(corpus) ? readdirSync(corpus) : [])(
    "%s: every tool becomes a spec or is refused by name, and none is relaxed",
    (file) => {
      const text = readFileSync(resolve(corpus, file), "utf8");
      const [document] = load([{ uri: file, text, role: "shared" }]).value;
      if (document === undefined) throw new Error("the corpus does not load");
      const list = (document.value as { readonly tools: readonly JsonValue[] }).tools;
      const { value, diagnostics } = importList(document);
      expect(value.tools.length + value.refused.length).toBe(list.length);
      for (const name of value.refused) {
        expect(diagnostics.some(({ severity, tool }) => severity === "error" && tool === name)).toBe(true);
      }
      if (file === "bfcl-live-raw-dialect.json") {
        // None of these is valid JSON Schema, so each needs a finding.
        expect(new Set(diagnostics.map(({ tool }) => tool)).size).toBe(list.length);
      }
      const sources = value.tools.map(({ fileName, spec }) => ({
        uri: fileName,
        text: printSpec(spec) ?? "",
        role: "spec" as const,
      }));
      expect(sources.filter((source) => source.text === "")).toEqual([]);
      const specs = load(sources);
      expect(specs.diagnostics).toEqual([]);
      expect(specs.value.map((loaded) => loaded.value)).toEqual(value.tools.map(({ spec }) => spec));
      const resolved = resolveSpecs(specs.value, testContext({ documents: specs.value }));
      expect(resolved.value.tools.flatMap((tool) => tool.relaxations)).toEqual([]);
      expect(resolved.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    },
  );
});
