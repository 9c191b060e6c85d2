import { createDispatcher, createPermissions, type Dispatcher, type ToolResult } from "@hasp/runtime";
import { mcpTools, refreshMcpTools, type McpClient, type McpToolsOptions } from "@hasp/mcp";
import { Client as NewestClient, InMemoryTransport as NewestTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ListResourcesResult,
  type ReadResourceResult,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { Server as NewestServer } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { liveTools } from "@hasp/mcp/live";
import { informationFlow } from "@hasp/runtime/flow";
import { storedResults } from "@hasp/runtime/results";

const info = { name: "test", version: "1" };
const LIST = "mcp__s__list_resources";
const READ = "mcp__s__read_resource";
const PIXEL = Buffer.from("not really a pixel, but 30 b..").toString("base64");

/** The answers of a server of the official package; a test may change its tools. */
interface Answers {
  tools?: Tool[];
  list?: (cursor: string | undefined) => ListResourcesResult | Promise<ListResourcesResult>;
  read?: (uri: string) => ReadResourceResult | Promise<ReadResourceResult>;
}

async function clientOf(answers: Answers): Promise<{ client: Client; server: Server }> {
  const server = new Server(info, { capabilities: { tools: { listChanged: true }, resources: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: answers.tools ?? [] }));
  server.setRequestHandler(
    ListResourcesRequestSchema,
    ({ params }) => answers.list?.(params?.cursor) ?? { resources: [] },
  );
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => answers.read?.(params.uri) ?? { contents: [] });
  const client = new Client(info);
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  onTestFinished(() => client.close());
  return { client, server };
}

const permissions = { rules: [{ server: "s", tool: "*", decision: "ask" as const }], ask: () => "allow" as const };

async function dispatcherOf(client: McpClient, options: Partial<McpToolsOptions> = {}): Promise<Dispatcher> {
  const connection = await mcpTools(client, { server: "s", ...options });
  const refresh = refreshMcpTools([connection]);
  return createDispatcher({
    tools: [],
    extensions: [informationFlow, liveTools([connection], { refresh }), storedResults()],
    permissions,
  });
}

const namesIn = (dispatcher: Dispatcher): unknown[] => dispatcher.definitions("anthropic").map(({ name }) => name);
const call = async (dispatcher: Dispatcher, name: string, input: unknown): Promise<ToolResult | undefined> =>
  (await dispatcher.dispatch([{ id: "1", name, input }]))[0];
const textOf = (result: ToolResult | undefined): string => JSON.stringify(result?.content);

test("resources are listed page by page and read by their URI", async () => {
  const { client } = await clientOf({
    list: (cursor) =>
      cursor === undefined
        ? { resources: [{ uri: "file:///a.md", name: "a", mimeType: "text/markdown", size: 7 }], nextCursor: "two" }
        : { resources: [{ uri: "file:///b.png", name: "b", _meta: { secret: 1 } }] },
    read: (uri) =>
      uri.endsWith(".md")
        ? { contents: [{ uri, mimeType: "text/markdown", text: "# Title" }] }
        : { contents: [{ uri, mimeType: "image/png", blob: PIXEL }] },
  });
  const dispatcher = await dispatcherOf(client);
  expect(namesIn(dispatcher)).toEqual([LIST, READ]);
  expect((await call(dispatcher, LIST, {}))?.output).toEqual({
    resources: [{ uri: "file:///a.md", name: "a", mimeType: "text/markdown", size: 7 }],
    nextCursor: "two",
  });
  expect((await call(dispatcher, LIST, { cursor: "two" }))?.output).toEqual({
    resources: [{ uri: "file:///b.png", name: "b" }],
  });
  expect((await call(dispatcher, READ, { uri: "file:///a.md" }))?.content).toEqual([{ type: "text", text: "# Title" }]);
  expect((await call(dispatcher, READ, { uri: "file:///b.png" }))?.content).toEqual([
    { type: "image", data: PIXEL, mimeType: "image/png" },
  ]);
  expect((await call(dispatcher, READ, { url: "file:///a.md" }))?.error?.code).toBe("invalid-input");
});

test("a server made with the packages' own helper offers what its templates list", async () => {
  const server = new McpServer(info);
  const template = new ResourceTemplate("note://{id}", {
    list: () => ({ resources: [{ uri: "note://1", name: "one" }] }),
  });
  server.registerResource("notes", template, {}, ({ href }) => ({
    contents: [{ uri: href, text: `text of ${href}` }],
  }));
  const client = new Client(info);
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  onTestFinished(() => client.close());
  const dispatcher = await dispatcherOf(methodsOf(client));
  expect((await call(dispatcher, LIST, {}))?.output).toEqual({ resources: [{ uri: "note://1", name: "one" }] });
  expect(textOf(await call(dispatcher, READ, { uri: "note://7" }))).toContain("text of note://7");
  const missing = await call(dispatcher, READ, { uri: "file:///etc/passwd" });
  expect(missing?.error).toMatchObject({ code: "threw", effect: "none" });
  expect(textOf(missing)).toContain("not found");
});

