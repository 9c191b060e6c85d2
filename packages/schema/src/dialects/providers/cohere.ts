import { defineDialect, typedShapes, vary } from "../definition/define-dialect.js";
import type { Dialect, RequestLimits } from "../definition/dialect.js";
import { keywordTable, subsetVocabulary } from "../definition/keyword-table.js";
import { wrapForCohere } from "../definition/wire-entries.js";
import type { WireSchema } from "../definition/wire-types.js";

/** An entry of `tools` in an API modelled on OpenAI's Chat Completions. */
export interface FunctionTool {
  type: "function";
  function: { name: string; description: string; parameters: WireSchema };
}

const cohereRequestLimits: RequestLimits = { requestProperties: 200 };

export const cohereV2: Dialect = defineDialect({
  id: "cohere-v2",
  family: "cohere",
  title: "Cohere's API, version 2.",
  entry: { type: "FunctionTool", use: "`tools` of Cohere's chat API" },
  confidence: "unverified",
  checkedOn: "2026-11-20",
  variants: { strict: "cohere-v2-strict" },
  limits: cohereRequestLimits,
  wrap: wrapForCohere,
});

export const cohereV2Strict: Dialect = defineDialect({
  id: "cohere-v2-strict",
  family: "cohere",
  title: "Cohere's API, version 2, every tool strict.",
  entry: { type: "FunctionTool", use: "`tools` of Cohere's chat API, in strict mode" },
  confidence: "unverified",
  checkedOn: "2026-11-20",
  variants: { loose: "cohere-v2" },
  keywords: keywordTable({ keep: ["const"], rewrite: ["anyOf"], words: ["minItems"] }, subsetVocabulary),
  formats: ["date-time", "uuid", "date", "time"],
  patterns: "unanchored",
  shapes: vary(typedShapes, { unions: "nowhere", nulls: "nowhere", enums: "strings", someRequired: true }),
  limits: cohereRequestLimits,
  wrap: wrapForCohere,
});
