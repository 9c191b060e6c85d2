import { defineDialect } from "../definition/define-dialect.js";
import type { Dialect } from "../definition/dialect.js";
import { wrapForBedrock } from "../definition/wire-entries.js";
import type { WireSchema } from "../definition/wire-types.js";
import {
  anthropicPropertyName,
  anthropicRoot,
  anthropicStrictFormats,
  anthropicStrictKeywords,
  anthropicStrictShapes,
} from "./anthropic.js";

/** An entry of `toolConfig.tools` in Amazon Bedrock's Converse API. */
export interface BedrockTool {
  toolSpec: { name: string; description?: string; inputSchema: { json: WireSchema }; strict: boolean };
}

export const bedrockConverse: Dialect = defineDialect({
  id: "bedrock-converse",
  family: "bedrock",
  title: "Amazon Bedrock's Converse API.",
  entry: { type: "BedrockTool", use: "`toolConfig.tools` of Amazon Bedrock's Converse API" },
  confidence: "unverified",
  checkedOn: "2026-11-20",
  variants: { strict: "bedrock-converse-strict" },
  propertyName: anthropicPropertyName,
  rootKeywords: anthropicRoot,
  wrap: wrapForBedrock,
});

export const bedrockConverseStrict: Dialect = defineDialect({
  id: "bedrock-converse-strict",
  family: "bedrock",
  title: "Amazon Bedrock's Converse API, every tool strict.",
  entry: { type: "BedrockTool", use: "`toolConfig.tools` of Amazon Bedrock's Converse API, in strict mode" },
  confidence: "documented",
  checkedOn: "2026-11-20",
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
