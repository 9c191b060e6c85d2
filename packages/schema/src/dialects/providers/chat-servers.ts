import { defineDialect, freeShapes, typedShapes, vary } from "../definition/define-dialect.js";
import type { Dialect } from "../definition/dialect.js";
import { keywordTable, subsetVocabulary } from "../definition/keyword-table.js";
import { wrapForCohere, wrapForOpenaiChat } from "../definition/wire-entries.js";

export const mistral: Dialect = defineDialect({
  id: "mistral",
  family: "mistral",
  title: "Mistral's API.",
  entry: { type: "OpenAIChatTool", use: "`tools` of Mistral's chat API" },
  confidence: "unverified",
  checkedOn: "2026-11-20",
  wrap: wrapForOpenaiChat,
});

/**
 * Moonshot's chat API, which holds tool schemas to a published subset. Its lenient level silently drops or changes what
 * its strictest level refuses, so the strictest one is followed.
 */
export const moonshot: Dialect = defineDialect({
  id: "moonshot",
  family: "moonshot",
  title: "Moonshot's API (Kimi).",
  entry: { type: "OpenAIChatTool", use: "`tools` of Moonshot's chat API" },
  confidence: "documented",
  checkedOn: "2026-11-29",
  propertyName: {
    first: "[^/]",
    further: "[^/]",
    maxLength: 1000,
    reserved: ["$defs", "$ref", "anyOf", "required", "additionalProperties"],
    scope: "everywhere",
  },
  keywords: keywordTable(
    {
      keep: ["$ref", "$defs", "minLength", "maxLength", "maxItems", "additionalProperties"],
      words: ["format", "pattern", "patternProperties", "propertyNames"],
    },
    subsetVocabulary,
  ),
  rootKeywords: keywordTable({ rewrite: ["anyOf", "oneOf"], refuse: ["$ref"] }),
  formats: [],
  shapes: vary(typedShapes, {
    nulls: "branch",
    closing: "kept",
    maps: "kept",
    recursion: "references",
    repetition: true,
  }),
  limits: { depth: 30, properties: 3000, enumValues: 1000 },
  wrap: wrapForOpenaiChat,
});

/** Ollama: the server decodes schemas into typed structs, so whatever they lack vanishes without an error. */
export const ollama: Dialect = defineDialect({
  id: "ollama",
  family: "ollama",
  title: "Ollama's API.",
  entry: { type: "FunctionTool", use: "`tools` of Ollama's chat API" },
  confidence: "unverified",
  checkedOn: "2026-11-20",
  keywords: keywordTable({ words: ["format", "pattern", "minItems"], drop: ["title"] }, subsetVocabulary),
  rootKeywords: keywordTable({ rewrite: ["anyOf", "oneOf"], drop: ["description"], words: ["enum", "const"] }),
  formats: [],
  shapes: vary(freeShapes, {
    closing: "unsaid",
    maps: "pairs",
    tuples: "array",
    recursion: "cut",
    referenceSiblings: false,
    booleanProperties: false,
  }),
  wrap: wrapForCohere,
});

/** The common subset of servers with OpenAI's chat API: a type on each node, and plain patterns only. */
export const openaiCompatible: Dialect = defineDialect({
  id: "openai-compatible",
  family: "openai-compatible",
  title: "Servers with OpenAI's chat API: llama.cpp, LM Studio, vLLM, Groq, Fireworks, DeepSeek.",
  entry: { type: "OpenAIChatTool", use: "`tools` of servers with OpenAI's chat API" },
  confidence: "unverified",
  checkedOn: "2026-11-29",
  keywords: keywordTable(
    {
      keep: ["minLength", "maxLength", "minimum", "maximum", "maxItems", "additionalProperties"],
      rewrite: ["exclusiveMinimum", "exclusiveMaximum"],
      words: ["patternProperties", "propertyNames"],
      drop: ["title"],
    },
    subsetVocabulary,
  ),
  rootKeywords: keywordTable({ rewrite: ["anyOf", "oneOf"] }),
  formats: ["date", "time", "date-time", "uuid"],
  patterns: "anchored",
  shapes: vary(typedShapes, { nulls: "branch", closing: "kept", maps: "kept", recursion: "cut" }),
  wrap: wrapForOpenaiChat,
});
