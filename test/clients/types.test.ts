import type Anthropic from "@anthropic-ai/sdk";
import type { AnyTool, Dispatcher, StandardSchema } from "@hasp/runtime";
import { toAiSdkTools } from "@hasp/adapters/ai-sdk";
import { toAnthropicRunnableTools } from "@hasp/runtime/anthropic";
import type { BoundTool } from "@hasp/runtime/codegen/v1";
import type { ElicitingServer, McpClient, McpServerConnection } from "@hasp/mcp";
import type { Client as NewestClient } from "@modelcontextprotocol/client";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { McpServer as NewestServer } from "@modelcontextprotocol/server";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { ToolSet } from "ai";
import type { ToolSet as NewestToolSet } from "ai-newest";
import { expectTypeOf, test } from "vitest";

// Structural types stand in for packages that nobody has to install; here they are held against the real ones.

test("toAiSdkTools returns a tool set of the AI SDK that runs on Node 20, and of the newest", () => {
  const plain = (dispatcher: Dispatcher) => toAiSdkTools(dispatcher);
  expectTypeOf(plain).returns.toExtend<ToolSet>();
  expectTypeOf(plain).returns.toExtend<NewestToolSet>();
  expectTypeOf((dispatcher: Dispatcher) => toAiSdkTools(dispatcher, { sdk: 7 })).returns.toExtend<NewestToolSet>();
});

test("runnable tools are those of Anthropic's tool runner", () => {
  expectTypeOf(toAnthropicRunnableTools).returns.toExtend<
    Parameters<Anthropic["beta"]["messages"]["toolRunner"]>[0]["tools"]
  >();
});

test("both versions of the MCP packages are what the adapters take", () => {
  expectTypeOf<Client>().toExtend<McpClient>();
  expectTypeOf<NewestClient>().toExtend<McpClient>();
  expectTypeOf<Server>().toExtend<McpServerConnection>();
  expectTypeOf<Server>().toExtend<ElicitingServer>();
  expectTypeOf<NewestServer["server"]>().toExtend<McpServerConnection>();
  expectTypeOf<NewestServer["server"]>().toExtend<ElicitingServer>();
});

test("a Standard Schema is one to those who defined it", () => {
  expectTypeOf<StandardSchema>().toExtend<StandardSchemaV1>();
  expectTypeOf<StandardSchema>().toExtend<StandardJSONSchemaV1>();
  expectTypeOf<AnyTool>().toExtend<StandardSchemaV1>();
  type Bound = BoundTool<{
    name: "x";
    arguments: { a?: string };
    input: { a: string };
    output: string;
    context: object;
    handler: object;
    handlerFile: "x.ts";
  }>;
  expectTypeOf<StandardSchemaV1.InferInput<Bound>>().toEqualTypeOf<{ a?: string }>();
  expectTypeOf<StandardSchemaV1.InferOutput<Bound>>().toEqualTypeOf<{ a: string }>();
  expectTypeOf<Bound>().toExtend<AnyTool>();
});
