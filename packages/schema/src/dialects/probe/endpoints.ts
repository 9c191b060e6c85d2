import type { JsonObject, JsonValue } from "@hasp/base/json";
import type { DialectId } from "../definition/dialect-id.js";

/** A provider's API, and its smallest request. `"$model"`, `"$tools"` and `$key` are placeholders. */
export interface Endpoint {
  /** The beginning of the address; absent if it differs by account or server. */
  readonly base?: string;
  readonly path: string;
  /** A header with `$key` is sent only if there is a key. */
  readonly headers: { readonly [name: string]: string };
  /** True if the API answers no request without a key. */
  readonly needsKey: boolean;
  /** The model to ask if none is named. */
  readonly model?: string;
  readonly body: JsonObject;
  /** A value for each field in the rules of a dialect, and the entry that the list must then also hold. */
  readonly fields?: { readonly [field: string]: { readonly value: JsonValue; readonly beside?: JsonObject } };
}

const messages: JsonValue = [{ role: "user", content: "Hi" }];
const bearer = { authorization: "Bearer $key" };
const chat = { path: "/chat/completions", headers: bearer, needsKey: true } as const;

const anthropic: Endpoint = {
  base: "https://api.anthropic.com",
  path: "/v1/messages",
  headers: { "x-api-key": "$key", "anthropic-version": "2023-06-01" },
  needsKey: true,
  model: "claude-sonnet-5-5",
  body: { model: "$model", max_tokens: 1, messages, tools: "$tools" },
  fields: {
    cache_control: { value: { type: "ephemeral" } },
    strict: { value: true },
    defer_loading: {
      value: true,
      beside: { type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" },
    },
    allowed_callers: {
      value: ["code_execution_20260120"],
      beside: { type: "code_execution_20260120", name: "code_execution" },
    },
  },
};

const bedrock: Endpoint = {
  path: "/model/$model/converse",
  headers: bearer,
  needsKey: true,
  body: {
    messages: [{ role: "user", content: [{ text: "Hi" }] }],
    inferenceConfig: { maxTokens: 1 },
    toolConfig: { tools: "$tools" },
  },
};

const cohere = {
  base: "https://api.cohere.com",
  path: "/v2/chat",
  headers: bearer,
  needsKey: true,
  body: { model: "$model", max_tokens: 1, messages, tools: "$tools" },
} as const satisfies Endpoint;

const gemini: Endpoint = {
  base: "https://generativelanguage.googleapis.com",
  path: "/v1beta/models/$model:generateContent",
  headers: { "x-goog-api-key": "$key" },
  needsKey: true,
  model: "gemini-3.8-flash",
  body: {
    contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    generationConfig: { maxOutputTokens: 1 },
    tools: [{ functionDeclarations: "$tools" }],
  },
};

const openaiChat: Endpoint = {
  ...chat,
  base: "https://api.openai.com/v1",
  model: "gpt-5.5",
  body: { model: "$model", max_completion_tokens: 16, messages, tools: "$tools" },
};

const openaiResponses: Endpoint = {
  base: "https://api.openai.com/v1",
  path: "/responses",
  headers: bearer,
  needsKey: true,
  model: "gpt-5.5",
  body: { model: "$model", max_output_tokens: 16, store: false, input: "Hi", tools: "$tools" },
  fields: { defer_loading: { value: true, beside: { type: "tool_search" } } },
};

const chatBody: JsonObject = { model: "$model", max_tokens: 1, messages, tools: "$tools" };

/** The endpoint for the lists of each dialect; `undefined` for a dialect that is no provider's API. */
export const endpoints: { readonly [id in DialectId]: Endpoint | undefined } = {
  anthropic,
  "anthropic-strict": anthropic,
  "bedrock-converse": bedrock,
  "bedrock-converse-strict": bedrock,
  "cohere-v2": cohere,
  "cohere-v2-strict": { ...cohere, body: { ...cohere.body, strict_tools: true } },
  gemini,
  "gemini-json-schema": gemini,
  mcp: undefined,
  "mcp-2025-11-25": undefined,
  mistral: { ...chat, base: "https://api.mistral.ai/v1", body: chatBody },
  moonshot: { ...chat, base: "https://api.moonshot.ai/v1", body: chatBody },
  ollama: {
    base: "http://localhost:11434",
    path: "/api/chat",
    headers: bearer,
    needsKey: false,
    body: { model: "$model", stream: false, options: { num_predict: 1 }, messages, tools: "$tools" },
  },
  "openai-chat": openaiChat,
  "openai-chat-strict": openaiChat,
  "openai-compatible": { ...chat, needsKey: false, body: chatBody },
  "openai-responses": openaiResponses,
  "openai-responses-strict": openaiResponses,
  "vercel-ai-sdk": undefined,
};
