import { buildTool, createDispatcher } from "@hasp/runtime";
import { toAiSdkTools } from "@hasp/adapters/ai-sdk";
import { registerMcpTools } from "@hasp/mcp";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as sdk6 from "ai";
import { MockLanguageModelV3 } from "ai/test";
import * as sdk7 from "ai-newest";
import { MockLanguageModelV4 } from "ai-newest/test";
import { Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { importInner } from "../../packages/hasp/scripts/gen/workspace.js";
import { measureUserTime, printTable } from "./measure.js";

const { withReadyText } = await importInner("serve", "serving/stdio-messages.ts");

/** The same input twice: as a JSON Schema, and in Zod. */
const schema = {
  type: "object",
  required: ["id", "name", "kind", "limit"],
  properties: {
    id: { type: "string", pattern: "^[a-z0-9-]+$", description: "Which one." },
    name: { type: "string", minLength: 1, maxLength: 80, description: "What it is called." },
    kind: { enum: ["user", "group", "robot"], description: "What it is." },
    limit: { type: "integer", minimum: 1, maximum: 1000, description: "How many." },
    ratio: { type: "number", minimum: 0, maximum: 1 },
    active: { type: "boolean" },
  },
};
const shape = () => ({
  id: z
    .string()
    .regex(/^[a-z0-9-]+$/u)
    .describe("Which one."),
  name: z.string().min(1).max(80).describe("What it is called."),
  kind: z.enum(["user", "group", "robot"]).describe("What it is."),
  limit: z.int().min(1).max(1000).describe("How many."),
  ratio: z.number().min(0).max(1).optional(),
  active: z.boolean().optional(),
});
const nameOf = (index) => `tool_${index}`;
const description = "Does nothing. Use it to measure. Do not use it for anything else.";

function dispatcherOf(count) {
  const tools = Array.from({ length: count }, (_tool, index) =>
    buildTool({
      name: nameOf(index),
      description,
      input: schema,
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isOpenWorld: false },
      execute: () => "done",
    }),
  );
  return createDispatcher({ tools });
}

/** Compares adapters with the frameworks' own ways, in the same run. */
export default async function run() {
  await listOverMcp(200);
  for (const [version, sdk, Model] of [
    ["6.0.322", sdk6, MockLanguageModelV3],
    ["7.0.173", sdk7, MockLanguageModelV4],
  ]) {
    await stepOfAiSdk(100, version, sdk, Model);
  }
}

/** A request to a server, answered over a transport that costs nothing. */
async function lister(server) {
  const [own, other] = InMemoryTransport.createLinkedPair();
  let answered;
  Object.assign(other, { onmessage: (message) => answered(message) });
  await server.connect(own);
  await other.start();
  let id = 0;
  return () =>
    new Promise((resolve) => {
      answered = resolve;
      id += 1;
      void other.send({ jsonrpc: "2.0", id, method: "tools/list" });
    });
}

async function listOverMcp(count) {
  const theirs = new McpServer({ name: "bench", version: "1" });
  for (let index = 0; index < count; index += 1) {
    theirs.registerTool(nameOf(index), { description, inputSchema: shape() }, () => ({ content: [] }));
  }
  const ours = new Server({ name: "bench", version: "1" }, { capabilities: {} });
  registerMcpTools(ours, dispatcherOf(count));
  const listTheirs = await lister(theirs.server);
  const listOurs = await lister(ours);
  const [one, other] = await Promise.all([listTheirs(), listOurs()]);
  if (one.result.tools.length !== count || other.result.tools.length !== count) {
    throw new Error("the lists are not whole");
  }
  const peer = await measureUserTime(listTheirs, { inner: 5 });
  const own = await measureUserTime(listOurs, { inner: 2000 });
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const plain = new StdioServerTransport(process.stdin, output);
  const ready = withReadyText(new StdioServerTransport(process.stdin, output), output);
  const sent = await measureUserTime(() => plain.send(one), { inner: 50 });
  const sentReady = await measureUserTime(() => ready.send(other), { inner: 200 });
  printTable(
    `tools/list of ${count} tools, server side`,
    ["", "µs user", "times"],
    [
      ["official SDK, converts Zod at each request", peer.toFixed(0), ""],
      ["hasp", own.toFixed(1), (peer / own).toFixed(0)],
      ["official SDK, with the text for standard output", (peer + sent).toFixed(0), ""],
      ["hasp serve, the same", (own + sentReady).toFixed(1), ((peer + sent) / (own + sentReady)).toFixed(0)],
    ],
  );
}

async function stepOfAiSdk(count, version, { generateText, tool }, Model) {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const model = new Model({
    doGenerate: async () => ({
      content: [{ type: "text", text: "done" }],
      finishReason: { unified: "stop", raw: "stop" },
      usage,
      warnings: [],
    }),
  });
  const step = (tools) => () => generateText({ model, tools, prompt: "go" });
  const names = Array.from({ length: count }, (_name, index) => nameOf(index));
  const zodTools = Object.fromEntries(
    names.map((name) => [name, tool({ description, inputSchema: z.object(shape()), execute: () => "done" })]),
  );
  const dispatcher = dispatcherOf(count);
  const peer = await measureUserTime(step(zodTools), { inner: 10 });
  const own = await measureUserTime(step(toAiSdkTools(dispatcher)), { inner: 50 });
  const again = await measureUserTime(() => step(toAiSdkTools(dispatcher))(), { inner: 50 });
  const none = await measureUserTime(step(undefined), { inner: 50 });
  printTable(
    `one step of ai@${version} with ${count} tools`,
    ["", "µs user", "times"],
    [
      ["Zod tools", peer.toFixed(0), ""],
      ["hasp", own.toFixed(0), (peer / own).toFixed(1)],
      ["hasp, the set made again for the step", again.toFixed(0), (peer / again).toFixed(1)],
      ["no tools at all", none.toFixed(0), ""],
    ],
  );
}
