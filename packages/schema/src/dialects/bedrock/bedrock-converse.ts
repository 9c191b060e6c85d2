import { wrapForBedrock } from "../definition/wire-entries.js";
import type { WireSchema } from "../definition/wire-types.js";
import { anthropicPropertyName, anthropicRoot } from "../anthropic/anthropic.js";
import { defineDialect } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";

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
  variants: { strict: "bedrock-converse-strict" },
  propertyName: anthropicPropertyName,
  rootKeywords: anthropicRoot,
  wrap: wrapForBedrock,
});

export const provenance: Provenance = {
  sources: [
    "AWS Bedrock runtime API reference: ToolSpecification",
    "@aws-sdk/client-bedrock-runtime@3.1162.0 dist-types/models/models_0.d.ts",
    "Amazon Nova user guide: Troubleshooting tool calls",
    "pydantic/pydantic-ai#1623",
    "earendil-works/pi#8279",
  ],
  checkedOn: "2026-11-20",
  notes: [
    "Behind it stand models of several makers; the rules of Claude are taken for root and top-level keys.",
    "Nova models take only type, properties and required at the root.",
  ],
};
