// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import { anthropic } from "./anthropic.js";
import { anthropicStrict } from "./anthropic-strict.js";
import { bedrockConverse } from "./bedrock-converse.js";
import { bedrockConverseStrict } from "./bedrock-converse-strict.js";
import { cohereV2 } from "./cohere-v2.js";
import { cohereV2Strict } from "./cohere-v2-strict.js";
import { gemini } from "./gemini.js";
import { geminiJsonSchema } from "./gemini-json-schema.js";
import { mcp } from "./mcp.js";
import { mcp20251125 } from "./mcp-2025-11-25.js";
import { mistral } from "./mistral.js";
import { ollama } from "./ollama.js";
import { openaiChat } from "./openai-chat.js";
import { openaiChatStrict } from "./openai-chat-strict.js";
import { openaiResponses } from "./openai-responses.js";
import { openaiResponsesStrict } from "./openai-responses-strict.js";
import { vercelAiSdk } from "./vercel-ai-sdk.js";
import type { Dialect, DialectId } from "./dialect.js";

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