/** The methods of a client that lists no tools. */
function methodsOf(client: Client): McpClient {
  return {
    listTools: async () => ({ tools: [] }),
    callTool: async () => ({ content: [] }),
    getServerCapabilities: () => client.getServerCapabilities(),
    listResources: (params, options) => client.listResources(params, options),
    readResource: (params, options) => client.readResource(params, options),
  };
}

test("version 2 of the official packages works as well", async () => {
  const server = new NewestServer(info, { capabilities: { tools: {}, resources: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [] }));
  server.setRequestHandler("resources/list", () => ({ resources: [{ uri: "a:1", name: "one" }] }));
  server.setRequestHandler("resources/read", ({ params }) => ({ contents: [{ uri: params.uri, text: "read" }] }));
  const client = new NewestClient(info);
  const [one, other] = NewestTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  onTestFinished(() => client.close());
  const dispatcher = await dispatcherOf(client);
  expect((await call(dispatcher, LIST, {}))?.output).toMatchObject({ resources: [{ uri: "a:1" }] });
  expect((await call(dispatcher, READ, { uri: "a:1" }))?.content).toEqual([{ type: "text", text: "read" }]);
});

test("both tools only read, run side by side, and need permission all the same", async () => {
  let running = 0;
  let most = 0;
  const { client } = await clientOf({
    read: async (uri) => {
      most = Math.max(most, (running += 1));
      await new Promise((wake) => setTimeout(wake, 20));
      running -= 1;
      return { contents: [{ uri, text: uri }] };
    },
  });
  const mcp = [await mcpTools(client, { server: "s" })];
  const live = createPermissions({ mode: "plan", ask: () => "allow" });
  const dispatcher = createDispatcher({ tools: [], extensions: [informationFlow, liveTools(mcp)], permissions: live });
  const calls = ["a:1", "a:2", "a:3"].map((uri) => ({ id: uri, name: READ, input: { uri } }));
  expect((await dispatcher.dispatch(calls)).map(({ isError }) => isError)).toEqual([false, false, false]);
  expect(most).toBeGreaterThan(1);
  const nobody = createDispatcher({ tools: [], extensions: [informationFlow, liveTools(mcp)] });
  expect((await call(nobody, READ, { uri: "a:1" }))?.error?.code).toBe("no-one-to-ask");
});

test("an abort cancels the request", async () => {
  const controller = new AbortController();
  const { client } = await clientOf({
    read: () => {
      controller.abort();
      return new Promise(() => undefined);
    },
  });
  const dispatcher = await dispatcherOf(client);
  const [result] = await dispatcher.dispatch([{ id: "1", name: READ, input: { uri: "a:1" } }], {
    signal: controller.signal,
  });
  expect(result?.error?.code).toBe("aborted");
});

describe("which tools are offered", () => {
  const own = (name: string): Tool => ({ name, description: "Its own.", inputSchema: { type: "object" } });

  test("a server without resources offers none, and a host gets those that it asks for", async () => {
    const { client } = await clientOf({});
    const without: McpClient = { ...methodsOf(client), getServerCapabilities: () => ({}) };
    expect(namesIn(await dispatcherOf(without))).toEqual([]);
    const odd = { ...methodsOf(client), getServerCapabilities: () => ({ resources: "yes" }) as never };
    expect(namesIn(await dispatcherOf(odd))).toEqual([]);
    expect(namesIn(await dispatcherOf(client, { resources: false }))).toEqual([]);
    expect(namesIn(await dispatcherOf(client, { only: ["other"] }))).toEqual([]);
    const some = await dispatcherOf(client, { only: ["read_resource"] });
    expect(namesIn(some)).toEqual([READ]);
    expect(some.excluded).toEqual([]);
    expect(namesIn(await dispatcherOf(client, { pins: {} }))).toEqual([LIST, READ]);
  });

  test("a tool of the server's own keeps its name", async () => {
    const { client } = await clientOf({ tools: [own("read.resource")] });
    const dispatcher = await dispatcherOf(client);
    expect(namesIn(dispatcher)).toEqual([LIST, READ]);
    expect(JSON.stringify(dispatcher.definitions("anthropic")[1])).toContain("Its own.");
    expect(dispatcher.excluded).toMatchObject([{ toolName: READ, code: "name-collision" }]);
    expect((await dispatcherOf(client, { resources: false })).excluded).toEqual([]);
  });

  test("one that the server adds later does not take the place of what was reviewed", async () => {
    const answers: Answers = { tools: [], read: (uri) => ({ contents: [{ uri, text: "resource" }] }) };
    const { client, server } = await clientOf(answers);
    const connection = await mcpTools(client, { server: "s" });
    const refresh = refreshMcpTools([connection]);
    const dispatcher = createDispatcher({
      tools: [],
      extensions: [informationFlow, liveTools([connection], { refresh })],
      permissions,
    });
    answers.tools = [own("read_resource")];
    await server.sendToolListChanged();
    await dispatcher.refresh();
    expect(namesIn(dispatcher)).toEqual([LIST, READ]);
    expect(connection.excluded).toMatchObject([{ toolName: READ, code: "name-collision" }]);
    expect(textOf(await call(dispatcher, READ, { uri: "a:1" }))).toContain("resource");
  });

  test("in strict lists too", async () => {
    const { client } = await clientOf({ list: () => ({ resources: [{ uri: "a:1", name: "one" }] }) });
    const dialect = "openai-responses-strict";
    const dispatcher = await dispatcherOf(client, { dialects: [dialect] });
    expect(dispatcher.definitions(dialect).map(({ strict }) => strict)).toEqual([true, true]);
    const [result] = await dispatcher.dispatch([{ id: "1", name: LIST, input: { cursor: null }, dialect }]);
    expect(result?.output).toMatchObject({ resources: [{ uri: "a:1" }] });
  });
});

