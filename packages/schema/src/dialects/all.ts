// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import { anthropic } from "./anthropic/anthropic.js";
import { anthropicStrict } from "./anthropic/anthropic-strict.js";
import { bedrockConverse } from "./bedrock/bedrock-converse.js";
import { bedrockConverseStrict } from "./bedrock/bedrock-converse-strict.js";
import { cohereV2 } from "./cohere/cohere-v2.js";
import { cohereV2Strict } from "./cohere/cohere-v2-strict.js";
import { gemini } from "./gemini/gemini.js";
import { geminiJsonSchema } from "./gemini/gemini-json-schema.js";
import { mcp } from "./mcp/mcp.js";
import { mcp20251125 } from "./mcp/mcp-2025-11-25.js";
import { mistral } from "./mistral/mistral.js";
import { moonshot } from "./moonshot/moonshot.js";
import { ollama } from "./ollama/ollama.js";
import { openaiChat } from "./openai/openai-chat.js";
import { openaiChatStrict } from "./openai/openai-chat-strict.js";
import { openaiCompatible } from "./compatible/openai-compatible.js";
import { openaiResponses } from "./openai/openai-responses.js";
import { openaiResponsesStrict } from "./openai/openai-responses-strict.js";
import { vercelAiSdk } from "./vercel/vercel-ai-sdk.js";
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
