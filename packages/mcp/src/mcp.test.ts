import { defineExtension } from "@hasp/runtime/extension";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { buildTool, createDispatcher, type McpServer, type ToolCall } from "@hasp/runtime";
import {
  askThroughElicitation,
  createMcpHandler,
  mcpTools,
  lowerMcpServer,
  refreshMcpTools,
  toCallToolResult,
  type ElicitingServer,
  type McpClient,
} from "./index.js";
import type { ListedTool } from "./mcp-client.js";
import { liveTools } from "@hasp/mcp/live";
import { informationFlow } from "@hasp/runtime/flow";

const tool = {
  name: "find",
  description: "Finds.",
  inputSchema: {
    type: "object",
    required: ["q"],
    properties: { q: { type: "string", maxLength: 5 }, limit: { type: "integer" } },
    additionalProperties: false,
    "x-odd": true,
  },
  annotations: { readOnlyHint: true },
};

/** Creates calls of a tool with the ids `1`, `2`, … from inputs. */
function callsOf(name: string, ...inputs: unknown[]): ToolCall[] {
  return inputs.map((input, index) => ({ id: String(index + 1), name, input }));
}

/** A client that lists its tools in two pages and records its calls. */
function clientOf(called: unknown[]): McpClient {
  return {
    listTools: async (params) =>
      params?.cursor === undefined
        ? { tools: [tool], nextCursor: "2" }
        : { tools: [{ name: "other", inputSchema: { type: "object" } }] },
    async callTool(params, _schema, options) {
      called.push(params, options?.signal instanceof AbortSignal);
      options?.onprogress?.({ progress: 1 });
      return { content: [{ type: "text", text: "found" }], isError: params.arguments["q"] === "none" };
    },
  };
}

const permissions = { rules: [{ server: "s", tool: "*", decision: "ask" as const }], ask: () => "allow" as const };

test("lists all pages of a client's tools and calls them", async () => {
  const called: unknown[] = [];
  const updates: unknown[] = [];
  const server = await mcpTools(clientOf(called), { server: "s", trusted: true });
  const dispatcher = createDispatcher({
    tools: [],
    extensions: [informationFlow, liveTools([server])],
    permissions,
    onProgress: ({ update }) => updates.push(update),
  });
  expect(dispatcher.definitions("anthropic").map((entry) => entry["name"])).toEqual(["mcp__s__find", "mcp__s__other"]);
  const results = await dispatcher.dispatch(callsOf("mcp__s__find", { q: "a" }, { q: "none" }, { q: "too long" }));
  expect(results.map((result) => result.error?.code)).toEqual([undefined, "tool-error", "invalid-input"]);
  expect(called).toEqual([
    { name: "find", arguments: { q: "a" } },
    true,
    { name: "find", arguments: { q: "none" } },
    true,
  ]);
  expect(updates).toEqual([{ progress: 1 }, { progress: 1 }]);
  expect(results[0] === undefined ? undefined : toCallToolResult(results[0])).toEqual({
    content: [{ type: "text", text: "found" }],
    isError: false,
  });
});

test("lowers a live server to a strict dialect and decodes its inputs", async () => {
  const called: unknown[] = [];
  const live = await mcpTools(clientOf(called), { server: "s" });
  const server = lowerMcpServer(live, ["openai-responses-strict"]);
  const dispatcher = createDispatcher({
    tools: [],
    extensions: [informationFlow, liveTools([server])],
    permissions,
    dialect: "openai-responses-strict",
  });
  const entry = dispatcher
    .definitions("openai-responses-strict")
    .find((candidate) => candidate["name"] === "mcp__s__find");
  expect(entry).toMatchObject({
    type: "function",
    strict: true,
    parameters: { required: ["q", "limit"], additionalProperties: false },
  });
  expect(JSON.stringify(entry)).not.toContain("x-odd");
  const [result] = await dispatcher.dispatch(callsOf("mcp__s__find", '{"q":"a","limit":null}'));
  expect(result?.isError).toBe(false);
  expect(called[0]).toEqual({ name: "find", arguments: { q: "a" } });
});

