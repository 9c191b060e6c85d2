import { wrapForBedrock } from "../definition/wire-entries.js";
import {
  anthropicStrictFormats,
  anthropicStrictKeywords,
  anthropicStrictShapes,
} from "../anthropic/anthropic-strict.js";
import { anthropicPropertyName, anthropicRoot } from "../anthropic/anthropic.js";
import { defineDialect } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";

export const bedrockConverseStrict: Dialect = defineDialect({
  id: "bedrock-converse-strict",
  family: "bedrock",
  title: "Amazon Bedrock's Converse API, every tool strict.",
  entry: { type: "BedrockTool", use: "`toolConfig.tools` of Amazon Bedrock's Converse API, in strict mode" },
  confidence: "documented",
  variants: { loose: "bedrock-converse" },
  propertyName: anthropicPropertyName,
  keywords: anthropicStrictKeywords,
  rootKeywords: anthropicRoot,
  formats: anthropicStrictFormats,
  patterns: "simple",
  largestMinItems: 1,
  shapes: anthropicStrictShapes,
  wrap: wrapForBedrock,
});

export const provenance: Provenance = {
  sources: [
    "AWS Bedrock user guide: structured output",
    "BerriAI/litellm#39115",
    "@ai-sdk/amazon-bedrock@5.0.101 src/amazon-bedrock-prepare-tools.ts",
  ],
  checkedOn: "2026-11-20",
  notes: [
    "A sample of AWS omits additionalProperties: false although its text demands it; the text is followed.",
    "Whether Anthropic's budgets per request hold is not known; none is applied.",
  ],
};
