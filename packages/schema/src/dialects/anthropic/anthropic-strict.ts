import { wrapForAnthropic } from "../definition/wire-entries.js";
import { anthropicPropertyName, anthropicRequestLimits, anthropicRoot } from "./anthropic.js";
import { defineDialect, vary, typedShapes } from "../definition/define-dialect.js";
import type { Dialect, Provenance, Shapes } from "../definition/dialect.js";
import { keywordTable, subsetVocabulary, type CompleteKeywordTable } from "../definition/keyword-table.js";

/** The subset that grammar compilation takes; Bedrock documents the same one for its strict mode. */
export const anthropicStrictKeywords: CompleteKeywordTable = keywordTable(
  { keep: ["$ref", "$defs", "const", "additionalProperties", "default"] },
  subsetVocabulary,
);

export const anthropicStrictFormats: readonly string[] = [
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "uri",
  "ipv4",
  "ipv6",
  "uuid",
];

/** Every object closed, optional properties allowed, no recursion. */
export const anthropicStrictShapes: Shapes = vary(typedShapes, { closing: "demanded", emptyProperties: "demanded" });

/** Anthropic's Messages API with `strict: true`: the schema is compiled to a grammar and enforced. */
export const anthropicStrict: Dialect = defineDialect({
  id: "anthropic-strict",
  family: "anthropic",
  title: "Anthropic's Messages API, every tool strict.",
  entry: {
    type: "AnthropicTool",
    use: "`tools` of Anthropic's Messages API, in strict mode",
    extraFields: ["cache_control"],
  },
  confidence: "documented",
  variants: { loose: "anthropic" },
  propertyName: anthropicPropertyName,
  keywords: anthropicStrictKeywords,
  rootKeywords: anthropicRoot,
  formats: anthropicStrictFormats,
  patterns: "simple",
  largestMinItems: 1,
  shapes: vary(anthropicStrictShapes, { repetition: true }),
  limits: anthropicRequestLimits,
  wrap: wrapForAnthropic,
});

export const provenance: Provenance = {
  sources: [
    "Anthropic documentation: Structured outputs (copy of 2026-09-20)",
    "@anthropic-ai/sdk@1.10.0 src/lib/transform-json-schema.ts",
    "@ai-sdk/anthropic@4.0.105 src/supports-native-structured-output-schema.ts",
    "BerriAI/litellm#39115",
  ],
  checkedOn: "2026-11-20",
  notes: [
    "Keywords that the documentation does not name are taken as refused.",
    "The budgets are those of the documentation; a peer saw failures below them (11 to 13 optional properties).",
    "The case of enum and const strings is not guaranteed.",
    "allOf is documented as accepted; a residual one is said in words all the same, since its branches would have to be closed.",
  ],
};
