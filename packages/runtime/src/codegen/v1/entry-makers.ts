// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import {
  type AnthropicTool,
  type BedrockTool,
  type FunctionTool,
  type GeminiJsonSchemaTool,
  type McpTool,
  type OpenAIChatTool,
  type OpenAIResponsesTool,
  type VercelTool,
  wrapForAiSdk,
  wrapForAnthropic,
  wrapForBedrock,
  wrapForCohere,
  wrapForGeminiJsonSchema,
  wrapForMcp,
  wrapForMcp2025,
  wrapForOpenaiChat,
  wrapForOpenaiResponses,
} from "@hasp/schema/internal/entries";
import { type EntryMaker, forMcp, makeBy } from "./listing.js";

export const anthropic: EntryMaker<AnthropicTool> = /* @__PURE__ */ makeBy(wrapForAnthropic);
export const bedrockConverse: EntryMaker<BedrockTool> = /* @__PURE__ */ makeBy(wrapForBedrock);
export const cohereV2: EntryMaker<FunctionTool> = /* @__PURE__ */ makeBy(wrapForCohere);
export const geminiJsonSchema: EntryMaker<GeminiJsonSchemaTool> = /* @__PURE__ */ makeBy(wrapForGeminiJsonSchema);
export const mcp: EntryMaker<McpTool> = /* @__PURE__ */ makeBy((...parts) => wrapForMcp(forMcp(...parts)));
export const mcp20251125: EntryMaker<McpTool> = /* @__PURE__ */ makeBy((...parts) => wrapForMcp2025(forMcp(...parts)));
export const mistral: EntryMaker<OpenAIChatTool> = /* @__PURE__ */ makeBy(wrapForOpenaiChat);
export const moonshot: EntryMaker<OpenAIChatTool> = mistral;
export const ollama: EntryMaker<FunctionTool> = cohereV2;
export const openaiChat: EntryMaker<OpenAIChatTool> = mistral;
export const openaiCompatible: EntryMaker<OpenAIChatTool> = mistral;
export const openaiResponses: EntryMaker<OpenAIResponsesTool> = /* @__PURE__ */ makeBy(wrapForOpenaiResponses);
export const vercelAiSdk: EntryMaker<VercelTool> = /* @__PURE__ */ makeBy(wrapForAiSdk);
