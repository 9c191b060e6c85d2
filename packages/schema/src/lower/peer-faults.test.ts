import { describe, expect, test } from "vitest";
import type { DialectId } from "../dialects/definition/dialect-id.js";
import type { JsonValue } from "@hasp/base/json";
import type { SchemaObject } from "../vocabulary/json-schema.js";
import { lower } from "./lower.js";
import type { LowerResult } from "./context/types.js";

/** Lowers the input of a tool with one property. */
function lowerProperty(property: SchemaObject, dialect: DialectId, extra: SchemaObject = {}): LowerResult {
  return lower(
    { type: "object", properties: { p: property }, required: ["p"], additionalProperties: false, ...extra },
    dialect,
  );
}

function lowered(result: LowerResult): SchemaObject {
  if (typeof result.schema !== "object") {
    throw new Error(result.diagnostics.map((diagnostic) => diagnostic.message).join("\n"));
  }
  return result.schema;
}

function property(result: LowerResult, name = "p"): SchemaObject {
  const found = lowered(result).properties?.[name];
  if (typeof found !== "object") throw new Error(`no property ${name}`);
  return found;
}

const keywordsOf = (result: LowerResult): readonly string[] => result.losses.map((loss) => loss.keyword);

describe("@ai-sdk/google 3 convert-json-schema-to-openapi-schema", () => {
  test("loses maximum, pattern, default, uniqueItems without a word: here each is kept, told or reported", () => {
    const result = lower(
      {
        type: "object",
        properties: {
          n: { type: "integer", minimum: 1, maximum: 100, default: 10 },
          s: { type: "string", maxLength: 5, pattern: "^a" },
          a: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3, uniqueItems: true },
        },
        additionalProperties: false,
      },
      "gemini",
    );
    expect(property(result, "n")).toEqual({ description: "Default: 10.", type: "integer", minimum: 1, maximum: 100 });
    expect(property(result, "s")).toEqual({ type: "string", pattern: "^a", maxLength: 5 });
    expect(property(result, "a")).toEqual({
      description: "No item twice.",
      type: "array",
      items: { type: "string" },
      minItems: 1,
      maxItems: 3,
    });
    expect(keywordsOf(result)).toEqual(expect.arrayContaining(["uniqueItems", "additionalProperties"]));
  });

  test("turns a boolean schema into { type: boolean }: here true takes any value and false none", () => {
    const result = lower({ type: "object", properties: { any: true, none: false } }, "gemini-json-schema");
    expect(lowered(result).properties).toEqual({ any: {} });
    const text = lower({ type: "object", properties: { any: true }, required: ["any"] }, "gemini");
    expect(property(text, "any").type).toBe("string");
    expect(text.decode(text.encode({ any: { deep: [1] } }))).toEqual({ any: { deep: [1] } });
  });

  test("leaves siblings beside anyOf (vercel/ai#19000): here it stands alone", () => {
    const result = lowerProperty(
      { description: "Either.", anyOf: [{ type: "string" }, { type: "integer", minimum: 3 }] },
      "gemini",
    );
    expect(property(result)).toEqual({
      anyOf: [
        { description: "Either.", type: "string" },
        { type: "integer", minimum: 3 },
      ],
    });
  });

  test("leaves properties and items beside the anyOf of several types: here each alternative has its own", () => {
    const result = lowerProperty(
      {
        type: ["object", "array"],
        properties: { a: { type: "string" } },
        additionalProperties: false,
        items: { type: "string" },
      },
      "gemini",
    );
    expect(property(result)).toEqual({
      anyOf: [
        { type: "object", properties: { a: { type: "string" } } },
        { type: "array", items: { type: "string" } },
      ],
    });
  });

  test("throws on recursion (vercel/ai#19488): here the inner use is widened and reported", () => {
    const tree: SchemaObject = {
      type: "object",
      properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
      required: ["label"],
      additionalProperties: false,
    };
    const result = lower(
      { type: "object", properties: { root: { $ref: "#/$defs/Tree" } }, $defs: { Tree: tree } },
      "gemini",
    );
    expect(keywordsOf(result)).toContain("$ref");
    expect(JSON.stringify(result.schema)).not.toContain("$ref");
    const value: JsonValue = { root: { label: "a", children: [{ label: "b", children: [{ label: "c" }] }] } };
    expect(result.decode(result.encode(value))).toEqual(value);
  });
});