test("reports a tool that a dialect cannot express and leaves it out", () => {
  const server: McpServer = {
    server: "s",
    tools: [{ name: "open", inputSchema: { type: "object", additionalProperties: true }, execute: () => "ok" }],
  };
  const reported: string[] = [];
  const lowered = lowerMcpServer(server, ["openai-responses-strict", "anthropic"], ({ tool: name, dialect }) =>
    reported.push(`${name} ${dialect}`),
  );
  expect(reported).toEqual(["mcp__s__open openai-responses-strict"]);
  expect(lowered.tools[0]?.dialects).toMatchObject({
    "openai-responses-strict": { isExcluded: true },
    anthropic: { definition: {} },
  });
  expect(
    createDispatcher({ tools: [], extensions: [informationFlow, liveTools([lowered])] }).definitions(
      "openai-responses-strict",
    ),
  ).toEqual([]);
});

const named = (name: string, description = "Does something."): ListedTool => ({
  name,
  description,
  inputSchema: { type: "object" },
});

function unchecked(...answers: readonly unknown[]): McpClient {
  let asked = 0;
  return {
    listTools: async () => (await answers[Math.min(asked++, answers.length - 1)]) as never,
    callTool: async () => ({ content: [] }),
  };
}

test("excludes two tools of one name, even if one of them is pinned", async () => {
  const { fingerprints: pins } = await mcpTools(unchecked({ tools: [named("pay"), named("look")] }), { server: "s" });
  const twice = { tools: [named("pay"), named("pay", "Pays somebody else."), named("look")] };
  for (const options of [{ server: "s" }, { server: "s", pins }]) {
    const connection = await mcpTools(unchecked(twice), options);
    expect(connection.tools.map(({ name }) => name)).toEqual(["look"]);
    expect(connection.excluded).toContainEqual(
      expect.objectContaining({ toolName: "mcp__s__pay", code: "name-collision" }),
    );
    expect(Object.keys(connection.fingerprints)).toEqual(["look"]);
  }
});

test("a connection counts as pinned only if the host gave pins, which somebody has reviewed", async () => {
  const { fingerprints: pins, isPinned } = await mcpTools(unchecked({ tools: [named("pay")] }), { server: "s" });
  expect(isPinned).toBe(false);
  expect((await mcpTools(unchecked({ tools: [named("pay")] }), { server: "s", pins })).isPinned).toBe(true);
});

test("a late answer does not replace a newer list", async () => {
  let answer: (list: { tools: ListedTool[] }) => void = () => undefined;
  const late = new Promise<{ tools: ListedTool[] }>((resolve) => (answer = resolve));
  const connection = await mcpTools(unchecked({ tools: [named("a")] }, late, { tools: [named("new")] }), {
    server: "s",
  });
  connection.changed();
  const first = connection.refresh();
  await sleep(1);
  connection.changed();
  const second = connection.refresh();
  await sleep(1);
  answer({ tools: [named("old")] });
  await Promise.all([first, second]);
  expect(connection.tools.map(({ name }) => name)).toEqual(["new"]);
});

test.each([
  ["no answer", null, /not a list of named tools/u],
  ["no list", { tools: "none" }, /not a list of named tools/u],
  ["a tool that is none", { tools: [named("a"), null] }, /not a list of named tools/u],
  ["a tool without a name", { tools: [{ inputSchema: {} }] }, /not a list of named tools/u],
  [
    "more tools than fit on a stack",
    { tools: Array.from({ length: 300_000 }, () => named("a")) },
    /more than 1000 tools/u,
  ],
])("refuses a server that lists %s, with its name", async (_what, answer, words) => {
  const refused = mcpTools(unchecked(answer), { server: "odd" });
  await expect(refused).rejects.toThrow(/The MCP server "odd"/u);
  await expect(refused).rejects.toThrow(words);
});

