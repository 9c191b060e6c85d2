// Clients that say one thing and do another. No call of theirs runs without permission, and each request is answered.
import { buildTool, createDispatcher, type AnyTool } from "@hasp/runtime";
import { createMcpHandler, mcpQuestions, registerMcpTools } from "@hasp/mcp";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";

/** A tool that needs permission, and how often it ran. */
function guarded(): { readonly tools: readonly AnyTool[]; readonly runs: () => number } {
  let runs = 0;
  const pay = buildTool({
    name: "pay",
    description: "Pays.",
    input: { type: "object", properties: {} },
    concurrency: { class: "WRITE_EXCLUSIVE" },
    execute: () => {
      runs += 1;
      return "paid";
    },
  });
  return { tools: [pay] as readonly AnyTool[], runs: () => runs };
}

describe("on a connection, by elicitation", () => {
  async function call(capabilities: object, answer?: () => unknown): Promise<{ result: unknown; runs: number }> {
    const { tools, runs } = guarded();
    const questions = mcpQuestions();
    const dispatcher = createDispatcher({ tools: tools as never, permissions: { ask: questions.ask } });
    const server = new Server({ name: "test", version: "1" }, { capabilities: {} });
    registerMcpTools(server, dispatcher, { questions });
    const client = new Client({ name: "liar", version: "1" }, { capabilities });
    client.fallbackRequestHandler = (async () => answer?.()) as never;
    const [one, other] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(one as never), client.connect(other)]);
    onTestFinished(() => client.close());
    const signal = AbortSignal.timeout(500);
    const result = await client.callTool({ name: "pay", arguments: {} }, { signal }).catch((error: Error) => error);
    return { result, runs: runs() };
  }

  const elicitation = { elicitation: {} };
  test.each<[what: string, capabilities: object, answer?: () => unknown]>([
    ["declares no questions", {}],
    [
      "declares no questions, and answers one all the same",
      {},
      () => ({ action: "accept", content: { decision: "Allow once" } }),
    ],
    [
      "declares sampling only",
      { sampling: {} },
      () => ({ role: "assistant", content: { type: "text", text: "Allow once" } }),
    ],
    ["declares questions by address only", { elicitation: { url: {} } }, () => ({ action: "accept" })],
    [
      "answers with an error",
      elicitation,
      () => {
        throw new Error("no");
      },
    ],
    ["answers with nothing", elicitation, () => ({})],
    ["accepts without an answer", elicitation, () => ({ action: "accept" })],
    [
      "accepts with another answer",
      elicitation,
      () => ({ action: "accept", content: { decision: "allow everything" } }),
    ],
    [
      "accepts with an answer of another kind",
      elicitation,
      () => ({ action: "accept", content: { decision: ["Allow once"] } }),
    ],
    [
      "accepts with another input",
      elicitation,
      () => ({ action: "accept", content: { decision: "Allow once", input: { id: "b" } } }),
    ],
    ["does something unheard of", elicitation, () => ({ action: "allow", content: { decision: "Allow once" } })],
    ["refuses with a yes", elicitation, () => ({ action: "decline", content: { decision: "Allow once" } })],
  ])("who %s gets a refusal", async (_what, capabilities, answer) => {
    expect(await call(capabilities, answer)).toMatchObject({ result: { isError: true }, runs: 0 });
  });

  test("who declares questions and never answers waits for nothing but its own call", async () => {
    const { result, runs } = await call(elicitation, () => new Promise(() => undefined));
    expect([result instanceof Error, runs]).toEqual([true, 0]);
  });
});

describe("over HTTP", () => {
  const meta = (version: unknown, capabilities: unknown): object => ({
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "liar", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  });
  const NEW = "2026-07-28";
  const OLD = "2025-11-25";
  const yes = { permission: { action: "accept", content: { decision: "Allow once" } } };

  test.each<
    [what: string, header: string | undefined, said: unknown, capabilities: unknown, more: object, status: number]
  >([
    ["declares no questions", NEW, NEW, {}, {}, 200],
    ["declares sampling only", NEW, NEW, { sampling: {} }, {}, 200],
    ["answers before it is asked", NEW, NEW, { elicitation: {} }, { inputResponses: yes }, 200],
    [
      "answers with a state of its own",
      NEW,
      NEW,
      { elicitation: {} },
      { inputResponses: yes, requestState: "e30.e30" },
      200,
    ],
    ["declares capabilities that are none", NEW, NEW, "elicitation", {}, 400],
    ["names another version in the header", OLD, NEW, {}, {}, 400],
    ["names another version in the body", NEW, OLD, {}, {}, 400],
    ["names no version in the header", undefined, NEW, {}, {}, 400],
    ["names a version that there is not, twice", "2099-01-01", "2099-01-01", {}, {}, 400],
    ["names a version that is no text", NEW, 7, {}, {}, 400],
    ["names an old version and asks for permission", OLD, undefined, {}, {}, 200],
  ])("who %s calls nothing", async (_what, header, said, capabilities, more, status) => {
    const { tools, runs } = guarded();
    const handler = createMcpHandler(tools as readonly never[]);
    const params = {
      name: "pay",
      arguments: {},
      ...more,
      ...(said !== undefined && { _meta: meta(said, capabilities) }),
    };
    const response = await handler(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-method": "tools/call",
          "mcp-name": "pay",
          ...(header !== undefined && { "mcp-protocol-version": header }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      }),
    );
    const text = await response.text();
    expect([response.status, runs()], text).toEqual([status, 0]);
    expect(text).toMatch(status === 200 ? /"isError":true|"input_required"|"invalid_request_state"/u : /"error":/u);
    await handler.close();
  });
});
