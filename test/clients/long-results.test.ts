import type Anthropic from "@anthropic-ai/sdk";
import type { FunctionDeclaration } from "@google/genai";
import { toAiSdkTools } from "@hasp/adapters/ai-sdk";
import { toLangChainTools } from "@hasp/adapters/langchain";
import { toOpenAIAgentsTools } from "@hasp/adapters/openai-agents";
import { buildTool, createDispatcher, type Dispatcher } from "@hasp/runtime";
import { toAnthropicRunnableTools } from "@hasp/runtime/anthropic";
import { storedResults } from "@hasp/runtime/results";
import type { JsonObject } from "@hasp/schema";
import { RunContext, tool as agentTool } from "@openai/agents-core";
import { tool as chainTool, ToolMessage } from "langchain";
import type OpenAI from "openai";
import { describe, expect, expectTypeOf, test } from "vitest";

const long = Array.from({ length: 500 }, (_line, index) => `line ${index}`).join("\n");

const dispatcherOfLong = (): Dispatcher =>
  createDispatcher({
    extensions: [storedResults()],
    tools: [
      buildTool({
        name: "show",
        description: "Shows it.",
        input: { type: "object", properties: {} },
        concurrency: { class: "READ_ONLY" },
        behavior: { requiresPermission: false, isOpenWorld: false },
        limits: { maxResultSizeChars: 400 },
        execute: () => long,
      }),
    ],
  });

/** Runs a tool of a framework's list by name, as the framework does. */
type RunTool = (name: string, input: object) => Promise<unknown>;

interface Named {
  readonly name: string;
  invoke(input: never): Promise<unknown>;
}

const adapters: { readonly [framework: string]: (dispatcher: Dispatcher) => RunTool } = {
  "the AI SDK": (dispatcher) => {
    const tools = toAiSdkTools(dispatcher);
    return async (name, input) => tools[name]?.execute?.(input, { toolCallId: name });
  },
  "OpenAI Agents": (dispatcher) => {
    const tools = toOpenAIAgentsTools(dispatcher, { tool: agentTool });
    return async (name, input) => {
      const found = tools.find((each) => each.name === name);
      return found?.type === "function" ? found.invoke(new RunContext(), JSON.stringify(input)) : undefined;
    };
  },
  LangChain: (dispatcher) => {
    const tools: readonly Named[] = toLangChainTools(dispatcher, { tool: chainTool, ToolMessage });
    return async (name, input) => tools.find((each) => each.name === name)?.invoke(input as never);
  },
  "Anthropic's tool runner": (dispatcher) => {
    const tools = toAnthropicRunnableTools(dispatcher);
    return async (name, input) => tools.find((each) => each.name === name)?.run(input);
  },
};

describe.each(Object.entries(adapters))("the tools for %s", (_framework, toTools) => {
  test("let the model read on in a long result", async () => {
    const run = toTools(dispatcherOfLong());
    const shown = JSON.stringify(await run("show", {}));
    const [, reference = ""] = /stored at (show-[0-9a-f-]{36})\. Read it with read_result/u.exec(shown) ?? [];
    const read = await run("read_result", { reference, from: long.length - 8, length: 8 });
    expect(JSON.stringify(read)).toContain("line 499");
  });
});

test("a model is not sent to a tool that its list lacks", async () => {
  const dispatcher = dispatcherOfLong();
  const call = [{ id: "1", name: "show", input: {} }];
  const [result] = await dispatcher.dispatch(call);
  expect(JSON.stringify(result?.content)).toMatch(/You cannot read the rest; ask for less/u);
  expect(result?.offloaded?.reference).toMatch(/^show-[0-9a-f-]{36}$/u);
  expect(dispatcher.definitions("mcp").map(({ name }) => name)).toEqual(["show", "read_result"]);
  const [second] = await dispatcher.dispatch(call);
  expect(JSON.stringify(second?.content)).toMatch(/Read it with read_result/u);
});

test("a list has the type that the provider's package accepts", () => {
  const { definitions } = dispatcherOfLong();
  expectTypeOf(definitions("anthropic")).toExtend<Anthropic.Tool[]>();
  expectTypeOf(definitions("openai-responses-strict")).toExtend<OpenAI.Responses.Tool[]>();
  expectTypeOf(definitions("openai-chat")).toExtend<OpenAI.ChatCompletionTool[]>();
  expectTypeOf(definitions("gemini-json-schema")).toExtend<FunctionDeclaration[]>();
  expectTypeOf(definitions("mcp" as string)).toEqualTypeOf<readonly JsonObject[]>();
});