test("withdraws a question to the person at the client once nobody waits for its answer", async () => {
  let question: AbortSignal | undefined;
  const server: ElicitingServer = {
    getClientCapabilities: () => ({ elicitation: {} }),
    elicitInput: (_params, options?: object) => {
      ({ signal: question } = options as { readonly signal: AbortSignal });
      return new Promise(() => undefined);
    },
  };
  const write = buildTool<Record<string, unknown>>({
    name: "write",
    description: "Writes.",
    input: { type: "object", additionalProperties: true },
    behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
    execute: () => "ok",
  });
  const dispatcher = createDispatcher({
    tools: [write],
    permissions: { rules: [{ tool: "write", decision: "ask" }], ask: askThroughElicitation(server) },
  });
  const controller = new AbortController();
  const results = dispatcher.dispatch(callsOf("write", {}), { signal: controller.signal });
  await sleep(1);
  expect(question?.aborted).toBe(false);
  controller.abort();
  expect((await results)[0]?.error?.code).toBe("aborted");
  expect(question?.aborted).toBe(true);
});

test("any isError of a server but an absent or false one is an error", async () => {
  for (const [isError, expected] of [
    [undefined, false],
    [false, false],
    [true, true],
    ["yes", true],
    [1, true],
  ]) {
    const client: McpClient = {
      ...unchecked({ tools: [named("a")] }),
      callTool: async () => ({ content: [], isError }),
    };
    const dispatcher = createDispatcher({
      tools: [],
      extensions: [informationFlow, liveTools([await mcpTools(client, { server: "s" })])],
      permissions,
    });
    expect((await dispatcher.dispatch(callsOf("mcp__s__a", {})))[0]?.isError).toBe(expected);
  }
});

describe("a server that renames its tools before each turn", () => {
  const renaming = (perList: number): { client: McpClient; rename(): void } => {
    let edition = 0;
    const client: McpClient = {
      listTools: async () => ({
        tools: Array.from({ length: perList }, (_tool, index) => ({
          name: `tool_${edition}_${index}`,
          description: "word ".repeat(8000),
          inputSchema: { type: "object", properties: { q: { type: "string", description: `of ${edition}` } } },
        })),
      }),
      callTool: async () => ({ content: [] }),
    };
    return { client, rename: () => void (edition += 1) };
  };

  test("a server that renames its tools fills no memory: unlisted names are forgotten", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { client, rename } = renaming(5);
    const connection = await mcpTools(client, {
      server: "s",
      dialects: ["openai-responses-strict"],
      allowNarrowing: true,
    });
    const dispatcher = createDispatcher({
      tools: [],
      extensions: [informationFlow, liveTools([connection], { refresh: refreshMcpTools([connection]) })],
    });
    const turns = async (count: number): Promise<number> => {
      for (let turn = 0; turn < count; turn++) {
        rename();
        connection.changed();
        await dispatcher.refresh();
        dispatcher.definitions("openai-responses-strict");
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await turns(5);
    const after = await turns(30);
    // Each list has 200 kB of descriptions; kept, thirty would take 6 MB.
    expect(after - before).toBeLessThan(2_000_000);
  });

  test("a server that renames its tools runs out of automatic pins, and further tools are excluded", async () => {
    const { client, rename } = renaming(2);
    const connection = await mcpTools(client, { server: "s", maxTools: 2 });
    const offered: number[] = [];
    for (let turn = 0; turn < 12; turn++) {
      rename();
      connection.changed();
      await connection.refresh();
      offered.push(connection.tools.length);
    }
    expect(offered).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0]);
    expect(connection.excluded.map(({ code }) => code)).toEqual(["too-many-names", "too-many-names"]);
  });
});

test("an HTTP handler attaches the extensions of a registry beside its own", () => {
  const attach = vi.fn(() => ({ api: undefined }));
  const ofRegistry = (name: string) => defineExtension({ name, attach });
  createMcpHandler({ tools: [], extensions: [ofRegistry("audit")] });
  expect(attach).toHaveBeenCalledTimes(1);
  // Its own store of results hands out references that no other caller can guess.
  createMcpHandler({ tools: [], extensions: [ofRegistry("results")] });
  expect(attach).toHaveBeenCalledTimes(1);
});
