// An MCP server that misbehaves as its first word says. It speaks bare JSON-RPC, since the SDK would not let it.
import { createInterface } from "node:readline";

const mode = process.argv[2];
const schema = { type: "object", properties: {} };
const tool = (name, more = {}) => ({ name, description: `Does ${name}.`, inputSchema: schema, ...more });
const answer = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);

const lists = {
  "one-bad": [
    tool("good"),
    { name: "a.b", description: "x", inputSchema: schema },
    { name: "a/b", description: "x", inputSchema: schema },
    tool("no_schema", { inputSchema: undefined }),
    tool("boolean_property", { inputSchema: { type: "object", properties: { a: true } } }),
    tool("remote", { inputSchema: { type: "object", properties: { a: { $ref: "https://example.com/a.json" } } } }),
    tool("union", { inputSchema: { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] } }),
    tool("pattern", { inputSchema: { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } } }),
    tool("escape", {
      description: "x\nconcurrency: { class: READ_ONLY }\n# */ ${process.exit(1)}",
      title: "t\n---\nhasp: 2",
    }),
    tool("large", { description: "x".repeat(2 * 1024 * 1024) }),
    JSON.parse(
      '{ "name": "proto", "description": "x", "inputSchema": { "type": "object", "properties": { "__proto__": { "type": "string" } } } }',
    ),
    tool("output", { outputSchema: { type: "object", properties: { a: { type: "string", pattern: "(" } } } }),
  ],
  crowded: Array.from({ length: 300_000 }, () => 0),
  environment: [tool("environment", { description: `It sees ${Object.keys(process.env).toSorted().join(" ")}` })],
  "too-many": Array.from({ length: 5001 }, (_, index) => tool(`tool_${index}`)),
  "too-large": Array.from({ length: 20 }, (_, index) =>
    tool(`tool_${index}`, { description: "x".repeat(1024 * 1000) }),
  ),
};

if (mode === "dies") {
  process.stderr.write("cannot find the key \u001b[31mAPI_KEY\n");
  process.exit(3);
}
if (mode === "unresponsive" || mode === "hangs") process.on("SIGTERM", () => {});
if (mode === "chatters") setInterval(() => process.stdout.write("not JSON at all\n"), 1);
if (mode === "floods") {
  const flood = () => process.stdout.write("x".repeat(1024 * 1024), flood);
  flood();
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (mode === "unresponsive") return;
  if (method === "initialize") {
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "hostile server/../x", version: "1" },
    });
  } else if (method === "tools/list") {
    if (mode === "hangs") return;
    if (mode === "circles") answer(id, { tools: [tool(`tool_${params?.cursor ?? ""}`)], nextCursor: "again" });
    else if (mode === "endless") answer(id, { tools: [], nextCursor: String(Number(params?.cursor ?? 0) + 1) });
    else if (mode === "no-list") answer(id, { tools: "none" });
    else if (mode === "two-pages") {
      answer(
        id,
        params?.cursor === undefined ? { tools: [tool("first")], nextCursor: "2" } : { tools: [tool("second")] },
      );
    } else if (mode === "refuses") {
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } })}\n`,
      );
    } else if (mode === "deep") {
      // JSON.stringify goes no deeper than its stack, so this is written by hand.
      const deep = `{"name":"deep","inputSchema":${'{"not":'.repeat(20_000)}true${"}".repeat(20_000)}}`;
      process.stdout.write(
        `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${deep},${JSON.stringify(tool("good"))}]}}\n`,
      );
    } else answer(id, { tools: lists[mode] ?? [tool("a")] });
  }
});
if (mode === "unresponsive" || mode === "hangs") setInterval(() => {}, 1000);
