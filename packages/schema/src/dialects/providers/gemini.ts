import { defineDialect, freeShapes, typedShapes, vary } from "../definition/define-dialect.js";
import type { Dialect, RequestLimits, WireTool } from "../definition/dialect.js";
import { keywordTable, subsetVocabulary } from "../definition/keyword-table.js";
import { wrapForGeminiJsonSchema } from "../definition/wire-entries.js";
import type { AsSent, WireSchema } from "../definition/wire-types.js";
import { type JsonArray, type JsonObject, type JsonValue, mapMembers } from "@hasp/base/json";

/** An entry of `functionDeclarations` in Gemini's API, with a schema in its own words. */
export interface GeminiTool {
  name: string;
  description: string;
  parameters?: AsSent;
}

/** Spells type names in upper case, as Gemini's `Schema` does; everything else is spelled as in JSON Schema. */
function withUpperCaseTypes(schema: JsonObject): JsonObject {
  const spell = (inner: JsonValue): JsonObject => withUpperCaseTypes(inner as JsonObject);
  return mapMembers(schema, (value, keyword): JsonValue => {
    if (keyword === "type" && typeof value === "string") return value.toUpperCase();
    if (keyword === "items") return spell(value);
    if (keyword === "anyOf") return (value as JsonArray).map(spell);
    return keyword === "properties" ? mapMembers(value as JsonObject, spell) : value;
  });
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
const geminiRequestLimits: RequestLimits = { forcedItems: 960 };

/** Gemini's `functionDeclarations[].parameters`: an OpenAPI 3.0 subset, parsed by field name. */
export const gemini: Dialect = defineDialect({
  id: "gemini",
  family: "gemini",
  title: "Google's Gemini API, its own schema words.",
  entry: { type: "GeminiTool", use: "`functionDeclarations` in Gemini's `config.tools`" },
  confidence: "documented",
  checkedOn: "2026-11-29",
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

/** An entry of `functionDeclarations` in Gemini's API, with a JSON Schema. */
export interface GeminiJsonSchemaTool {
  name: string;
  description: string;
  parametersJsonSchema?: WireSchema;
}

/** Gemini's `functionDeclarations[].parametersJsonSchema`: ordinary JSON Schema, of which some keywords count. */
export const geminiJsonSchema: Dialect = defineDialect({
  id: "gemini-json-schema",
  family: "gemini",
  title: "Google's Gemini API, JSON Schema.",
  entry: { type: "GeminiJsonSchemaTool", use: "`functionDeclarations` in Gemini's `config.tools`" },
  confidence: "unverified",
  checkedOn: "2026-11-29",
  toolName: { first: "[A-Za-z_]", further: "[A-Za-z0-9_.:-]", maxLength: 64 },
  keywords: keywordTable(
    {
      keep: ["$ref", "$defs", "minimum", "maximum", "additionalProperties", "prefixItems", "maxItems"],
      rewrite: ["exclusiveMinimum", "exclusiveMaximum"],
      words: ["pattern", "patternProperties", "propertyNames"],
    },
    subsetVocabulary,
  ),
  shapes: vary(freeShapes, { repetition: true, enums: "scalars", referenceSiblings: false, booleanProperties: false }),
  limits: geminiRequestLimits,
  wrap: wrapForGeminiJsonSchema,
});
