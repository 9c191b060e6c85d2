import { wrapForCohere } from "../definition/wire-entries.js";
import type { WireSchema } from "../definition/wire-types.js";
import { defineDialect } from "../definition/define-dialect.js";
import type { Dialect, Provenance, RequestLimits } from "../definition/dialect.js";

/** An entry of `tools` in an API modelled on OpenAI's Chat Completions. */
export interface FunctionTool {
  type: "function";
  function: { name: string; description: string; parameters: WireSchema };
}

export const cohereRequestLimits: RequestLimits = { requestProperties: 200 };

export const cohereV2: Dialect = defineDialect({
  id: "cohere-v2",
  family: "cohere",
  title: "Cohere's API, version 2.",
  entry: { type: "FunctionTool", use: "`tools` of Cohere's chat API" },
  confidence: "unverified",
  variants: { strict: "cohere-v2-strict" },
  limits: cohereRequestLimits,
  wrap: wrapForCohere,
});

export const provenance: Provenance = {
  sources: [
    "cohere-ai@8.1.0 api/types/ToolV2Function.d.ts, ToolMessageV2.d.ts",
    "OpenRouterTeam/openrouter-examples#71",
    "agno-agi/agno#3503",
  ],
  checkedOn: "2026-11-20",
  notes: ["No rule for names is published; the common one is taken.", "No refusal of a keyword was found."],
};
