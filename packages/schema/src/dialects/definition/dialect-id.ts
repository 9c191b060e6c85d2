// Written by `pnpm gen` from the files of this folder: adding one is adding a file.

/** The dialects that hasp knows; the keys of the record `dialects`. */
export type DialectId =
  | "anthropic"
  | "anthropic-strict"
  | "bedrock-converse"
  | "bedrock-converse-strict"
  | "cohere-v2"
  | "cohere-v2-strict"
  | "gemini"
  | "gemini-json-schema"
  | "mcp"
  | "mcp-2025-11-25"
  | "mistral"
  | "moonshot"
  | "ollama"
  | "openai-chat"
  | "openai-chat-strict"
  | "openai-compatible"
  | "openai-responses"
  | "openai-responses-strict"
  | "vercel-ai-sdk";

/** Providers whose dialects belong together; the key under `providers` in a spec. */
export type DialectFamily =
  | "anthropic"
  | "bedrock"
  | "cohere"
  | "gemini"
  | "mcp"
  | "mistral"
  | "moonshot"
  | "ollama"
  | "openai"
  | "openai-compatible"
  | "vercel";
