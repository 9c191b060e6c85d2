import { resolve } from "node:path";
import { createDispatcher, type Dispatcher, type ToolResult } from "@hasp/runtime";
import { mcpTools, refreshMcpTools, type McpConnection } from "@hasp/mcp";
import type { DialectId } from "@hasp/schema";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkSchema } from "./loopback.testing.js";
import { liveTools } from "@hasp/mcp/live";
import { informationFlow } from "@hasp/runtime/flow";

// The reference server of the protocol's authors, as a child over stdio, by the official client.
const server = resolve(import.meta.dirname, "../node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const dialects: readonly DialectId[] = [
  "anthropic",
  "anthropic-strict",
  "openai-responses",
  "openai-responses-strict",
  "gemini-json-schema",
];

const client = new Client({ name: "test", version: "1" });
let connection: McpConnection;
let dispatcher: Dispatcher;
const progress: unknown[] = [];

beforeAll(async () => {
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [server, "stdio"], stderr: "ignore" }),
  );
  connection = await mcpTools(client, { server: "everything", trusted: true, dialects, allowNarrowing: true });
  dispatcher = createDispatcher({
    tools: [],
    extensions: [informationFlow, liveTools([connection], { refresh: refreshMcpTools([connection]) })],
    permissions: { ask: () => "allow" },
    onProgress: ({ update }) => progress.push(update),
  });
});
afterAll(() => client.close());

const call = async (name: string, input: unknown, dialect?: string): Promise<ToolResult | undefined> =>
  (
    await dispatcher.dispatch([
      { id: "1", name: `mcp__everything__${name}`, input, ...(dialect !== undefined && { dialect }) },
    ])
  )[0];

test("every tool is listed for every provider, and no provider would refuse it", () => {
  expect(dispatcher.excluded).toEqual([]);
  for (const dialect of dialects) {
    const list = dispatcher.definitions(dialect);
    expect(list.length, dialect).toBe(connection.tools.length);
    for (const { input_schema: anthropic, parameters, parametersJsonSchema } of list) {
      checkSchema(anthropic ?? parameters ?? parametersJsonSchema, dialect, "");
    }
  }
});

test("calls, structured results, images, errors and progress", async () => {
  expect(await call("echo", { message: "hello" })).toMatchObject({
    isError: false,
    content: [{ text: "Echo: hello" }],
  });
  expect(await call("get-sum", { a: "17", b: 25 })).toMatchObject({
    content: [{ text: expect.stringContaining("42") }],
  });
  expect((await call("get-structured-content", { location: "Chicago" }))?.output).toMatchObject({
    conditions: expect.any(String),
  });
  expect((await call("get-tiny-image", {}))?.content.map(({ type }) => type)).toContain("image");
  expect((await call("get-structured-content", { location: "Oslo" }))?.error).toMatchObject({
    code: "invalid-input",
    effect: "none",
  });
  await call("trigger-long-running-operation", { duration: 0.2, steps: 2 });
  expect(progress).toContainEqual(expect.objectContaining({ total: 2 }));
});

test("its resources are listed and read", async () => {
  const list = await call("list_resources", {});
  const { resources = [] } = Object(list?.output) as { readonly resources?: readonly { readonly uri: string }[] };
  expect(resources.length).toBeGreaterThan(0);
  for (const { uri } of resources) {
    const [block] = (await call("read_resource", { uri }))?.content ?? [];
    expect(block, uri).toMatchObject({ type: "text", text: expect.stringMatching(/\S/u) });
  }
  const missing = await call("read_resource", { uri: "demo://no/such" });
  expect(missing?.error).toMatchObject({ code: "threw", effect: "none" });
});

test("a strict list's nulls are undone before the server sees them", async () => {
  expect(await call("get-resource-links", { count: null }, "openai-responses-strict")).toMatchObject({
    isError: false,
  });
});

test("an abort cancels the request at the server", async () => {
  const controller = new AbortController();
  const running = dispatcher.dispatch(
    [{ id: "1", name: "mcp__everything__trigger-long-running-operation", input: { duration: 60, steps: 1 } }],
    { signal: controller.signal },
  );
  setTimeout(() => controller.abort(), 20);
  expect((await running)[0]?.error?.code).toBe("aborted");
});
