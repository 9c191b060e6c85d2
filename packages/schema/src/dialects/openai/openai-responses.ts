import { wrapForOpenaiResponses } from "../definition/wire-entries.js";
import type { WireSchema } from "../definition/wire-types.js";
import { defineDialect } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";
import { openaiKeywords, openaiRoot, openaiShapes } from "./openai-chat.js";

/** An entry of `tools` in OpenAI's Responses API. */
export interface OpenAIResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: WireSchema;
  strict: boolean;
  defer_loading?: boolean;
}

export const openaiResponses: Dialect = defineDialect({
  id: "openai-responses",
  family: "openai",
  title: "OpenAI's Responses API.",
  entry: { type: "OpenAIResponsesTool", use: "`tools` of OpenAI's Responses API" },
  confidence: "documented",
  variants: { strict: "openai-responses-strict" },
  keywords: openaiKeywords,
  rootKeywords: openaiRoot,
  shapes: openaiShapes,
  wrap: wrapForOpenaiResponses,
});

export const provenance: Provenance = {
  sources: [
    "openai@7.55.0 src/resources/responses/responses.ts",
    "openai/openai-openapi@f85dbe2 FunctionToolParam, FunctionTool, NamespaceToolParam",
    "OpenAI documentation: Tool search; Function calling",
    "vercel/ai#20621",
  ],
  checkedOn: "2026-11-29",
  notes: [
    "Plain functions state no limit on names, namespaced ones 128, chat 64; 64 is taken.",
    "The table holds for an explicit strict: false.",
  ],
};
