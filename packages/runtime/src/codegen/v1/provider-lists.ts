// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
export type {
  AnthropicTool,
  BedrockTool,
  FunctionTool,
  GeminiJsonSchemaTool,
  GeminiTool,
  McpTool,
  ObjectSchema,
  OpenAIChatTextTool,
  OpenAIChatTool,
  OpenAINamespaceTool,
  OpenAIResponsesTextTool,
  OpenAIResponsesTool,
  VercelTool,
  WireObjectSchema,
  WireSchema,
} from "@hasp/schema/internal/entries";