describe("@anthropic-ai/sdk transformJSONSchema", () => {
  test("prints legacy definitions into the description: here they are bound", () => {
    const result = lower(
      {
        $schema: "http://json-schema.org/builder-07/schema#",
        type: "object",
        properties: { a: { $ref: "#/definitions/A" } },
        definitions: { A: { type: "string" } },
        additionalProperties: false,
      },
      "anthropic-strict",
    );
    expect(lowered(result).properties).toEqual({ a: { type: "string" } });
  });

  test("drops the description beside a reference", () => {
    const node: SchemaObject = {
      type: "object",
      properties: { next: { $ref: "#/$defs/Node", description: "The next one." } },
      additionalProperties: false,
    };
    const source: SchemaObject = {
      type: "object",
      properties: { first: { $ref: "#/$defs/Node" } },
      additionalProperties: false,
      $defs: { Node: node },
    };
    expect(JSON.stringify(lower(source, "openai-responses-strict").schema)).toContain("The next one.");
    expect(JSON.stringify(lower(source, "anthropic").schema)).toContain("The next one.");
  });

  test("keeps the type beside enum and const, and default and pattern in place", () => {
    const result = lowerProperty({ type: "string", enum: ["a", "b"], default: "a" }, "anthropic-strict");
    expect(property(result)).toEqual({ type: "string", enum: ["a", "b"], default: "a" });
    expect(property(lowerProperty({ type: "string", pattern: "^[a-z]+$" }, "anthropic-strict")).pattern).toBe(
      "^[a-z]+$",
    );
  });

  test("dumps the properties of a nullable object into the description: here it stays an object", () => {
    const result = lowerProperty(
      { type: ["object", "null"], properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
      "anthropic-strict",
    );
    expect(property(result)).toEqual({
      anyOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
        { type: "null" },
      ],
    });
  });

  test("closes open maps silently: here a typed map keeps its values, and an open object is refused with a remedy", () => {
    const map = lowerProperty({ type: "object", additionalProperties: { type: "integer" } }, "anthropic-strict");
    expect(map.decode(map.encode({ p: { a: 1, b: 2 } }))).toEqual({ p: { a: 1, b: 2 } });
    const open = lowerProperty({ type: "object", properties: {}, additionalProperties: true }, "anthropic-strict");
    expect(open.schema).toBeUndefined();
    expect(open.diagnostics.map((diagnostic) => diagnostic.code)).toContain("lower/open-object");
  });

  test("lets recursion through although strict refuses it", () => {
    const node: SchemaObject = {
      type: "object",
      properties: { next: { $ref: "#/$defs/Node" } },
      additionalProperties: false,
    };
    const source: SchemaObject = {
      type: "object",
      properties: { first: { $ref: "#/$defs/Node" } },
      additionalProperties: false,
      $defs: { Node: node },
    };
    expect(lower(source, "anthropic-strict").diagnostics.map((diagnostic) => diagnostic.code)).toContain(
      "lower/recursion",
    );
    const unrolled = lower(source, "anthropic-strict", { allowNarrowing: true });
    expect(unrolled.losses.some((loss) => loss.direction === "narrowed" && loss.enforcedBy === "nobody")).toBe(true);
    expect(unrolled.encode({ first: { next: {} } })).toEqual({ first: { next: {} } });
    expect(() => unrolled.encode({ first: { next: { next: { next: { next: {} } } } } })).toThrow(RangeError);
  });
});

