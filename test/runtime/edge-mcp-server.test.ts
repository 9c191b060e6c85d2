import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

const program = `
  import { buildTool } from "@hasp/runtime";
  import { createMcpHandler } from "@hasp/mcp";
  const look = buildTool({
    name: "look",
    description: "Looks.",
    input: { type: "object", properties: { id: { type: "string" } } },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute: ({ id }) => "saw " + id,
  });
  const handler = createMcpHandler([look]);
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const send = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return (await handler(new Request("http://localhost/mcp", { method: "POST", headers, body }))).text();
  };
  export const answer = (async () => [
    await send("tools/list", {}),
    await send("tools/call", { name: "look", arguments: { id: "it" } }),
  ])();`;

test("the MCP endpoint runs where there are web standards only, and makes no code from text", async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "program",
    platform: "neutral",
    conditions: ["workerd"],
    mainFields: ["module", "main"],
    // What connects to servers of others, which this program does not.
    external: ["@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio"],
  });
  const platform = { AbortController, AbortSignal, TextEncoder, TextDecoder, Request, Response, Headers, URL, crypto };
  const streams = { ReadableStream, TransformStream, EventTarget, Event };
  const timers = { performance, setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask };
  const bytes = { Uint8Array, btoa, atob };
  const context = createContext(
    { ...platform, ...streams, ...timers, ...bytes },
    { codeGeneration: { strings: false, wasm: false } },
  );
  const answer = (await runInContext(`${outputFiles[0]?.text ?? ""}; program.answer`, context)) as readonly string[];
  expect(answer).toEqual([expect.stringContaining('"name":"look"'), expect.stringContaining("saw it")]);
});
