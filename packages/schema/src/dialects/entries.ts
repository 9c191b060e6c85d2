// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import type { AnthropicTool } from "./anthropic/anthropic.js";
import type { BedrockTool } from "./bedrock/bedrock-converse.js";
import type { FunctionTool } from "./cohere/cohere-v2.js";
import type { GeminiTool } from "./gemini/gemini.js";
import type { GeminiJsonSchemaTool } from "./gemini/gemini-json-schema.js";
import type { McpTool } from "./mcp/mcp.js";
import type { OpenAIChatTool } from "./openai/openai-chat.js";
import type { OpenAIResponsesTool } from "./openai/openai-responses.js";
import type { VercelTool } from "./vercel/vercel-ai-sdk.js";

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
export * from "./definition/wire-entries.js";

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
  moonshot: OpenAIChatTool;
  ollama: FunctionTool;
  "openai-chat": OpenAIChatTool;
  "openai-chat-strict": OpenAIChatTool;
  "openai-compatible": OpenAIChatTool;
  "openai-responses": OpenAIResponsesTool;
  "openai-responses-strict": OpenAIResponsesTool;
  "vercel-ai-sdk": VercelTool;
}
