import type { JsonSchema } from "@hasp/schema";

// The entries of the generated provider lists, shaped so that the providers' own SDK types accept them: their fields
// are mutable there, and so they are here. The entries themselves are frozen.

/** A schema as a provider's API takes it. */
export interface WireSchema {
  [keyword: string]: unknown;
}

/** What a provider's SDK types more narrowly than its API is: enums of its own, numbers as text. */
type AsSent = ReturnType<typeof JSON.parse>;

/** A schema of an object, as most APIs want it at the root. */
export interface WireObjectSchema {
  type: "object";
  properties?: { [name: string]: AsSent };
  required?: string[];
  [keyword: string]: unknown;
}

/** The schema of a tool's input: a JSON Schema that the providers' SDKs, too, take for one. */
export type ObjectSchema = JsonSchema & WireObjectSchema;

/** An entry of `tools` in Anthropic's Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: WireObjectSchema;
  strict: boolean;
  defer_loading?: boolean;
  input_examples?: WireSchema[];
  cache_control?: { type: "ephemeral"; ttl?: "5m" | "1h" } | null;
}

/** An entry of `tools` in OpenAI's Responses API. */
export interface OpenAIResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: WireSchema;
  strict: boolean;
  defer_loading?: boolean;
}

/** An entry of `tools` in OpenAI's Chat Completions API. */
export interface OpenAIChatTool {
  type: "function";
  function: { name: string; description: string; parameters: WireSchema; strict: boolean };
}

/** An entry of `functionDeclarations` in Gemini's API, with a schema in its own words. */
export interface GeminiTool {
  name: string;
  description: string;
  parameters?: AsSent;
}

/** An entry of `functionDeclarations` in Gemini's API, with a JSON Schema. */
export interface GeminiJsonSchemaTool {
  name: string;
  description: string;
  parametersJsonSchema?: WireSchema;
}

/** An entry of `tools` in a `tools/list` result of the Model Context Protocol. */
export interface McpTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: WireObjectSchema;
  outputSchema?: WireObjectSchema;
  annotations: {
    title?: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** An entry of `toolConfig.tools` in Amazon Bedrock's Converse API. */
export interface BedrockTool {
  toolSpec: { name: string; description?: string; inputSchema: { json: WireSchema }; strict: boolean };
}

/** An entry of `tools` in an API modelled on OpenAI's Chat Completions. */
export interface FunctionTool {
  type: "function";
  function: { name: string; description: string; parameters: WireSchema };
}

/** What the AI SDK's `tool()` takes, with the schema still to be wrapped in `jsonSchema()`. */
export interface VercelTool {
  name: string;
  description: string;
  inputSchema: WireSchema;
  strict: boolean;
  inputExamples?: { input: WireSchema }[];
  providerOptions?: WireSchema;
}
