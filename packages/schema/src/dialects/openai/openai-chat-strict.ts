import { wrapForOpenaiChat } from "../definition/wire-entries.js";
import { defineDialect, vary, typedShapes } from "../definition/define-dialect.js";
import type { Dialect, DialectLimits, Provenance, Shapes } from "../definition/dialect.js";
import { keywordTable, subsetVocabulary, type CompleteKeywordTable } from "../definition/keyword-table.js";
import { openaiChatRequestLimits, openaiRoot } from "./openai-chat.js";

/** The subset of both OpenAI APIs with `strict: true`. */
export const openaiStrictKeywords: CompleteKeywordTable = keywordTable(
  {
    // prettier-ignore
    keep: [
      "$ref", "$defs", "const", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
      "multipleOf", "additionalProperties", "maxItems", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment",
    ],
  },
  subsetVocabulary,
);

/** Every object closed, every property required, null for what is absent; recursion by bare references. */
export const openaiStrictShapes: Shapes = vary(typedShapes, {
  optional: "null",
  closing: "demanded",
  recursion: "references",
  repetition: true,
  emptyProperties: "demanded",
});

/** The formats that OpenAI documents; `uri` is not among them (can1357/oh-my-pi#206). */
export const openaiStrictFormats: readonly string[] = [
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
];

export const openaiStrictLimits: DialectLimits = {
  depth: 10,
  properties: 5000,
  enumValues: 1000,
  nameAndValueLength: 120_000,
  largeEnum: { values: 250, length: 15_000 },
};

export const openaiStrictSources: readonly string[] = [
  "OpenAI documentation: Structured outputs, supported schemas",
  "openai@7.55.0 src/lib/transform.ts",
  "@openai/agents-core@0.20.0 dist/utils/strictToolSchema.mjs",
  "@ai-sdk/openai@4.0.118 src/normalize-openai-json-schema.ts",
  "langchain-ai/langchainjs#11382",
  "can1357/oh-my-pi#206",
  "can1357/oh-my-pi#209",
  "YourGPT/copilot-sdk#108",
  "SamSaffron/term-llm#180",
  "apexive/odoo-llm#212",
  "mastra-ai/mastra#23321",
];

export const openaiStrictNotes: readonly string[] = [
  "minItems and maxItems: documented as accepted; mastra-ai/mastra#23321 reports a refusal.",
  "minLength and maxLength: documented only as unsupported for fine-tuned models, hence taken as accepted.",
  "Type arrays: documented; two peers turn them into anyOf. They are used for scalars with null only.",
  "Azure is said to take fewer keywords, 100 properties and 5 levels.",
];

export const openaiChatStrict: Dialect = defineDialect({
  id: "openai-chat-strict",
  family: "openai",
  title: "OpenAI's Chat Completions API, every tool strict.",
  entry: { type: "OpenAIChatTool", use: "`tools` of OpenAI's Chat Completions API, in strict mode" },
  confidence: "documented",
  variants: { loose: "openai-chat" },
  descriptionLength: 1024,
  keywords: openaiStrictKeywords,
  rootKeywords: openaiRoot,
  formats: openaiStrictFormats,
  patterns: "no-lookaround",
  shapes: openaiStrictShapes,
  limits: vary(openaiStrictLimits, openaiChatRequestLimits),
  wrap: wrapForOpenaiChat,
});

export const provenance: Provenance = {
  sources: openaiStrictSources,
  checkedOn: "2026-11-20",
  notes: openaiStrictNotes,
};
