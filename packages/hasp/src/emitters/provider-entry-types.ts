import type { DialectId } from "@hasp/schema";

/** How one dialect's list is typed, and what a reader is told of it. */
export interface ProviderEntryType {
  /** Exported by `@hasp/runtime/codegen`. */
  readonly name: string;
  /** The fields that the type has beside those that hasp always writes. */
  readonly extraFields: readonly string[];
  /** Where the list goes. */
  readonly use: string;
}

const anthropic: ProviderEntryType = {
  name: "AnthropicTool",
  extraFields: ["cache_control"],
  use: "`tools` of Anthropic's Messages API.",
};
const openaiChat: ProviderEntryType = { name: "OpenAIChatTool", extraFields: [], use: "`tools` of OpenAI's Chat Completions API." };
const openaiResponses: ProviderEntryType = { name: "OpenAIResponsesTool", extraFields: [], use: "`tools` of OpenAI's Responses API." };
const bedrock: ProviderEntryType = { name: "BedrockTool", extraFields: [], use: "`toolConfig.tools` of Amazon Bedrock's Converse API." };
const cohere: ProviderEntryType = { name: "FunctionTool", extraFields: [], use: "`tools` of Cohere's chat API." };
const mcp: ProviderEntryType = { name: "McpTool", extraFields: [], use: "`tools` of an MCP `tools/list` result." };

/** By dialect. */
export const providerEntryTypes: { readonly [dialect in DialectId]: ProviderEntryType } = {
  anthropic,
  "anthropic-strict": anthropic,
  "openai-chat": openaiChat,
  "openai-chat-strict": openaiChat,
  "openai-responses": openaiResponses,
  "openai-responses-strict": openaiResponses,
  gemini: {
    name: "GeminiTool",
    extraFields: [],
    use: "`functionDeclarations` of an entry of Gemini's `config.tools`.",
  },
  "gemini-json-schema": {
    name: "GeminiJsonSchemaTool",
    extraFields: [],
    use: "`functionDeclarations` of an entry of Gemini's `config.tools`.",
  },
  "bedrock-converse": bedrock,
  "bedrock-converse-strict": bedrock,
  mistral: { name: "OpenAIChatTool", extraFields: [], use: "`tools` of Mistral's chat API." },
  "cohere-v2": cohere,
  "cohere-v2-strict": cohere,
  ollama: { name: "FunctionTool", extraFields: [], use: "`tools` of Ollama's chat API." },
  mcp,
  "mcp-2025-11-25": mcp,
  "vercel-ai-sdk": {
    name: "VercelTool",
    extraFields: [],
    use: "Entries by name for the AI SDK: wrap each `inputSchema` in `jsonSchema()`.",
  },
};
