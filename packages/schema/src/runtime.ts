// Everything that @hasp/runtime needs, and nothing else, behind one entry: unused code costs its start milliseconds.
import type { DialectId } from "./dialects/definition/dialect-id.js";
import type { WrapEntry } from "./dialects/definition/dialect.js";
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
} from "./dialects/definition/wire-entries.js";

export { KEYWORDS, describesAnyValue, holdsSchemas, isKeyword, keywordRow } from "./vocabulary/keywords.js";
export { eachSubschema, mapSubschemas, pointerTo, subschemasOf, walkSchema } from "./vocabulary/walk-schema.js";
export { canonicalText } from "@hasp/base/json";
export { findValueAt, followReference, readReference, writeReference } from "@hasp/base/json";
export { inexactInteger } from "@hasp/base/json";
export { findNearestName } from "@hasp/base/diagnostics";
export { allDecoders, createDecoderWith, type Decoders, plainDecoders } from "./codec/decode.js";
export { findDefaultFaults } from "./validate/default-faults.js";
export { createValidator, createValidatorWith } from "./validate/validator.js";
export { linearPattern, type PatternEngine } from "./patterns/linear-pattern.js";

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
  ollama: wrapForCohere,
  "openai-chat": wrapForOpenaiChat,
  "openai-chat-strict": undefined,
  "openai-responses": wrapForOpenaiResponses,
  "openai-responses-strict": undefined,
  "vercel-ai-sdk": wrapForAiSdk,
};
