import { generateText, tool as aiTool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { openNotebook } from "./notebook.testing.js";

// A tool is a Standard Schema of its own input: frameworks that take those take it where they want a schema.
const find = openNotebook().tools.find(({ name }) => name === "find_notes");
if (find === undefined) throw new Error("the notebook has no such tool");

test("the AI SDK describes and validates with it, and may write into what it gets", async () => {
  const seen: unknown[] = [];
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const model = new MockLanguageModelV3({
    doGenerate: async ({ tools }) => {
      seen.push(tools);
      const content = [{ type: "tool-call", toolCallId: "1", toolName: "find", input: '{"q":"a","limit":"3"}' }];
      return { content, finishReason: { unified: "tool-calls", raw: "" }, usage, warnings: [] } as never;
    },
  });
  const inputs: unknown[] = [];
  const run = async (): Promise<unknown> =>
    await generateText({
      model,
      prompt: "go",
      tools: { find: aiTool({ inputSchema: find, execute: (input) => void inputs.push(input) }) },
    });
  await run();
  await run();
  expect(inputs).toEqual([
    { q: "a", limit: 3 },
    { q: "a", limit: 3 },
  ]);
  expect(seen[1]).toMatchObject([{ inputSchema: { type: "object", required: ["q"], additionalProperties: false } }]);
  expect(Object.isFrozen(find.input)).toBe(true);
});

test("version 2 of the MCP server package lists and validates with it", async () => {
  const server = new McpServer({ name: "test", version: "1" });
  server.registerTool("find", { description: "Finds.", inputSchema: find }, (input) => ({
    content: [{ type: "text", text: JSON.stringify(input) }],
  }));
  const client = new Client({ name: "test", version: "1" });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools[0]?.inputSchema).toMatchObject({
    type: "object",
    required: ["q"],
    additionalProperties: false,
  });
  expect(await client.callTool({ name: "find", arguments: { q: "a" } })).toMatchObject({
    content: [{ text: '{"q":"a","limit":10}' }],
  });
  expect(await client.callTool({ name: "find", arguments: { q: 1 } })).toMatchObject({ isError: true });
});