describe("openai toStrictJsonSchema and @openai/agents-core", () => {
  test("let format uri, a reference with a description and an empty node through", () => {
    const uri = property(lowerProperty({ type: "string", format: "uri" }, "openai-responses-strict"));
    expect(uri).toEqual({ type: "string", description: "Format: uri." });
    expect(property(lowerProperty({ description: "Whatever." }, "openai-responses-strict")).type).toBe("string");
  });

  test("cannot make optional properties nullable (openai), or strip null that was meant (agents): here absent and null stay two things", () => {
    const result = lower(
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: ["string", "null"] } },
        additionalProperties: false,
      },
      "openai-responses-strict",
    );
    expect(lowered(result).required).toEqual(["a", "b"]);
    for (const value of [{}, { a: "x" }, { b: null }, { a: "x", b: "y" }]) {
      expect(result.decode(result.encode(value))).toEqual(value);
    }
    expect(result.encode({})).toEqual({ a: null, b: null });
    expect(result.encode({ b: null })).toEqual({ a: null, b: { value: null } });
  });

  test("42 % of parameters lost in strict mode (ComposioHQ/composio#4257): here none", () => {
    const names = Array.from({ length: 20 }, (_, index) => `option${index}`);
    const result = lower(
      {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { type: "integer" }])),
        additionalProperties: false,
      },
      "openai-chat-strict",
    );
    expect(Object.keys(lowered(result).properties ?? {})).toEqual(names);
  });
});

describe("@google/genai processJsonSchema", () => {
  test("drops the description of a node that is nullable by anyOf", () => {
    const result = lowerProperty({ description: "Kept.", anyOf: [{ type: "string" }, { type: "null" }] }, "gemini");
    expect(property(result)).toEqual({ description: "Kept.", type: "string", nullable: true });
  });

  test("copies const, oneOf and exclusive bounds, which the API refuses", () => {
    const result = lower(
      {
        type: "object",
        properties: {
          c: { const: "x" },
          u: { oneOf: [{ type: "string" }, { type: "integer", exclusiveMinimum: 0 }] },
          f: { type: "number", exclusiveMaximum: 1 },
        },
        additionalProperties: false,
      },
      "gemini",
    );
    expect(lowered(result).properties).toEqual({
      c: { type: "string", enum: ["x"] },
      u: { anyOf: [{ type: "string" }, { type: "integer", minimum: 1 }] },
      f: { type: "number", description: "Less than 1.", maximum: 1 },
    });
  });
});

describe("@langchain/google-genai and google-common", () => {
  test("delete a property that happens to be called additionalProperties", () => {
    const source: SchemaObject = {
      type: "object",
      properties: {
        additionalProperties: { type: "boolean" },
        strict: { type: "string" },
        $schema: { type: "string" },
        type: { type: "string" },
      },
      required: ["additionalProperties"],
      additionalProperties: false,
    };
    const result = lower(source, "gemini");
    const value = { additionalProperties: true, strict: "a", $schema: "b", type: "c" };
    expect(Object.keys(lowered(result).properties ?? {})).toHaveLength(4);
    expect(result.decode(result.encode(value))).toEqual(value);
  });

  test("turn an exclusive bound of an integer into a fraction", () => {
    expect(property(lowerProperty({ type: "integer", exclusiveMinimum: 0 }, "gemini"))).toEqual({
      type: "integer",
      minimum: 1,
    });
  });
});

describe("LiteLLM vertex", () => {
  test("turns an empty string in an enum into null: here the list is told in words", () => {
    const result = lowerProperty({ type: "string", enum: ["", "a"] }, "gemini");
    expect(property(result)).toEqual({ type: "string", description: 'One of "", "a".' });
    expect(keywordsOf(result)).toContain("enum");
  });

  test("number enums are refused by Gemini (CherryHQ/cherry-studio#20939): here they travel as texts and come back as numbers", () => {
    const result = lowerProperty({ type: "integer", enum: [1, 2, 3] }, "gemini");
    expect(property(result)).toEqual({ type: "string", enum: ["1", "2", "3"] });
    expect(result.encode({ p: 2 })).toEqual({ p: "2" });
    expect(result.decode({ p: "2" })).toEqual({ p: 2 });
  });
});

