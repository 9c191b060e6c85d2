import type Anthropic from "@anthropic-ai/sdk";
import type { GenerateContentResponse, Part } from "@google/genai";
import { toFunctionResponses, toToolCalls as fromGemini } from "@hasp/runtime/gemini";
import { toToolCalls as fromAnthropic, toToolResultBlocks } from "@hasp/runtime/anthropic";
import { mcpTools, toCallToolResult, type McpClient } from "@hasp/mcp";
import { toFunctionCallOutputs, toToolCalls as fromOpenAI, toToolMessages } from "@hasp/runtime/openai";
import type { OpenAIChatTextTool, OpenAIResponsesTextTool } from "@hasp/runtime/codegen/v1";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type OpenAI from "openai";
import { expectTypeOf, test } from "vitest";

test("a provider's own package takes our results", () => {
  expectTypeOf(toToolResultBlocks<never>).returns.toExtend<Anthropic.ContentBlockParam[]>();
  expectTypeOf(toFunctionCallOutputs<never>).returns.toExtend<OpenAI.Responses.ResponseInputItem[]>();
  expectTypeOf(toToolMessages<never>).returns.toExtend<OpenAI.ChatCompletionMessageParam[]>();
  expectTypeOf(toFunctionResponses).returns.toExtend<Part[]>();
  expectTypeOf<OpenAIResponsesTextTool>().toExtend<OpenAI.Responses.Tool>();
  expectTypeOf<OpenAIChatTextTool>().toExtend<OpenAI.ChatCompletionTool>();
  expectTypeOf(toCallToolResult).returns.toExtend<CallToolResult>();
});

test("calls are read from a provider's own package's answers", () => {
  expectTypeOf<Anthropic.Message>().toExtend<Parameters<typeof fromAnthropic>[0]>();
  expectTypeOf<OpenAI.Responses.Response>().toExtend<Parameters<typeof fromOpenAI>[0]>();
  expectTypeOf<OpenAI.ChatCompletion>().toExtend<Parameters<typeof fromOpenAI>[0]>();
  expectTypeOf<GenerateContentResponse>().toExtend<Parameters<typeof fromGemini>[0]>();
  expectTypeOf<Client>().toExtend<McpClient>();
  expectTypeOf(mcpTools).parameter(0).toEqualTypeOf<McpClient>();
});
