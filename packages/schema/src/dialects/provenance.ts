// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import { provenance as anthropic } from "./anthropic/anthropic.js";
import { provenance as anthropicStrict } from "./anthropic/anthropic-strict.js";
import { provenance as bedrockConverse } from "./bedrock/bedrock-converse.js";
import { provenance as bedrockConverseStrict } from "./bedrock/bedrock-converse-strict.js";
import { provenance as cohereV2 } from "./cohere/cohere-v2.js";
import { provenance as cohereV2Strict } from "./cohere/cohere-v2-strict.js";
import { provenance as gemini } from "./gemini/gemini.js";
import { provenance as geminiJsonSchema } from "./gemini/gemini-json-schema.js";
import { provenance as mcp } from "./mcp/mcp.js";
import { provenance as mcp20251125 } from "./mcp/mcp-2025-11-25.js";
import { provenance as mistral } from "./mistral/mistral.js";
import { provenance as moonshot } from "./moonshot/moonshot.js";
import { provenance as ollama } from "./ollama/ollama.js";
import { provenance as openaiChat } from "./openai/openai-chat.js";
import { provenance as openaiChatStrict } from "./openai/openai-chat-strict.js";
import { provenance as openaiCompatible } from "./compatible/openai-compatible.js";
import { provenance as openaiResponses } from "./openai/openai-responses.js";
import { provenance as openaiResponsesStrict } from "./openai/openai-responses-strict.js";
import { provenance as vercelAiSdk } from "./vercel/vercel-ai-sdk.js";
import type { Provenance } from "./definition/dialect.js";
import type { DialectId } from "./definition/dialect-id.js";

/** The sources of the facts about each dialect, by its id. Apart from the dialects: a program that lowers does not load them. */
export const provenance: { readonly [id in DialectId]: Provenance } = {
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
};