describe("roots", () => {
  const createPage: SchemaObject = {
    type: "object",
    properties: { title: { type: "string" }, pageId: { type: "string" }, databaseId: { type: "string" } },
    required: ["title"],
    anyOf: [{ required: ["pageId"] }, { required: ["databaseId"] }],
    additionalProperties: false,
  };

  test.each([
    "anthropic",
    "anthropic-strict",
    "openai-chat",
    "openai-responses",
    "bedrock-converse",
    "ollama",
    "gemini",
    "mcp",
  ] as const)(
    "a union at the root refuses the whole request, and MCP clients drop the tool (makenotion/notion-mcp-server#340, langchain-ai/langchain#39271, anthropics/claude-code#10858): %s gets one object",
    (dialect) => {
      const result = lower(createPage, dialect);
      expect(lowered(result)).toMatchObject({ type: "object", required: ["title"] });
      expect(lowered(result)).not.toHaveProperty("anyOf");
      expect(keywordsOf(result)).toContain("anyOf");
      if (dialect !== "ollama") expect(lowered(result).description).toContain("pageId; or databaseId");
    },
  );

  test("a root without properties is refused by OpenAI (bnb-chain/bnbchain-mcp#68), and one with empty properties by Gemini (agno-agi/agno#2112)", () => {
    expect(lower({ type: "object", additionalProperties: false }, "openai-chat").schema).toHaveProperty(
      "properties",
      {},
    );
    expect(lower({ type: "object", properties: {} }, "gemini").schema).toEqual({ type: "object" });
  });

  test("a discriminated union becomes one object whose forms are told", () => {
    const source: SchemaObject = {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "file" }, path: { type: "string" } },
          required: ["kind", "path"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { kind: { const: "url" }, url: { type: "string" } },
          required: ["kind", "url"],
          additionalProperties: false,
        },
      ],
    };
    expect(lower(source, "anthropic").schema).toEqual({
      description: 'Give exactly one of these forms: kind "file" and path; or kind "url" and url.',
      type: "object",
      properties: { kind: { enum: ["file", "url"] }, path: { type: "string" }, url: { type: "string" } },
      required: ["kind"],
      additionalProperties: false,
    });
  });

  test("a root that is no object travels under one key", () => {
    const result = lower({ type: "array", items: { type: "string" } }, "openai-responses");
    expect(result.encode(["a"])).toEqual({ input: ["a"] });
    expect(result.decode({ input: ["a"] })).toEqual(["a"]);
  });
});

describe("names", () => {
  test("one bad key refuses the whole request (anthropics/claude-code#79418, ComposioHQ/composio#3500): keys of the root are renamed and come back", () => {
    const long = "x".repeat(70);
    const source: SchemaObject = {
      type: "object",
      properties: {
        "max rows": { type: "integer" },
        "max@rows": { type: "integer" },
        [long]: { type: "integer" },
        inner: { type: "object", properties: { "a b": { type: "integer" } }, additionalProperties: false },
      },
      required: ["max rows"],
      additionalProperties: false,
    };
    const result = lower(source, "anthropic");
    for (const name of Object.keys(lowered(result).properties ?? {})) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    expect(new Set(Object.keys(lowered(result).properties ?? {})).size).toBe(4);
    const value = { "max rows": 1, "max@rows": 2, [long]: 3, inner: { "a b": 4 } };
    expect(result.decode(result.encode(value))).toEqual(value);
    expect(property(result, "inner").properties).toHaveProperty(["a b"]);
  });

  test("a name without a letter is in the description, since the one on the wire tells nothing (ggml-org/llama.cpp#28429)", () => {
    const source: SchemaObject = {
      type: "object",
      properties: { 城市: { type: "string", description: "Where." }, 日期: { $ref: "#/$defs/Day" }, "user name": {} },
      $defs: { Day: { type: "string" } },
    };
    const inner = Object.values(lowered(lower(source, "anthropic")).properties ?? {});
    expect(inner.map((each) => (typeof each === "object" ? each.description : undefined))).toEqual([
      'Named "城市". Where.',
      'Named "日期".',
      undefined,
    ]);
  });

  test("a name that an API reserves is renamed and comes back", () => {
    const source: SchemaObject = {
      type: "object",
      properties: { anyOf: { type: "string" }, "a/b": { type: "string" } },
    };
    const result = lower(source, "moonshot");
    expect(Object.keys(lowered(result).properties ?? {})).toEqual(["_anyOf", "a_b"]);
    const value = { anyOf: "x", "a/b": "y" };
    expect(result.decode(result.encode(value))).toEqual(value);
  });
});

