import type { AsSent } from "../definition/wire-types.js";
import type { JsonArray, JsonObject, JsonValue } from "@hasp/base/json";
import { defineDialect, vary, typedShapes } from "../definition/define-dialect.js";
import type { Dialect, Provenance, RequestLimits, WireTool } from "../definition/dialect.js";
import { keywordTable, subsetVocabulary } from "../definition/keyword-table.js";

/** An entry of `functionDeclarations` in Gemini's API, with a schema in its own words. */
export interface GeminiTool {
  name: string;
  description: string;
  parameters?: AsSent;
}

/** Spells type names in upper case, as Gemini's `Schema` does; everything else is spelled as in JSON Schema. */
function withUpperCaseTypes(schema: JsonObject): JsonObject {
  const translated = Object.entries(schema).map(([keyword, value]): readonly [string, JsonValue] => {
    if (keyword === "type" && typeof value === "string") return [keyword, value.toUpperCase()];
    if (keyword === "items") return [keyword, withUpperCaseTypes(value as JsonObject)];
    if (keyword === "anyOf") {
      return [keyword, (value as JsonArray).map((branch) => withUpperCaseTypes(branch as JsonObject))];
    }
    if (keyword === "properties") {
      const inner = Object.entries(value as JsonObject).map(
        ([name, item]) => [name, withUpperCaseTypes(item as JsonObject)] as const,
      );
      return [keyword, Object.fromEntries(inner)];
    }
    return [keyword, value];
  });
  return Object.fromEntries(translated);
}

/** Builds a function declaration; one without arguments has no `parameters`, since an OBJECT must have properties. */
function wrapForGemini(tool: WireTool): JsonObject {
  const input = tool.input as JsonObject;
  return {
    name: tool.name,
    description: tool.description,
    ...(Object.hasOwn(input, "properties") ? { parameters: withUpperCaseTypes(input) } : {}),
    ...tool.extra,
  };
}

/** The rough bound of modes that enforce the schema (googleapis/python-genai#2170, #2133, #2293). */
export const geminiRequestLimits: RequestLimits = { forcedItems: 960 };

/** Gemini's `functionDeclarations[].parameters`: an OpenAPI 3.0 subset, parsed by field name. */
export const gemini: Dialect = defineDialect({
  id: "gemini",
  family: "gemini",
  title: "Google's Gemini API, its own schema words.",
  entry: { type: "GeminiTool", use: "`functionDeclarations` in Gemini's `config.tools`" },
  confidence: "documented",
  toolName: { first: "[A-Za-z_]", further: "[A-Za-z0-9_.:-]", maxLength: 64 },
  propertyName: { first: "[A-Za-z_]", further: "[A-Za-z0-9_]", maxLength: 64, scope: "everywhere" },
  keywords: keywordTable(
    {
      keep: ["nullable", "minLength", "maxLength", "minimum", "maximum", "minProperties", "maxProperties", "maxItems"],
      rewrite: ["exclusiveMinimum", "exclusiveMaximum"],
    },
    subsetVocabulary,
  ),
  rootKeywords: keywordTable({ rewrite: ["anyOf", "oneOf"] }),
  formats: ["date-time", "float", "double", "int32", "int64"],
  shapes: vary(typedShapes, {
    unions: "alone",
    nulls: "nullable",
    tuples: "array",
    enums: "strings",
    recursion: "cut",
    emptyProperties: "omitted",
  }),
  limits: geminiRequestLimits,
  wrap: wrapForGemini,
});

export const provenance: Provenance = {
  sources: [
    "@google/genai@3.1.0 dist/genai.d.ts Schema, FunctionDeclaration",
    "@google/genai@3.1.0 dist/index.mjs processJsonSchema",
    "@ai-sdk/google@3.0.141 src/convert-json-schema-to-openapi-schema.ts",
    "brainlid/langchain#599",
    "mastra-ai/mastra#17023",
    "CherryHQ/cherry-studio#20939",
    "vercel/ai#19000",
    "agno-agi/agno#2112",
    "iBUHub/AIStudioToAPI#154",
    "anomalyco/opencode#12911",
    "anomalyco/opencode#11888",
    "cline/cline#7339",
    "kaitranntt/ccs#25",
  ],
  checkedOn: "2026-11-29",
  notes: [
    "Prefer gemini-json-schema; this field is kept for models and endpoints that lack the other.",
    "Formats: the SDK names more than servers accepted; date-time and the number formats are taken.",
    "default: a field of the SDK type, stripped as refused by a peer; it is said in words.",
    "enum on numbers: contradictory; they are sent as strings and decoded.",
    "type NULL: listed by the SDK's Type, but refused alone by its processJsonSchema; null alone is sent as a string.",
    "Names: the SDK says 128, server errors 64; 64 is taken.",
    'The whole list has an unpublished bound ("too many states for serving").',
  ],
};
