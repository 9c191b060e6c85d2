import { wrapForOpenaiResponses } from "../definition/wire-entries.js";
import { defineDialect } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";
import {
  openaiStrictFormats,
  openaiStrictKeywords,
  openaiStrictLimits,
  openaiStrictNotes,
  openaiStrictShapes,
  openaiStrictSources,
} from "./openai-chat-strict.js";
import { openaiRoot } from "./openai-chat.js";

export const openaiResponsesStrict: Dialect = defineDialect({
  id: "openai-responses-strict",
  family: "openai",
  title: "OpenAI's Responses API, every tool strict.",
  entry: { type: "OpenAIResponsesTool", use: "`tools` of OpenAI's Responses API, in strict mode" },
  confidence: "documented",
  variants: { loose: "openai-responses" },
  keywords: openaiStrictKeywords,
  rootKeywords: openaiRoot,
  formats: openaiStrictFormats,
  patterns: "no-lookaround",
  shapes: openaiStrictShapes,
  limits: openaiStrictLimits,
  wrap: wrapForOpenaiResponses,
});

export const provenance: Provenance = {
  sources: openaiStrictSources,
  checkedOn: "2026-11-20",
  notes: openaiStrictNotes,
};
