import { anthropicStrict } from "./anthropic-strict.js";
import { anthropic } from "./anthropic.js";
import { bedrockConverseStrict } from "./bedrock-converse-strict.js";
import { bedrockConverse } from "./bedrock-converse.js";
import { cohereV2Strict } from "./cohere-v2-strict.js";
import { cohereV2 } from "./cohere-v2.js";
import type { Dialect, DialectId } from "./dialect.js";
import { geminiJsonSchema } from "./gemini-json-schema.js";
import { gemini } from "./gemini.js";
import { mcp20251125 } from "./mcp-2025-11-25.js";
import { mcp } from "./mcp.js";
import { mistral } from "./mistral.js";
import { ollama } from "./ollama.js";
import { openaiChatStrict } from "./openai-chat-strict.js";
import { openaiChat } from "./openai-chat.js";
import { openaiResponsesStrict } from "./openai-responses-strict.js";
import { openaiResponses } from "./openai-responses.js";
import { vercelAiSdk } from "./vercel-ai-sdk.js";

export type { Dialect, DialectFamily, DialectId, DialectLimits, NameRule, Shapes, WireTool } from "./dialect.js";
export { defineDialect } from "./define-dialect.js";
export type { Keyword, KeywordAction, KeywordTable } from "./keyword-table.js";
export { keywordTable } from "./keyword-table.js";

/** Every dialect that hasp knows, by id. */
export const dialects: { readonly [id in DialectId]: Dialect } = Object.freeze({
  anthropic,
  "anthropic-strict": anthropicStrict,
  "bedrock-converse": bedrockConverse,
  "bedrock-converse-strict": bedrockConverseStrict,
  "cohere-v2": cohereV2,
  "cohere-v2-strict": cohereV2Strict,
  gemini,
  "gemini-json-schema": geminiJsonSchema,
  mcp,
  "mcp-2025-11-25": mcp20251125,
  mistral,
  ollama,
  "openai-chat": openaiChat,
  "openai-chat-strict": openaiChatStrict,
  "openai-responses": openaiResponses,
  "openai-responses-strict": openaiResponsesStrict,
  "vercel-ai-sdk": vercelAiSdk,
});

/** The dialect of the same API that asks the provider to enforce the schema; `undefined` where there is none. */
export function strictVariant(id: DialectId): DialectId | undefined {
  const { variants } = dialects[id];
  return variants.strict ?? (variants.loose === undefined ? undefined : id);
}

/** The dialect of the same API that does not ask the provider to enforce the schema: the dialect itself where there is but one. */
export function looseVariant(id: DialectId): DialectId {
  return dialects[id].variants.loose ?? id;
}

/** Whether lists of this dialect ask the provider to enforce the schema; `undefined` where its entries have no such field. */
export function isStrict(id: DialectId): boolean {
  return dialects[id].variants.loose !== undefined;
}
