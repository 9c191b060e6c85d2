import { expect, test } from "vitest";
import type { McpServer } from "../contract/dispatcher.js";
import { createDispatcher } from "../dispatch/dispatcher.js";
import { callsOf } from "../dispatch/tools.testing.js";
import { mcpTools, lowerMcpServer, toCallToolResult, type McpClient } from "./index.js";

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

/** A client that lists its tools in two pages and answers with what it was called with. */
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

test("the tools of a client, all pages of them, are listed and called", async () => {
  const called: unknown[] = [];
  const updates: unknown[] = [];
  const server = await mcpTools(clientOf(called), { server: "s", trusted: true });
  const dispatcher = createDispatcher({
    tools: [],
    mcp: [server],
    permissions,
    interactive: true,
    onProgress: ({ update }) => updates.push(update),
  });
  expect(dispatcher.definitions("anthropic").map((entry) => entry["name"])).toEqual(["mcp__s__find", "mcp__s__other"]);
  const results = await dispatcher.dispatch(
    callsOf(["mcp__s__find", { q: "a" }], ["mcp__s__find", { q: "none" }], ["mcp__s__find", { q: "too long" }]),
  );
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

test("a live server can be lowered to a strict dialect; what comes back is decoded", async () => {
  const called: unknown[] = [];
  const live = await mcpTools(clientOf(called), { server: "s" });
  const server = lowerMcpServer(live, ["openai-responses-strict"]);
  const dispatcher = createDispatcher({
    tools: [],
    mcp: [server],
    permissions,
    interactive: true,
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
  const [result] = await dispatcher.dispatch(callsOf(["mcp__s__find", '{"q":"a","limit":null}']));
  expect(result?.isError).toBe(false);
  expect(called[0]).toEqual({ name: "find", arguments: { q: "a" } });
});

test("a tool that a dialect cannot carry is reported and stays out of its list", () => {
  const server: McpServer = {
    server: "s",
    tools: [{ name: "open", inputSchema: { type: "object", additionalProperties: true }, execute: () => "ok" }],
  };
  const reported: string[] = [];
  const lowered = lowerMcpServer(server, ["openai-responses-strict", "anthropic"], ({ tool: name, dialect }) =>
    reported.push(`${name} ${dialect}`),
  );
  expect(reported).toEqual(["mcp__s__open openai-responses-strict"]);
  expect(lowered.tools[0]?.dialects).toMatchObject({ "openai-responses-strict": { isExcluded: true }, anthropic: { definition: {} } });
  expect(createDispatcher({ tools: [], mcp: [lowered] }).definitions("openai-responses-strict")).toEqual([]);
});
