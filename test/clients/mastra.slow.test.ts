import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Dispatcher } from "@hasp/runtime";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { mastraApprovals, toMastraTools, type CallQuestion, type ToMastraToolsOptions } from "@hasp/adapters/mastra";
import { describe, expect, test } from "vitest";
import { installMastra } from "./mastra-package.testing.js";
import { dispatcherOf, openNotebook } from "./notebook.testing.js";

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}
type Options = Omit<ToMastraToolsOptions<unknown, object>, "createTool">;
interface Request {
  readonly tools?: readonly { readonly name: string; readonly inputSchema: object }[];
  readonly prompt: readonly { readonly role: string; readonly content: readonly ToolPart[] }[];
}
interface ToolPart {
  readonly toolCallId: string;
  readonly output: { readonly type: string; readonly value: unknown };
}
interface Reply {
  readonly finishReason: string;
  readonly runId: string;
  readonly suspendPayload?: { readonly toolCallId: string; readonly suspendPayload: CallQuestion };
}
/** The parts of Mastra that are used here. It is not installed where these types are checked. */
interface Agent {
  generate(prompt: string, options?: object): Promise<Reply>;
  stream(prompt: string, options?: object): Promise<{ consumeStream(): Promise<void> }>;
  resumeGenerate(answer: unknown, options: object): Promise<Reply>;
}
interface Modules {
  readonly createTool: ToMastraToolsOptions<unknown, object>["createTool"];
  readonly Agent: new (options: object) => Agent;
  readonly Mastra: new (options: object) => { getAgent(name: string): Agent };
  readonly InMemoryStore: new () => object;
}

const folder = installMastra();

/** Imports what the package exports under a path. */
async function load(path: string): Promise<object> {
  const { exports } = (await import(pathToFileURL(join(folder ?? "", "node_modules/@mastra/core/package.json")).href, {
    with: { type: "json" },
  }).then(({ default: manifest }) => manifest)) as {
    exports: { [path: string]: { import: string | { default: string } } };
  };
  const entry = exports[path]?.import;
  const file = typeof entry === "string" ? entry : (entry?.default ?? "");
  return (await import(pathToFileURL(join(folder ?? "", "node_modules/@mastra/core", file)).href)) as object;
}

const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } };

