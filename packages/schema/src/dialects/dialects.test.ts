import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { WireTool } from "./definition/dialect.js";
import type { DialectId } from "./definition/dialect-id.js";
import { dialects, isStrict, strictVariant } from "./index.js";
import { keywordOrder, type Keyword } from "./definition/keyword-table.js";
import { provenance } from "./provenance.js";

const providersFile = new URL("../../../../../shared/reference/providers.json", import.meta.url);
const ids = Object.keys(dialects) as DialectId[];
const collected = existsSync(providersFile)
  ? (JSON.parse(readFileSync(providersFile, "utf8")) as {
      readonly dialects: { readonly [name: string]: ProviderFacts };
    })
  : { dialects: {} };

interface ProviderFacts {
  readonly keywords: { readonly [keyword: string]: string };
  readonly formats: readonly string[];
  readonly wire: { readonly tool: unknown };
  readonly nameRegex: string | null;
}

test("the record holds every dialect of the folder", () => {
  const folder = new URL("providers/", import.meta.url);
  const texts = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
  const defined = texts.flatMap((text) => [...text.matchAll(/^export const \w+: Dialect\b/gmu)]);
  expect(ids).toHaveLength(defined.length);
});

describe.each(ids)("the dialect %s", (id) => {
  const dialect = dialects[id];

  test("says its id, its sources and the day they were read, and cannot be changed", () => {
    expect(dialect.id).toBe(id);
    expect(provenance[id].sources.length).toBeGreaterThan(0);
    const dates = (provenance[id].facts ?? []).map(([, , date]) => date);
    for (const date of [dialect.checkedOn, ...dates]) expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(Object.isFrozen(dialect)).toBe(true);
    expect(Object.isFrozen(dialect.shapes)).toBe(true);
    expect(Object.isFrozen(dialect.keywords)).toBe(true);
  });

  test("decides every keyword of the vocabulary", () => {
    expect(keywordOrder.filter((keyword) => dialect.keywords[keyword] === undefined)).toEqual([]);
  });

  test.skipIf(collected.dialects[id] === undefined)(
    "passes no keyword and no format that the collected facts do not accept",
    () => {
      const facts = providerFacts(id);
      const passed = keywordOrder.filter((keyword) => dialect.keywords[keyword] === "keep");
      const unwanted = passed.filter((keyword) => {
        const fact = facts.keywords[factName(keyword)];
        return fact !== undefined && fact !== "accept";
      });
      expect(unwanted).toEqual([]);
      if (dialect.formats !== "any" && !facts.formats.includes("*")) {
        expect(dialect.formats.filter((format) => !facts.formats.includes(format))).toEqual([]);
      }
    },
  );

  test.skipIf(collected.dialects[id] === undefined)("wraps a tool as the collected sample shows", () => {
    const facts = providerFacts(id);
    const sample = JSON.stringify(facts.wire.tool);
    const entry = JSON.stringify(dialect.wrap(findOrders(isStrict(id))));
    for (const key of id === "vercel-ai-sdk" ? ["description", "inputSchema"] : keysOf(facts.wire.tool)) {
      if (key === "functionDeclarations") continue; // one entry holds all declarations: the list's affair
      expect(entry, `${key} of ${sample}`).toContain(`"${key}"`);
    }
  });
});

test("strict is always said where the field exists", () => {
  const types = ["AnthropicTool", "BedrockTool", "OpenAIChatTool", "OpenAIResponsesTool", "VercelTool"];
  for (const dialect of Object.values(dialects)) {
    const { id, wrap, entry } = dialect;
    if (!types.includes(entry.type)) continue;
    expect(JSON.stringify(wrap(findOrders(isStrict(dialect)))), id).toContain(`"strict":${isStrict(dialect)}`);
  }
});

test("no provider's key stands on an MCP tool (anthropics/claude-code#10858), nor strict on Cohere's (OpenRouterTeam/openrouter-examples#71)", () => {
  for (const { id, wrap, family } of Object.values(dialects)) {
    if (["mcp", "cohere", "gemini", "ollama"].includes(family)) {
      expect(JSON.stringify(wrap(findOrders(true))), id).not.toContain("strict");
    }
  }
});

test("MCP hints are each stated (HelpCode-ai/anythingmcp#579)", () => {
  expect(dialects.mcp.wrap(findOrders(false))["annotations"]).toEqual({
    title: "Find orders",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
});

test("Gemini's types are upper-case, property names are not, and a tool without arguments has no parameters", () => {
  const entry = dialects.gemini.wrap({
    ...findOrders(false),
    input: {
      type: "object",
      properties: {
        type: { type: "string", nullable: true },
        items: { type: "array", items: { anyOf: [{ type: "integer" }] } },
      },
    },
  });
  expect(entry["parameters"]).toEqual({
    type: "OBJECT",
    properties: {
      type: { type: "STRING", nullable: true },
      items: { type: "ARRAY", items: { anyOf: [{ type: "INTEGER" }] } },
    },
  });
  expect(dialects.gemini.wrap({ ...findOrders(false), input: { type: "object" } })).not.toHaveProperty("parameters");
});

test("an output schema that is no object is left out for the revision that refuses it", () => {
  const tool: WireTool = { ...findOrders(false), output: { type: "array", items: {} } };
  expect(dialects.mcp.wrap(tool)).toHaveProperty("outputSchema");
  expect(dialects["mcp-2025-11-25"].wrap(tool)).not.toHaveProperty("outputSchema");
});

test("variants lead to the strict and the loose dialect of one API", () => {
  expect(strictVariant("openai-responses")).toBe("openai-responses-strict");
  expect(strictVariant("openai-responses-strict")).toBe("openai-responses-strict");
  expect(strictVariant("mcp")).toBeUndefined();
  expect(dialects["anthropic-strict"].variants.loose).toBe("anthropic");
  expect(dialects.gemini.variants.loose).toBeUndefined();
});

function providerFacts(id: DialectId): ProviderFacts {
  const facts = collected.dialects[id];
  if (facts === undefined) throw new Error(`providers.json has no ${id}`);
  return facts;
}

function factName(keyword: Keyword): string {
  if (keyword === "if" || keyword === "then" || keyword === "else") return "if/then/else";
  if (keyword === "deprecated" || keyword === "readOnly" || keyword === "writeOnly") {
    return "deprecated/readOnly/writeOnly";
  }
  return keyword === "additionalProperties" ? "additionalProperties:false" : keyword;
}

function keysOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .flatMap(([key, inner]) =>
      key === "input_schema" || key === "parameters" || key === "json" || key === "inputSchema"
        ? [key]
        : [key, ...keysOf(inner)],
    )
    .filter((key) => !/^\d+$/.test(key));
}

function findOrders(strict: boolean): WireTool {
  return {
    name: "find_orders",
    title: "Find orders",
    description: "Find orders.",
    input: { type: "object", properties: { customer_id: { type: "string" } }, required: ["customer_id"] },
    strict,
    deferred: false,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  };
}
