import { wrapForOpenaiChat } from "../definition/wire-entries.js";
import type { WireSchema } from "../definition/wire-types.js";
import { defineDialect, vary, freeShapes } from "../definition/define-dialect.js";
import type { Dialect, Provenance, RequestLimits, Shapes } from "../definition/dialect.js";
import {
  keywordTable,
  wholeVocabulary,
  type CompleteKeywordTable,
  type KeywordTable,
} from "../definition/keyword-table.js";

/** An entry of `tools` in OpenAI's Chat Completions API. */
export interface OpenAIChatTool {
  type: "function";
  function: { name: string; description: string; parameters: WireSchema; strict: boolean };
}

/**
 * Refused at the root in both modes (langchain-ai/langchainjs#9804, nspady/google-calendar-mcp#39,
 * feigeCode/navop#247).
 */
export const openaiRoot: KeywordTable = keywordTable({
  rewrite: ["anyOf", "oneOf"],
  words: ["allOf", "enum", "const", "not"],
  refuse: ["$ref"],
});

/** Everything passes but `propertyNames`, which is refused without strict mode too (vercel/ai#20621). */
export const openaiKeywords: CompleteKeywordTable = keywordTable({ words: ["propertyNames"] }, wholeVocabulary);

/** Everything passes, but arrays say their items and the root says its properties. */
export const openaiShapes: Shapes = vary(freeShapes, {
  repetition: true,
  items: "demanded",
  emptyProperties: "demanded",
});

export const openaiChatRequestLimits: RequestLimits = { tools: 128 };

export const openaiChat: Dialect = defineDialect({
  id: "openai-chat",
  family: "openai",
  title: "OpenAI's Chat Completions API.",
  entry: { type: "OpenAIChatTool", use: "`tools` of OpenAI's Chat Completions API" },
  confidence: "documented",
  variants: { strict: "openai-chat-strict" },
  descriptionLength: 1024,
  keywords: openaiKeywords,
  rootKeywords: openaiRoot,
  shapes: openaiShapes,
  limits: openaiChatRequestLimits,
  wrap: wrapForOpenaiChat,
});

export const provenance: Provenance = {
  sources: [
    "openai/openai-openapi@f85dbe2 FunctionObject",
    "openai@7.55.0 src/resources/shared.ts",
    "langchain-ai/langchainjs#9804",
    "nspady/google-calendar-mcp#39",
    "feigeCode/navop#247",
    "bnb-chain/bnbchain-mcp#68",
    "digitalocean-labs/mcp-digitalocean#265",
    "getsentry/sentry-mcp#106",
    "zed-industries/zed#32946",
    "vercel/ai#20621",
    "mastra-ai/mastra#20977",
  ],
  checkedOn: "2026-11-29",
  notes: [
    "The length of a description is known from error reports of 2025 only.",
    "One thread says that root unions pass (windoze95/cantinarr#497); the error text is followed.",
  ],
};