describe.skipIf(folder === undefined)("Mastra, where it can be installed", async () => {
  const { createTool, Agent, Mastra, InMemoryStore } = (
    folder === undefined
      ? {}
      : Object.assign({}, ...(await Promise.all([".", "./agent", "./tools", "./storage"].map(load))))
  ) as Modules;

  /** An agent whose model makes these calls in its first reply, and ends with its next. */
  function agentOf(
    dispatcher: Dispatcher,
    calls: readonly Call[],
    options: Options = {},
    storage: object = new InMemoryStore(),
  ): { readonly agent: Agent; readonly requests: Request[] } {
    const requests: Request[] = [];
    const reply = (request: Request): { readonly content: readonly object[]; readonly finishReason: object } => {
      requests.push(request);
      const isFirst = !request.prompt.some(({ role }) => role === "tool") && calls.length > 0;
      return {
        content: isFirst
          ? calls.map(({ id, name, input }) => ({
              type: "tool-call",
              toolCallId: id,
              toolName: name,
              input: JSON.stringify(input),
            }))
          : [{ type: "text", text: "done" }],
        finishReason: { unified: isFirst ? "tool-calls" : "stop", raw: "" },
      };
    };
    const model = {
      specificationVersion: "v3",
      provider: "script",
      modelId: "script",
      supportedUrls: {},
      doGenerate: async (request: Request) => ({ ...reply(request), usage, warnings: [] }),
      doStream: async (request: Request) => {
        const { content, finishReason } = reply(request);
        const parts = content.flatMap((part) =>
          "text" in part
            ? [
                { type: "text-start", id: "t" },
                { type: "text-delta", id: "t", delta: part.text },
                { type: "text-end", id: "t" },
              ]
            : [part],
        );
        const chunks = [{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason, usage }];
        return { stream: ReadableStream.from(chunks) };
      },
    };
    const notes = new Agent({
      id: "notes",
      name: "notes",
      instructions: "Keep notes.",
      model,
      tools: toMastraTools(dispatcher, { createTool, ...options }),
    });
    return { agent: new Mastra({ agents: { notes }, storage, logger: false }).getAgent("notes"), requests };
  }

  const outputsIn = (requests: readonly Request[]): readonly unknown[] =>
    (requests.at(-1)?.prompt ?? [])
      .filter(({ role }) => role === "tool")
      .flatMap(({ content }) => content.map(({ toolCallId, output }) => [toolCallId, output.type, output.value]));

  const mixed = [
    { id: "1", name: "find_notes", input: { q: "a" } },
    { id: "2", name: "save_note", input: { name: "b", text: "" } },
    { id: "3", name: "find_notes", input: { q: "c", limit: "3" } },
  ];

  test("runs the calls of a response as the dispatcher says", async () => {
    const notebook = openNotebook();
    const { agent, requests } = agentOf(dispatcherOf(notebook), mixed);
    await agent.generate("go", { maxSteps: 3 });
    expect(outputsIn(requests)).toEqual([
      ["1", "text", '{"hits":["a","10"]}'],
      ["2", "text", "saved b"],
      ["3", "text", '{"hits":["c","3"]}'],
    ]);
    expect(notebook.together.writersBesideOthers).toBe(0);
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(
      dispatcherOf(openNotebook())
        .definitions("mcp", { isFixed: true })
        .map((entry) => entry["name"]),
    );
  });

  test("streams the same", async () => {
    const notebook = openNotebook();
    const { agent, requests } = agentOf(dispatcherOf(notebook), mixed);
    await (await agent.stream("go", { maxSteps: 3 })).consumeStream();
    expect(outputsIn(requests).map((output) => (output as string[])[0])).toEqual(["1", "2", "3"]);
    expect(notebook.together.writersBesideOthers).toBe(0);
  });

  test("reads what is wrong with a call in the dispatcher's words, and images as images", async () => {
    const { agent, requests } = agentOf(dispatcherOf(openNotebook()), [
      { id: "1", name: "find_notes", input: { q: 3, more: true } },
      { id: "2", name: "fail_note", input: {} },
      { id: "3", name: "wipe_note", input: { name: "a" } },
      { id: "4", name: "no_such_tool", input: {} },
      { id: "5", name: "draw_note", input: {} },
    ]);
    await agent.generate("go", { maxSteps: 3 });
    expect(outputsIn(requests)).toEqual([
      ["1", "error-text", expect.stringMatching(/nothing was run[\s\S]*q/u)],
      ["2", "error-text", expect.stringContaining("the pen is dry")],
      ["3", "error-text", expect.stringContaining("no one to ask")],
      ["4", expect.stringMatching(/error|text/u), expect.anything()],
      ["5", "content", [{ type: "text", text: "a dot" }, expect.objectContaining({ mediaType: "image/png" })]],
    ]);
  });

  test("an abort reaches the handler", async () => {
    const notebook = openNotebook(10_000);
    const controller = new AbortController();
    const { agent } = agentOf(dispatcherOf(notebook), mixed.slice(0, 1));
    const running = agent.generate("go", { abortSignal: controller.signal });
    await expect.poll(() => notebook.log).toContain("find a begins");
    controller.abort();
    await running.catch(() => undefined);
    await expect.poll(() => notebook.log).toContain("find a is aborted");
  });

  const wipes = [
    { id: "1", name: "save_note", input: { name: "a", text: "" } },
    { id: "2", name: "wipe_note", input: { name: "a" } },
  ];
  test.each([
    [{ decision: "allow" }, ["wipe a begins", "wipe a ends"], /^wiped a$/u],
    [
      { decision: "allow", input: { name: "b" } },
      ["wipe b begins", "wipe b ends"],
      /^wiped b.*changed its input first/su,
    ],
    [{ decision: "deny", reason: "not today" }, [], /not today/u],
    [true, [], /could not be read/u],
  ])("asks a person by a suspension; answered with %j, it goes on", async (answer, log, words) => {
    const notebook = openNotebook();
    const approvals = mastraApprovals();
    const { agent, requests } = agentOf(dispatcherOf(notebook, { permissions: { ask: approvals.ask } }), wipes, {
      approvals,
    });
    const { finishReason, runId, suspendPayload } = await agent.generate("go", { maxSteps: 3 });
    expect(finishReason).toBe("suspended");
    expect(suspendPayload?.suspendPayload).toMatchObject({ callId: "2", toolName: "wipe_note", input: { name: "a" } });
    await agent.resumeGenerate(answer, { runId, toolCallId: suspendPayload?.toolCallId });
    expect(notebook.log).toEqual(["save a begins", "save a ends", ...log]);
    expect(outputsIn(requests)).toEqual([
      ["1", "text", "saved a"],
      ["2", log.length > 0 ? "text" : "error-text", expect.stringMatching(words)],
    ]);
  });

  test("with a call store, another process resumes the run, once", async () => {
    const callStore = memoryCallStore();
    const durable = durableCalls({ store: callStore });
    const storage = new InMemoryStore();
    const options: Options = { durable, turnId: (callId) => `chat/${callId}` };
    const first = agentOf(dispatcherOf(openNotebook(), { extensions: [durable] }), wipes, options, storage);
    const { runId, suspendPayload } = await first.agent.generate("go", { maxSteps: 3 });
    expect(await callStore.questions({ isOpen: true })).toMatchObject([{ callId: "2" }]);

    const notebook = openNotebook();
    const second = agentOf(dispatcherOf(notebook, { extensions: [durable] }), [], options, storage);
    await second.agent.resumeGenerate({ decision: "allow" }, { runId, toolCallId: suspendPayload?.toolCallId });
    expect(notebook.log).toEqual(["wipe a begins", "wipe a ends"]);
    expect(outputsIn(second.requests)).toEqual([
      ["1", "text", "saved a"],
      ["2", "text", "wiped a"],
    ]);
  });
});
