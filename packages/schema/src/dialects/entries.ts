// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import type { AnthropicTool } from "./providers/anthropic.js";
import type { BedrockTool } from "./providers/bedrock.js";
import type { FunctionTool } from "./providers/cohere.js";
import type { GeminiJsonSchemaTool, GeminiTool } from "./providers/gemini.js";
import type { McpTool } from "./providers/mcp.js";
import type {
  OpenAIChatTextTool,
  OpenAIChatTool,
  OpenAIResponsesTextTool,
  OpenAIResponsesTool,
} from "./providers/openai.js";
import type { VercelTool } from "./providers/vercel.js";

export type { AnthropicTool } from "./providers/anthropic.js";
export type { BedrockTool } from "./providers/bedrock.js";
export type { FunctionTool } from "./providers/cohere.js";
export type { GeminiJsonSchemaTool, GeminiTool } from "./providers/gemini.js";
export type { McpTool } from "./providers/mcp.js";
export type {
  OpenAIChatTextTool,
  OpenAIChatTool,
  OpenAINamespaceTool,
  OpenAIResponsesTextTool,
  OpenAIResponsesTool,
} from "./providers/openai.js";
export type { VercelTool } from "./providers/vercel.js";
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
  "openai-chat": OpenAIChatTool | OpenAIChatTextTool;
  "openai-chat-strict": OpenAIChatTool | OpenAIChatTextTool;
  "openai-compatible": OpenAIChatTool;
  "openai-responses": OpenAIResponsesTool | OpenAIResponsesTextTool;
  "openai-responses-strict": OpenAIResponsesTool | OpenAIResponsesTextTool;
  "vercel-ai-sdk": VercelTool;
}
