import type { WireSchema } from "../definition/wire-types.js";
import type { JsonObject } from "../../json/json-value.js";
import { anthropicPropertyName, anthropicRoot } from "../anthropic/anthropic.js";
import { defineDialect } from "../definition/define-dialect.js";
import type { Dialect, Provenance, WireTool, WrapEntry } from "../definition/dialect.js";

/** An entry of `toolConfig.tools` in Amazon Bedrock's Converse API. */
export interface BedrockTool {
  toolSpec: { name: string; description?: string; inputSchema: { json: WireSchema }; strict: boolean };
}

/** Builds an entry of `toolConfig.tools`; an empty description is refused, so it is left out. */
export function wrapForBedrock(tool: WireTool): JsonObject {
  return {
    toolSpec: {
      name: tool.name,
      ...(tool.description === "" ? {} : { description: tool.description }),
      inputSchema: { json: tool.input as JsonObject },
      strict: tool.strict ?? false,
    },
    ...tool.extra,
  };
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

export const wrapUnlowered: WrapEntry = wrapForBedrock;

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
