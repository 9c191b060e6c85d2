import type { JsonObject, JsonValue } from "../json.js";
import type { JsonSchema } from "../json-schema.js";

/** The dialects that hasp knows; the keys of the record `dialects`. */
export type DialectId =
  | "anthropic"
  | "anthropic-strict"
  | "openai-chat"
  | "openai-chat-strict"
  | "openai-responses"
  | "openai-responses-strict"
  | "gemini"
  | "gemini-json-schema"
  | "bedrock-converse"
  | "bedrock-converse-strict"
  | "mistral"
  | "cohere-v2"
  | "cohere-v2-strict"
  | "ollama"
  | "mcp"
  | "mcp-2025-11-25"
  | "vercel-ai-sdk";

/** Providers whose dialects belong together; the key under `providers` in a spec. */
export type DialectFamily = "anthropic" | "openai" | "gemini" | "bedrock" | "mistral" | "cohere" | "ollama" | "mcp" | "vercel";

/** One tool as a dialect's `wrap` receives it: names and texts already fit for the dialect. */
export interface WireTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  /** Whether the provider is asked to enforce the schema; `undefined` where the dialect has no such field. */
  readonly strict?: boolean;
  readonly examples?: readonly JsonValue[];
  readonly deferred: boolean;
  /** Worst case over all inputs, each stated explicitly. */
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
  /** Provider fields that the configuration asks for (`cacheControl`, …), already in the provider's own words. */
  readonly extra?: JsonObject;
}
