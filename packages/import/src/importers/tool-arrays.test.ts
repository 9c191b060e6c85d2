import { type JsonObject, type JsonValue, createValidator } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { importAnthropic } from "./anthropic.js";
import { importGemini } from "./gemini.js";
import { importFiles } from "./import-source.testing.js";
import { importOpenai } from "./openai.js";

const object = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };

describe("anthropic", () => {
  const tool = { name: "a", description: "Does a.", input_schema: object };

  test.each<[JsonValue]>([
    [[tool]],
    [{ model: "claude", tools: [tool] }],
    [[{ ...tool, type: "custom" }]],
    [[{ ...tool, type: null }]],
  ])("is read in the shape %j", (list) => {
    const { specs, codes } = importFiles(importAnthropic, { "tools.json": list });
    expect(codes).toEqual([]);
    expect(specs.get("a")).toEqual({
      hasp: 1,
      name: "a",
      description: "Does a.",
      input: object,
      origin: { kind: "anthropic", source: "tools.json", name: "a", digest: expect.stringMatching(/^sha256-/) },
    });
  });

  test("names what Anthropic runs itself, and goes on", () => {
    const { specs, refused, diagnostics } = importFiles(importAnthropic, {
      "tools.json": [
        { type: "web_search_20250305", name: "web_search" },
        tool,
        { type: "mcp_toolset", mcp_server_name: "github" },
        { type: "bash_20250124", name: "bash" },
      ],
    });
    expect([...specs.keys()]).toEqual(["a"]);
    expect(refused).toEqual(["web_search", "github", "bash"]);
    expect(new Set(diagnostics.map(({ code, severity }) => `${code} ${severity}`))).toEqual(
      new Set(["import/provider-tool warning"]),
    );
  });

  test("keeps what it has no word for, and refuses a tool without a schema", () => {
    const { specs, refused, codes } = importFiles(importAnthropic, {
      "tools.json": [
        { ...tool, strict: true, input_examples: [{ id: "x" }], cache_control: { type: "ephemeral" } },
        { name: "b" },
      ],
    });
    expect(specs.get("a")).toMatchObject({
      "x-imported-strict": true,
      "x-imported-input_examples": [{ id: "x" }],
      "x-imported-cache_control": { type: "ephemeral" },
    });
    expect([refused, codes]).toEqual([["b"], ["import/no-schema"]]);
  });
});

describe("openai", () => {
  const flat = { name: "a", description: "Does a.", parameters: object };

  test.each<[string, JsonValue]>([
    ["Responses", [{ type: "function", ...flat, strict: false }]],
    ["Chat Completions", { tools: [{ type: "function", function: { ...flat, strict: false } }] }],
    ["the older functions", { functions: [{ ...flat, strict: false }] }],
    [
      "a namespace",
      [{ type: "namespace", name: "n", description: "x", tools: [{ type: "function", ...flat, strict: false }] }],
    ],
  ])("is read in the shape of %s", (_title, list) => {
    const { specs, codes } = importFiles(importOpenai, { "tools.json": list });
    expect(codes).toEqual([]);
    expect(specs.get("a")).toMatchObject({
      name: "a",
      description: "Does a.",
      input: object,
      "x-imported-strict": false,
    });
  });

  test("names what OpenAI runs itself, and goes on", () => {
    const { specs, refused, codes } = importFiles(importOpenai, {
      "tools.json": [{ type: "web_search" }, { type: "mcp", server_label: "github" }, { type: "function", ...flat }],
    });
    expect([...specs.keys()]).toEqual(["a"]);
    expect(refused).toEqual(["web_search", "github"]);
    expect(codes).toEqual(["import/provider-tool", "import/provider-tool"]);
  });

  const regex = { syntax: "regex", definition: "[0-9]+" };
  const text = { type: "string", format: { grammar: "regex", definition: "[0-9]+" } };

  test.each<[string, JsonObject, JsonObject]>([
    ["of the Responses API", { name: "a", format: { type: "grammar", ...regex } }, text],
    ["of the Chat Completions API", { custom: { name: "a", format: { type: "grammar", grammar: regex } } }, text],
    ["without a grammar", { name: "a", format: { type: "text" } }, { type: "string" }],
    ["without a format", { custom: { name: "a" } }, { type: "string" }],
    ["of a format that no build takes", { name: "a", format: "digits" }, { type: "string", format: {} }],
  ])("reads a custom tool %s as one of free text", (_title, tool, input) => {
    const { specs, codes } = importFiles(importOpenai, { "tools.json": [{ type: "custom", ...tool }] });
    expect([specs.get("a")?.["input"], codes]).toEqual([input, ["import/no-description"]]);
  });

  test("makes the namespace of a tool its tag", () => {
    const tools = [
      { type: "custom", name: "b" },
      { type: "function", ...flat },
    ];
    const { specs } = importFiles(importOpenai, {
      "tools.json": [{ type: "namespace", name: "shop", description: "Its tools.", tools }],
    });
    expect([...specs.values()].map(({ name, tags }) => [name, tags])).toEqual([
      ["b", ["shop"]],
      ["a", ["shop"]],
    ]);
  });

  test("takes no parameters for none", () => {
    for (const parameters of [undefined, null]) {
      const tool: JsonObject = {
        type: "function",
        name: "a",
        description: "x",
        ...(parameters === undefined ? {} : { parameters }),
      };
      expect(importFiles(importOpenai, { "tools.json": [tool] }).specs.get("a")?.["input"]).toEqual({
        type: "object",
        properties: {},
      });
    }
  });

  test("leaves the nullables of strict mode as they are, and says so once", () => {
    const parameters = {
      type: "object",
      additionalProperties: false,
      required: ["a", "b", "c"],
      properties: {
        a: { type: ["string", "null"] },
        b: { anyOf: [{ type: "integer" }, { type: "null" }] },
        c: { type: "string" },
      },
    };
    const { specs, diagnostics } = importFiles(importOpenai, {
      "tools.json": [{ type: "function", name: "a", description: "x", parameters, strict: true }],
    });
    expect(specs.get("a")?.["input"]).toEqual(parameters);
    expect(diagnostics).toMatchObject([
      {
        code: "import/strict-nullable",
        severity: "info",
        message: expect.stringContaining('"a", "b": required and nullable'),
      },
    ]);
  });
});

