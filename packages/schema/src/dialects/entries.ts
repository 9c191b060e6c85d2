// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import { wrapUnlowered as anthropic } from "./anthropic/anthropic.js";
import { wrapUnlowered as bedrockConverse } from "./bedrock/bedrock-converse.js";
import { wrapUnlowered as cohereV2 } from "./cohere/cohere-v2.js";
import { wrapUnlowered as gemini } from "./gemini/gemini.js";
import { wrapUnlowered as geminiJsonSchema } from "./gemini/gemini-json-schema.js";
import { wrapUnlowered as mcp } from "./mcp/mcp.js";
import { wrapUnlowered as mcp20251125 } from "./mcp/mcp-2025-11-25.js";
import { wrapUnlowered as mistral } from "./mistral/mistral.js";
import { wrapUnlowered as ollama } from "./ollama/ollama.js";
import { wrapUnlowered as openaiChat } from "./openai/openai-chat.js";
import { wrapUnlowered as openaiResponses } from "./openai/openai-responses.js";
import { wrapUnlowered as vercelAiSdk } from "./vercel/vercel-ai-sdk.js";
import type { AnthropicTool } from "./anthropic/anthropic.js";
import type { BedrockTool } from "./bedrock/bedrock-converse.js";
import type { FunctionTool } from "./cohere/cohere-v2.js";
import type { GeminiTool } from "./gemini/gemini.js";
import type { GeminiJsonSchemaTool } from "./gemini/gemini-json-schema.js";
import type { McpTool } from "./mcp/mcp.js";
import type { OpenAIChatTool } from "./openai/openai-chat.js";
import type { OpenAIResponsesTool } from "./openai/openai-responses.js";
import type { VercelTool } from "./vercel/vercel-ai-sdk.js";
import type { WrapEntry } from "./definition/dialect.js";
import type { DialectId } from "./definition/dialect-id.js";

export type { AnthropicTool } from "./anthropic/anthropic.js";
export type { BedrockTool } from "./bedrock/bedrock-converse.js";
export type { FunctionTool } from "./cohere/cohere-v2.js";
export type { GeminiTool } from "./gemini/gemini.js";
export type { GeminiJsonSchemaTool } from "./gemini/gemini-json-schema.js";
export type { McpTool } from "./mcp/mcp.js";
export type { OpenAIChatTool } from "./openai/openai-chat.js";
export type { OpenAIResponsesTool } from "./openai/openai-responses.js";
export type { VercelTool } from "./vercel/vercel-ai-sdk.js";
export type { ObjectSchema, WireObjectSchema, WireSchema } from "./definition/wire-types.js";

/** The type of an entry in the list of each dialect. */
export interface DialectEntries {
  anthropic: AnthropicTool;
  "anthropic-strict": AnthropicTool;
  "bedrock-converse": BedrockTool;
  "bedrock-converse-strict": BedrockTool;
  "cohere-v2": FunctionTool;
  "cohere-v2-strict": FunctionTool;
  gemini: GeminiTool;
  "gemini-json-schema": GeminiJsonSchemaTool;
  mcp: McpTool;
  "mcp-2025-11-25": McpTool;
  mistral: OpenAIChatTool;
  ollama: FunctionTool;
  "openai-chat": OpenAIChatTool;
  "openai-chat-strict": OpenAIChatTool;
  "openai-responses": OpenAIResponsesTool;
  "openai-responses-strict": OpenAIResponsesTool;
  "vercel-ai-sdk": VercelTool;
}

/** The builders of entries for schemas that are sent as they are; `undefined` for a dialect that takes lowered ones only. */
export const unlowered: { readonly [id in DialectId]: WrapEntry | undefined } = {
  anthropic,
  "anthropic-strict": undefined,
  "bedrock-converse": bedrockConverse,
  "bedrock-converse-strict": undefined,
  "cohere-v2": cohereV2,
  "cohere-v2-strict": undefined,
  gemini,
  "gemini-json-schema": geminiJsonSchema,
  mcp,
  "mcp-2025-11-25": mcp20251125,
  mistral,
  ollama,
  "openai-chat": openaiChat,
  "openai-chat-strict": undefined,
  "openai-responses": openaiResponses,
  "openai-responses-strict": undefined,
  "vercel-ai-sdk": vercelAiSdk,
};
