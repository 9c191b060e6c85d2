import { buildTool } from "@hasp/runtime";
import { createMcpHandler } from "@hasp/mcp";
import { createMcpHandler as createSdkHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { measureUserTime, printTable } from "./measure.js";

const TOOLS = 200;
const description = "Does nothing. Use it to measure. Do not use it for anything else.";
const nameOf = (index) => `tool_${index}`;
const schema = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string", minLength: 1, description: "Which one." },
    limit: { type: "integer", minimum: 1, maximum: 1000, default: 10, description: "How many." },
  },
};
const shape = z.object({
  id: z.string().min(1).describe("Which one."),
  limit: z.int().min(1).max(1000).default(10).describe("How many."),
});

/** The SDK's own endpoint: it makes a server for each request. */
function theirs(count) {
  return createSdkHandler(() => {
    const server = new McpServer({ name: "bench", version: "1" });
    for (let index = 0; index < count; index += 1) {
      server.registerTool(nameOf(index), { description, inputSchema: shape }, async () => ({
        content: [{ type: "text", text: "done" }],
      }));
    }
    return server;
  }).fetch;
}

function ours() {
  const tools = Array.from({ length: TOOLS }, (_tool, index) =>
    buildTool({
      name: nameOf(index),
      description,
      input: schema,
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isOpenWorld: false },
      execute: () => "done",
    }),
  );
  return createMcpHandler(tools);
}

const headers = {
  host: "localhost",
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const REVISIONS = {
  "2025-11-25": (_method, params) => ({ params, headers: { "mcp-protocol-version": "2025-11-25" } }),
  "2026-07-28": (method, params) => ({
    params: { ...params, _meta: envelope },
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(params.name !== undefined && { "mcp-name": params.name }),
    },
  }),
};

/** Sends a request to a handler, and reads the whole answer. */
function sender(handler, revision, method, params) {
  const request = REVISIONS[revision](method, params);
  return async (id) => {
    const response = await handler(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: { ...headers, ...request.headers },
        body: JSON.stringify({ jsonrpc: "2.0", id, method, params: request.params }),
      }),
    );
    const text = await response.text();
    if (response.status !== 200 || !text.includes('"result"')) throw new Error(text);
  };
}

/** Measures a request over HTTP beside the SDK's own endpoint, without the network. */
export default async function run() {
  const call = { name: nameOf(1), arguments: { id: "a" } };
  const own = ours();
  const rows = [];
  for (const revision of Object.keys(REVISIONS)) {
    for (const [method, params, peer, mark] of [
      ["tools/list", {}, theirs(TOOLS), "at least 20 times faster"],
      ["tools/call", call, theirs(2), "at most 1.3 times the cost"],
    ]) {
      const cost = await measureUserTime(sender(peer, revision, method, params), {
        runs: 9,
        inner: method === "tools/list" ? 5 : 200,
      });
      const ownCost = await measureUserTime(sender(own, revision, method, params), { runs: 9, inner: 200 });
      const ratio = method === "tools/list" ? cost / ownCost : ownCost / cost;
      rows.push([`${method}, ${revision}`, cost.toFixed(0), ownCost.toFixed(0), ratio.toFixed(2), mark]);
    }
  }
  printTable(
    `MCP over HTTP: ${TOOLS} tools (calls: the SDK has 2), µs user`,
    ["", "official SDK", "hasp", "ratio", "mark"],
    rows,
  );
}