describe("gemini", () => {
  const declaration = {
    name: "a",
    description: "Does a.",
    parameters: { type: "OBJECT", properties: { id: { type: "STRING" } }, required: ["id"] },
  };

  test.each<[JsonValue]>([
    [[declaration]],
    [[{ functionDeclarations: [declaration] }]],
    [{ tools: [{ function_declarations: [declaration] }] }],
    [{ functionDeclarations: [declaration] }],
  ])("is read in the shape %j", (list) => {
    expect(importFiles(importGemini, { "tools.json": list }).specs.get("a")).toMatchObject({
      description: "Does a.",
      input: object,
    });
  });

  test("its words are said in JSON Schema's, with the same meaning", () => {
    const parameters = {
      type: "OBJECT",
      propertyOrdering: ["a", "b"],
      properties: {
        a: { type: "STRING", format: "enum", enum: ["x", "y"], nullable: true },
        b: { type: "INTEGER", format: "int32", enum: ["1", "-2"] },
        c: { type: "ARRAY", items: { type: "NUMBER" }, minItems: "1", max_items: "5" },
        d: { any_of: [{ type: "STRING", maxLength: "10" }, { type: "BOOLEAN" }] },
      },
    };
    const { specs } = importFiles(importGemini, { "tools.json": [{ ...declaration, parameters }] });
    const input = specs.get("a")?.["input"] as JsonObject;
    expect(input).toEqual({
      type: "object",
      properties: {
        a: { type: ["string", "null"], enum: ["x", "y", null] },
        b: { type: "integer", enum: [1, -2], format: "int32" },
        c: { type: "array", minItems: 1, maxItems: 5, items: { type: "number" } },
        d: { anyOf: [{ type: "string", maxLength: 10 }, { type: "boolean" }] },
      },
      "x-imported-propertyOrdering": ["a", "b"],
    });
    const { valid } = createValidator(input)({ a: null, b: -2, c: [1.5], d: true });
    expect(valid).toBe(true);
  });

  test("JSON Schema is read as such, none as no parameters, and Google's own tools by name", () => {
    const { specs, refused, codes } = importFiles(importGemini, {
      "tools.json": [
        {
          functionDeclarations: [
            { name: "a", description: "x", parametersJsonSchema: object, responseJsonSchema: { type: "string" } },
            { name: "b", description: "x" },
          ],
          googleSearch: {},
        },
        { codeExecution: {} },
      ],
    });
    expect(specs.get("a")).toMatchObject({ input: object, output: { type: "string" } });
    expect(specs.get("b")).toMatchObject({ input: { type: "object", properties: {} } });
    expect([refused, codes]).toEqual([
      ["googleSearch", "codeExecution"],
      ["import/provider-tool", "import/provider-tool"],
    ]);
  });

  test("an uncertain type refuses the tool by name", () => {
    const { refused, codes } = importFiles(importGemini, {
      "tools.json": [
        { ...declaration, parameters: { type: "OBJECT", properties: { a: { type: "TYPE_UNSPECIFIED" } } } },
      ],
    });
    expect([refused, codes]).toEqual([["a"], expect.arrayContaining(["import/unknown-type"])]);
  });
});

test.each([[importAnthropic], [importOpenai], [importGemini]])(
  "a file without a list is refused as a whole",
  (importer) => {
    for (const value of [{}, "x", { tools: 1 }]) {
      const { codes, specs } = importFiles(importer, { "tools.json": value });
      expect([codes, specs.size]).toEqual([["import/no-list"], 0]);
    }
    expect(importFiles(importer, { "tools.json": [] }).codes).toEqual(["import/no-tools"]);
    expect(importFiles(importer, { "tools.json": [null, 1, "x", [], {}] }).specs.size).toBe(0);
  },
);
