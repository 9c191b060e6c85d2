import type { AnyTool, DispatcherOptions } from "@hasp/runtime";
import { askThroughElicitation, registerMcpTools, type ElicitingServer } from "@hasp/mcp";
import { Client as NewestClient, InMemoryTransport as NewestTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Server as NewestServer } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { dispatcherOf, openNotebook, type Notebook } from "./notebook.testing.js";

type Answer = { readonly action: "accept" | "decline" | "cancel"; readonly content?: Record<string, string> };
interface Options {
  readonly notebook: Notebook;
  readonly dispatcher?: Partial<DispatcherOptions>;
  /** The answer of the person at the client; without it the client cannot ask. */
  readonly answer?: (message: string) => Answer;
}

const info = { name: "test", version: "1" };

/** A client of version 1, connected to a server of version 1 that serves a notebook. */
async function connect({ notebook, dispatcher = {}, answer }: Options): Promise<Client> {
  const server = new Server(info, { capabilities: {} });
  const ask = askThroughElicitation(server as ElicitingServer);
  registerMcpTools(server, dispatcherOf(notebook, { permissions: { ask }, ...dispatcher }));
  const client = new Client(info, { capabilities: answer === undefined ? {} : { elicitation: {} } });
  if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  onTestFinished(() => client.close());
  return client;
}

describe("version 1 of the official packages", () => {
  test("the list has every hint, the schemas, and is the same constant each time", async () => {
    const client = await connect({ notebook: openNotebook() });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "draw_note",
      "fail_note",
      "find_notes",
      "hush_note",
      "save_note",
      "wipe_note",
    ]);
    expect(tools.find(({ name }) => name === "find_notes")).toMatchObject({
      title: "Find notes",
      inputSchema: { type: "object", required: ["q"], additionalProperties: false },
      outputSchema: { type: "object", required: ["hits"] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(tools.find(({ name }) => name === "wipe_note")?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    });
  });

  test("structured results, images, errors, aliases, and what is wrong with a call", async () => {
    const client = await connect({ notebook: openNotebook() });
    await client.listTools();
    expect(await client.callTool({ name: "find_notes", arguments: { q: "a", limit: "4" } })).toEqual({
      content: [{ type: "text", text: '{"hits":["a","4"]}' }],
      structuredContent: { hits: ["a", "4"] },
      isError: false,
    });
    expect(await client.callTool({ name: "search_notes", arguments: { q: "a" } })).toMatchObject({ isError: false });
    expect(await client.callTool({ name: "draw_note" })).toMatchObject({
      content: [{ text: "a dot" }, { type: "image", mimeType: "image/png" }],
    });
    for (const [name, input, words] of [
      ["find_notes", { q: 1 }, /nothing was run/u],
      ["fail_note", {}, /the pen is dry/u],
      ["nobody", {}, /There is no tool called "nobody"/u],
    ] as const) {
      const result = await client.callTool({ name, arguments: { ...input } });
      expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: expect.stringMatching(words) }] });
    }
  });

  test("progress reaches the client that asked for it", async () => {
    const client = await connect({ notebook: openNotebook() });
    const heard: unknown[] = [];
    await client.callTool({ name: "find_notes", arguments: { q: "a" } }, undefined, {
      onprogress: (progress) => heard.push(progress),
    });
    expect(heard).toEqual([{ progress: 1, total: 2, message: "half" }]);
  });

  test("a cancelled request aborts its handler", async () => {
    const notebook = openNotebook(10_000);
    const client = await connect({ notebook });
    const controller = new AbortController();
    const call = client.callTool({ name: "find_notes", arguments: { q: "a" } }, undefined, {
      signal: controller.signal,
      onprogress: () => controller.abort(),
    });
    await expect(call).rejects.toThrow();
    await expect.poll(() => notebook.log).toContain("find a is aborted");
  });

  test("calls that come at once are still scheduled", async () => {
    const notebook = openNotebook();
    const client = await connect({ notebook });
    const names = ["a", "b", "c"];
    await Promise.all([
      ...names.map((q) => client.callTool({ name: "find_notes", arguments: { q } })),
      ...names.map((name) => client.callTool({ name: "save_note", arguments: { name, text: "" } })),
    ]);
    expect(notebook.together).toEqual({ most: 3, writersBesideOthers: 0 });
  });

  test("requests that are no calls are refused with the numbers of JSON-RPC", async () => {
    const client = await connect({ notebook: openNotebook() });
    const { z } = await import("zod");
    const send = (method: string, params: object): Promise<unknown> =>
      client.request({ method, params } as never, z.any());
    await expect(send("tools/call", {})).rejects.toMatchObject({ code: -32602 });
    await expect(send("tools/call", { name: "find_notes", arguments: [1] })).rejects.toMatchObject({ code: -32602 });
    await expect(send("tools/list", { cursor: "2" })).rejects.toMatchObject({ code: -32602 });
    await expect(send("no/such", {})).rejects.toMatchObject({ code: -32601 });
  });

  test("a result whose structured output a hook took away is an error that says the call was done", async () => {
    const client = await connect({
      notebook: openNotebook(),
      dispatcher: { hooks: { post: () => ({ content: "withheld" }) } },
    });
    await client.listTools();
    const result = await client.callTool({ name: "find_notes", arguments: { q: "a" } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/must not be repeated/u) }, { text: "withheld" }],
    });
  });

  test("where tools are served already, or the list could not be announced, it says so at once", () => {
    const served = new McpServer(info);
    served.registerTool("x", { description: "x" }, () => ({ content: [] }));
    expect(() => registerMcpTools(served.server, dispatcherOf(openNotebook()))).toThrow(/tools\/list/u);
    const other = new McpServer(info);
    registerMcpTools(other.server, dispatcherOf(openNotebook()));
    expect(() => other.registerTool("x", { description: "x" }, () => ({ content: [] }))).toThrow(
      /hasp answers tools\/list/u,
    );
    expect(() => registerMcpTools(other.server, dispatcherOf(openNotebook()))).toThrow(/hasp answers/u);
  });
});