test("vercel/ai#19662: a dropped keyword is a loss with a checked witness", () => {
  const result = lowerProperty({ type: "integer", multipleOf: 5 }, "anthropic-strict");
  const loss = result.losses.find((each) => each.keyword === "multipleOf");
  expect(loss).toMatchObject({
    pointer: "/properties/p",
    direction: "widened",
    enforcedBy: "runtime",
    words: "A multiple of 5.",
  });
  expect(loss?.witness).toEqual({ p: 6 });
});

test("$defs of no use are pruned and no reference dangles (PrefectHQ/fastmcp#897, #2087)", () => {
  const source: SchemaObject = {
    type: "object",
    properties: { a: { $ref: "#/$defs/Used" } },
    additionalProperties: false,
    $defs: { Used: { type: "array", items: { $ref: "#/$defs/Used" } }, Unused: { type: "string" } },
  };
  expect(Object.keys(lowered(lower(source, "openai-responses-strict")).$defs ?? {})).toEqual(["Used"]);
});

test("an array without items is refused by OpenAI and Gemini (digitalocean-labs/mcp-digitalocean#265, cline/cline#7339)", () => {
  expect(property(lowerProperty({ type: "array" }, "openai-chat"))).toEqual({ type: "array", items: {} });
  // VS Code refuses every request of the session (microsoft/vscode#284536).
  expect(property(lowerProperty({ type: "array" }, "mcp"))).toEqual({ type: "array", items: {} });
  const pair = { type: "array", prefixItems: [{ type: "integer" }, { type: "string" }], minItems: 2, maxItems: 2 };
  for (const closed of [pair, { ...pair, items: false }]) {
    expect(property(lowerProperty(closed as SchemaObject, "mcp"))).toEqual({ ...pair, items: {} });
  }
  expect(property(lowerProperty({ type: "array" }, "gemini")).items).toMatchObject({ type: "string" });
});

test("propertyNames is refused by OpenAI without strict mode too (vercel/ai#20621, mastra-ai/mastra#20977)", () => {
  const source: SchemaObject = {
    type: "object",
    propertyNames: { enum: ["low", "high"] },
    additionalProperties: { type: "string" },
  };
  for (const dialect of ["openai-chat", "openai-responses"] as const) {
    const result = lowerProperty(source, dialect);
    expect(property(result)).toEqual({
      type: "object",
      description: 'Each key fits this JSON Schema: {"enum":["low","high"]}.',
      additionalProperties: { type: "string" },
    });
    expect(keywordsOf(result)).toEqual(["propertyNames"]);
  }
});

test("a key called __proto__ is a property like any other", () => {
  const source = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"integer"},"a":{"type":"string"}},"additionalProperties":false}',
  ) as SchemaObject;
  for (const dialect of ["anthropic", "gemini", "openai-responses-strict", "ollama"] as const) {
    const result = lower(source, dialect);
    expect(Object.keys(lowered(result).properties ?? {}), dialect).toEqual(["__proto__", "a"]);
    const value = JSON.parse('{"__proto__":1,"a":"x"}') as JsonValue;
    expect(JSON.stringify(result.decode(result.encode(value)))).toBe(JSON.stringify(value));
  }
});
