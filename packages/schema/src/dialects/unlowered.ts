// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import type { DialectId } from "./definition/dialect-id.js";
import type { WrapEntry } from "./definition/dialect.js";
import {
  wrapForAiSdk,
  wrapForAnthropic,
  wrapForBedrock,
  wrapForCohere,
  wrapForGeminiJsonSchema,
  wrapForMcp,
  wrapForMcp2025,
  wrapForOpenaiChat,
  wrapForOpenaiResponses,
} from "./definition/wire-entries.js";

/** The builders of entries for schemas that are sent as they are; `undefined` for a dialect that takes lowered ones only. */
export const unlowered: { readonly [id in DialectId]: WrapEntry | undefined } = {
  anthropic: wrapForAnthropic,
  "anthropic-strict": undefined,
  "bedrock-converse": wrapForBedrock,
  "bedrock-converse-strict": undefined,
  "cohere-v2": wrapForCohere,
  "cohere-v2-strict": undefined,
  gemini: wrapForGeminiJsonSchema,
  "gemini-json-schema": wrapForGeminiJsonSchema,
  mcp: wrapForMcp,
  "mcp-2025-11-25": wrapForMcp2025,
  mistral: wrapForOpenaiChat,
  moonshot: wrapForOpenaiChat,
  ollama: wrapForCohere,
  "openai-chat": wrapForOpenaiChat,
  "openai-chat-strict": undefined,
  "openai-compatible": wrapForOpenaiChat,
  "openai-responses": wrapForOpenaiResponses,
  "openai-responses-strict": undefined,
  "vercel-ai-sdk": wrapForAiSdk,
};