describe("permission through elicitation", () => {
  const wipe = { name: "wipe_note", arguments: { name: "a\u202eb" } };

  test("only an explicit yes allows", async () => {
    for (const [answer, isRun] of [
      [{ action: "accept", content: { decision: "Allow once" } }, true],
      [{ action: "accept", content: { decision: "Refuse" } }, false],
      [{ action: "decline" }, false],
      [{ action: "cancel" }, false],
    ] as const) {
      const notebook = openNotebook();
      const client = await connect({ notebook, answer: () => answer });
      expect(await client.callTool(wipe)).toMatchObject({ isError: !isRun });
      expect(notebook.log.length > 0).toBe(isRun);
    }
  });

  test("the person sees what is about to happen, with nothing hidden in it", async () => {
    const seen: string[] = [];
    const client = await connect({
      notebook: openNotebook(),
      answer: (message) => (seen.push(message), { action: "decline" }),
    });
    await client.callTool(wipe);
    expect(seen).toEqual(['Allow the tool wipe_note to run? It may destroy data. Its input:\n{"name":"a\\u{202e}b"}']);
  });

  test("a client that cannot ask gets a refusal that says why", async () => {
    const notebook = openNotebook();
    const client = await connect({ notebook });
    const result = await client.callTool(wipe);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/no elicitation/u) }] });
    expect(notebook.log).toEqual([]);
  });
});

test("clients hear of a list that changed, between calls only", async () => {
  const notebook = openNotebook();
  let tools = notebook.tools;
  const client = await connect({ notebook, dispatcher: { refreshTools: () => tools } });
  let changes = 0;
  client.fallbackNotificationHandler = async ({ method }) =>
    void (method === "notifications/tools/list_changed" && (changes += 1));
  await client.listTools();
  await client.callTool({ name: "find_notes", arguments: { q: "a" } });
  expect(changes).toBe(0);
  tools = tools.filter(({ name }) => name !== "wipe_note");
  await client.callTool({ name: "find_notes", arguments: { q: "a" } });
  await expect.poll(() => changes).toBe(1);
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("wipe_note");
});

test("a client's calls meet the tools that it has listed, until it lists them again", async () => {
  const notebook = openNotebook();
  const all = (...without: readonly string[]): readonly AnyTool[] =>
    notebook.tools.filter(({ name }) => !without.includes(name));
  let tools = all("save_note");
  const client = await connect({ notebook, dispatcher: { refreshTools: () => tools } });
  const call = async (name: string, input: object): Promise<unknown> => {
    const { isError, content } = await client.callTool({ name, arguments: { ...input } });
    return isError === true ? (content as { text: string }[])[0]?.text : "ok";
  };
  await client.listTools();
  tools = all("draw_note");
  // After this call, the client hears of the other tools.
  expect(await call("find_notes", { q: "a" })).toBe("ok");
  expect(await call("draw_note", {})).toContain("draw_note was removed after it was listed");
  expect(await call("save_note", { name: "a", text: "b" })).toContain('There is no tool called "save_note".');
  await client.listTools();
  expect(await call("save_note", { name: "a", text: "b" })).toBe("ok");
  expect(await call("draw_note", {})).toContain('There is no tool called "draw_note".');
});

test("version 2 of the official packages", async () => {
  const notebook = openNotebook();
  const server = new NewestServer(info, { capabilities: {} });
  registerMcpTools(server, dispatcherOf(notebook));
  const client = new NewestClient(info);
  const [one, other] = NewestTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools).toHaveLength(6);
  const heard: unknown[] = [];
  const result = await client.callTool(
    { name: "find_notes", arguments: { q: "a" } },
    { onprogress: (progress) => heard.push(progress) },
  );
  expect(result).toMatchObject({ structuredContent: { hits: ["a", "10"] } });
  expect(heard).toEqual([{ progress: 1, total: 2, message: "half" }]);
  expect(await client.callTool({ name: "wipe_note", arguments: { name: "a" } })).toMatchObject({ isError: true });
});
