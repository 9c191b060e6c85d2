import { wrapForOpenaiChat } from "../definition/wire-entries.js";
import { defineDialect, typedShapes, vary } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";
import { keywordTable, subsetVocabulary } from "../definition/keyword-table.js";

/** The common subset of servers with OpenAI's chat API: a type on each node, and plain patterns only. */
export const openaiCompatible: Dialect = defineDialect({
  id: "openai-compatible",
  family: "openai-compatible",
  title: "Servers with OpenAI's chat API: llama.cpp, LM Studio, vLLM, Groq, Fireworks, DeepSeek.",
  entry: { type: "OpenAIChatTool", use: "`tools` of servers with OpenAI's chat API" },
  confidence: "unverified",
  keywords: keywordTable(
    {
      keep: ["minLength", "maxLength", "minimum", "maximum", "maxItems", "additionalProperties"],
      rewrite: ["exclusiveMinimum", "exclusiveMaximum"],
      words: ["patternProperties", "propertyNames"],
      drop: ["title"],
    },
    subsetVocabulary,
  ),
  rootKeywords: keywordTable({ rewrite: ["anyOf", "oneOf"] }),
  formats: ["date", "time", "date-time", "uuid"],
  patterns: "anchored",
  shapes: vary(typedShapes, { nulls: "branch", closing: "kept", maps: "kept", recursion: "cut" }),
  wrap: wrapForOpenaiChat,
});

export const provenance: Provenance = {
  sources: [
    "ggml-org/llama.cpp#26930",
    "aebrer/dreb#422",
    "containers/kubernetes-mcp-server#758",
    "usestrix/strix#1088",
    "can1357/oh-my-pi#2270",
    "docker/mcp-gateway#234",
    "NousResearch/hermes-agent#67349",
  ],
  checkedOn: "2026-11-29",
  notes: [
    "llama.cpp and LM Studio refuse the whole request for a pattern without both anchors, or with \\S, \\D or \\W.",
    "Groq refuses `required` without the property; DeepSeek a union in a union without a type; Fireworks a node without a type.",
    "References are inlined, since llama.cpp resolves them but LM Studio and hosts in front of other servers may not.",
    "Limits of single hosts (such as 16 tools) are not stated here.",
  ],
};
