// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import { anthropic, anthropicStrict } from "./providers/anthropic.js";
import { bedrockConverse, bedrockConverseStrict } from "./providers/bedrock.js";
import { cohereV2, cohereV2Strict } from "./providers/cohere.js";
import { gemini, geminiJsonSchema } from "./providers/gemini.js";
import { mcp, mcp20251125 } from "./providers/mcp.js";
import { mistral, moonshot, ollama, openaiCompatible } from "./providers/chat-servers.js";
import { openaiChat, openaiChatStrict, openaiResponses, openaiResponsesStrict } from "./providers/openai.js";
import { vercelAiSdk } from "./providers/vercel.js";
import type { Dialect } from "./definition/dialect.js";
import type { DialectId } from "./definition/dialect-id.js";

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
  moonshot,
  ollama,
  "openai-chat": openaiChat,
  "openai-chat-strict": openaiChatStrict,
  "openai-compatible": openaiCompatible,
  "openai-responses": openaiResponses,
  "openai-responses-strict": openaiResponsesStrict,
  "vercel-ai-sdk": vercelAiSdk,
});