describe("servers that mean no good", () => {
  /** A client that checks nothing and returns what a test says. */
  const unchecked = (answer: unknown): McpClient => ({
    listTools: async () => ({ tools: [] }),
    callTool: async () => ({ content: [] }),
    getServerCapabilities: () => ({ resources: {} }),
    listResources: async () => answer,
    readResource: async () => answer,
  });

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["no list", { resources: {}, contents: "all" }],
    ["a list of anything", { resources: [null], contents: [null] }],
    ["no URIs", { resources: [{ uri: 7 }], contents: [{ text: "x" }] }],
  ])("an answer with %s is an error", async (_what, answer) => {
    const dispatcher = await dispatcherOf(unchecked(answer));
    for (const result of [await call(dispatcher, LIST, {}), await call(dispatcher, READ, { uri: "a:1" })]) {
      expect(result?.error).toMatchObject({ code: "threw", effect: "none" });
      expect(textOf(result)).toMatch(/The MCP server \\"s\\" did not (list its|read the) resource/u);
    }
  });

  test("a list of 100 000 resources is cut and stored, like any result", async () => {
    const resources = Array.from({ length: 100_000 }, (_, index) => ({ uri: `a:${index}`, name: "x".repeat(20) }));
    const dispatcher = await dispatcherOf(unchecked({ resources }));
    const result = await call(dispatcher, LIST, {});
    expect(result?.offloaded?.sizeChars).toBeGreaterThan(5_000_000);
    expect(textOf(result).length).toBeLessThan(200_000);
    expect(result?.output).toBeUndefined();
  });

  test("a text of 5 MB is cut and stored, and names that long are cut", async () => {
    const uri = `a:${"x".repeat(1_000_000)}`;
    const text = "y".repeat(2_500_000);
    const part = { uri, mimeType: uri, text };
    const result = await call(await dispatcherOf(unchecked({ contents: [part, part] })), READ, { uri: "a:1" });
    expect(result?.offloaded?.sizeChars).toBe(5_000_000);
    expect(textOf(result).length).toBeLessThan(200_000);
  });

  test("more parts than a result may have are refused", async () => {
    const contents = Array.from({ length: 1001 }, () => ({ uri: "a:1", text: "" }));
    const result = await call(await dispatcherOf(unchecked({ contents })), READ, { uri: "a:1" });
    expect(textOf(result)).toContain("more than 1000 parts");
  });

  test("only images that a provider takes are shown; of other data, the size", async () => {
    const uri = "a:1";
    const big = "A".repeat(4_000_000);
    const contents = [
      { uri, mimeType: "image/png", blob: big },
      { uri, mimeType: "image/png", blob: big },
      { uri, mimeType: "image/png", blob: "no base64" },
      { uri, mimeType: "image/svg+xml", blob: PIXEL },
      { uri, blob: PIXEL },
      { uri, blob: 7 },
    ];
    const result = await call(await dispatcherOf(unchecked({ contents })), READ, { uri });
    expect(result?.content.map((block) => ("text" in block ? block.text : block.type))).toEqual([
      "image",
      "[3000000 bytes of data, which cannot be shown here]",
      "[6 bytes of data, which cannot be shown here]",
      "[30 bytes of data, which cannot be shown here]",
      "[30 bytes of data, which cannot be shown here]",
      "[This part has neither text nor data.]",
    ]);
  });

  test("a resource without parts is said to be empty", async () => {
    const result = await call(await dispatcherOf(unchecked({ contents: [] })), READ, { uri: "a:1" });
    expect(result).toMatchObject({ isError: false, content: [{ text: "The resource is empty." }] });
  });
});
