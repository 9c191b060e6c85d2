import type { DialectId, JsonObject } from "@hasp/schema";
import type { DialectPlan } from "../model/plan.js";
import { layOut } from "../typescript/document.js";
import { typeDocument } from "../typescript/print-type.js";
import { typeOfValue } from "../typescript/type-node.js";

/** How one dialect's entries stand in generated code. */
export interface DialectConstant {
  /** The function of a tool's module that makes its entry. */
  readonly name: string;
  /** The entry's type, exported by `@hasp/runtime/codegen/v1`. */
  readonly type: string;
  /** Where the list goes. */
  readonly use: string;
  /** The fields that the type has beside those that hasp always writes. */
  readonly extraFields?: readonly string[];
}

const anthropic = { type: "AnthropicTool", use: "`tools` of Anthropic's Messages API", extraFields: ["cache_control"] };
const openaiChat = { type: "OpenAIChatTool", use: "`tools` of OpenAI's Chat Completions API" };
const openaiResponses = { type: "OpenAIResponsesTool", use: "`tools` of OpenAI's Responses API" };
const gemini = "`functionDeclarations` in Gemini's `config.tools`";
const bedrock = { type: "BedrockTool", use: "`toolConfig.tools` of Amazon Bedrock's Converse API" };
const cohere = { type: "FunctionTool", use: "`tools` of Cohere's chat API" };
const mcp = { type: "McpTool", use: "`tools` of an MCP `tools/list` result" };

function inStrictMode(name: string, { use, ...constant }: Omit<DialectConstant, "name">): DialectConstant {
  return { name, ...constant, use: `${use}, in strict mode` };
}

/** By dialect. */
export const dialectConstants: { readonly [dialect in DialectId]: DialectConstant } = {
  anthropic: { name: "anthropic", ...anthropic },
  "anthropic-strict": inStrictMode("anthropicStrict", anthropic),
  "openai-chat": { name: "openaiChat", ...openaiChat },
  "openai-chat-strict": inStrictMode("openaiChatStrict", openaiChat),
  "openai-responses": { name: "openaiResponses", ...openaiResponses },
  "openai-responses-strict": inStrictMode("openaiResponsesStrict", openaiResponses),
  gemini: { name: "gemini", type: "GeminiTool", use: gemini },
  "gemini-json-schema": { name: "geminiJsonSchema", type: "GeminiJsonSchemaTool", use: gemini },
  "bedrock-converse": { name: "bedrockConverse", ...bedrock },
  "bedrock-converse-strict": inStrictMode("bedrockConverseStrict", bedrock),
  mistral: { name: "mistral", type: "OpenAIChatTool", use: "`tools` of Mistral's chat API" },
  "cohere-v2": { name: "cohereV2", ...cohere },
  "cohere-v2-strict": inStrictMode("cohereV2Strict", cohere),
  ollama: { name: "ollama", type: "FunctionTool", use: "`tools` of Ollama's chat API" },
  mcp: { name: "mcp", ...mcp },
  "mcp-2025-11-25": { name: "mcp20251125", ...mcp },
  "vercel-ai-sdk": {
    name: "vercelAiSdk",
    type: "VercelTool",
    use: "the AI SDK, by name: wrap each `inputSchema` in `jsonSchema()`",
  },
};

/**
 * The type of a dialect's entries, with the provider fields that the configuration adds and that it does not know
 * itself.
 */
export function entryType({ id, extra }: Pick<DialectPlan, "id" | "extra">): string {
  const { type, extraFields = [] } = dialectConstants[id];
  const unknown: JsonObject = Object.fromEntries(
    Object.entries(extra ?? {}).filter(([field]) => !extraFields.includes(field)),
  );
  return Object.keys(unknown).length === 0 ? type : `${type} & ${layOut(typeDocument(typeOfValue(unknown)))}`;
}
