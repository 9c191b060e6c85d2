import { wrapForCohere } from "../definition/wire-entries.js";
import { cohereRequestLimits } from "./cohere-v2.js";
import { defineDialect, vary, typedShapes } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";
import { keywordTable, subsetVocabulary } from "../definition/keyword-table.js";

export const cohereV2Strict: Dialect = defineDialect({
  id: "cohere-v2-strict",
  family: "cohere",
  title: "Cohere's API, version 2, every tool strict.",
  entry: { type: "FunctionTool", use: "`tools` of Cohere's chat API, in strict mode" },
  confidence: "unverified",
  variants: { loose: "cohere-v2" },
  keywords: keywordTable({ keep: ["const"], rewrite: ["anyOf"], words: ["minItems"] }, subsetVocabulary),
  formats: ["date-time", "uuid", "date", "time"],
  patterns: "unanchored",
  shapes: vary(typedShapes, { unions: "nowhere", nulls: "nowhere", enums: "strings", someRequired: true }),
  limits: cohereRequestLimits,
  wrap: wrapForCohere,
});

export const provenance: Provenance = {
  sources: ["Cohere documentation: Structured Outputs, cohere-ai/cohere-developer-experience@02830ef (2024-11)"],
  checkedOn: "2026-11-20",
  notes: [
    "The source is two years old and says what is unsupported, not whether it is refused; it is taken as refused.",
    "Each object needs a required property, so an object without any is taken as refused, also as the input of a tool without parameters.",
    "Strictness is a field of the request, not of the tool.",
  ],
};
