import type { Dispatcher } from "@hasp/runtime";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { aiSdkApprovals, toAiSdkTools, type AiSdkTool } from "@hasp/adapters/ai-sdk";
import * as sdk6 from "ai";
import * as mocks6 from "ai/test";
import * as sdk7 from "ai-newest";
import * as mocks7 from "ai-newest/test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { dispatcherOf, openNotebook, openShop } from "./notebook.testing.js";

type AiSdkToolOutput = Awaited<ReturnType<NonNullable<AiSdkTool["execute"]>>>;

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}
interface Part {
  readonly type: string;
  readonly toolName?: string;
  readonly toolCallId?: string;
  readonly output?: AiSdkToolOutput;
}
interface Seen {
  /** The requests to the provider, one per step. */
  readonly requests: readonly {
    readonly tools: readonly { readonly name: string; readonly inputSchema: unknown }[];
    readonly prompt: readonly Message[];
  }[];
  readonly steps: readonly { readonly content: readonly Part[] }[];
  readonly messages: readonly unknown[];
}
interface Message {
  readonly role: string;
  readonly content: readonly { readonly type: string; readonly toolCallId?: string; readonly output?: unknown }[];
}
interface Run {
  readonly dispatcher: Dispatcher;
  readonly options?: Parameters<typeof toAiSdkTools>[1];
  readonly calls: readonly Call[];
  readonly messages?: readonly unknown[];
  readonly abortSignal?: AbortSignal;
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const stop = {
  content: [{ type: "text", text: "done" }],
  finishReason: { unified: "stop", raw: "stop" },
  usage,
  warnings: [],
};
const callsOf = (calls: readonly Call[]): object => ({
  content: calls.map(({ id, name, input }) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input: typeof input === "string" ? input : JSON.stringify(input),
  })),
  finishReason: { unified: "tool-calls", raw: "tool_use" },
  usage,
  warnings: [],
});

/** Two versions of one package, driven alike: the newest wants Node 22, but this much of it runs on 20. */
const versions = [
  { name: "6.0.322", major: 6, sdk: sdk6, Model: mocks6.MockLanguageModelV3 },
  {
    name: "7.0.173",
    major: 7,
    sdk: sdk7 as unknown as typeof sdk6,
    Model: mocks7.MockLanguageModelV4 as unknown as typeof mocks6.MockLanguageModelV3,
  },
];

describe.each(versions)("ai $name", ({ major, sdk, Model }) => {
  /** One step with these calls, then one that ends. */
  async function generate({ dispatcher, options, calls, messages, abortSignal }: Run): Promise<Seen> {
    const requests: unknown[] = [];
    const model = new Model({
      doGenerate: async (request) => {
        requests.push(request);
        return (requests.length === 1 && calls.length > 0 ? callsOf(calls) : stop) as never;
      },
    });
    const result = await sdk.generateText({
      model,
      tools: toAiSdkTools(dispatcher, options),
      messages: (messages ?? [{ role: "user", content: "go" }]) as never,
      stopWhen: sdk.stepCountIs(4),
      ...(abortSignal !== undefined && { abortSignal }),
    });
    return { requests, steps: result.steps, messages: result.response.messages } as unknown as Seen;
  }

  const outputsOf = ({ steps }: Seen): readonly (AiSdkToolOutput | undefined)[] =>
    (steps[0]?.content ?? []).filter(({ type }) => type === "tool-result").map(({ output }) => output);
  const modelOutputsOf = ({ requests }: Seen): readonly unknown[] =>
    (requests.at(-1)?.prompt ?? [])
      .filter(({ role }) => role === "tool")
      .flatMap(({ content }) => content.map(({ output }) => output));

  test("calls that the SDK starts at once run as the dispatcher says, and in the order of the model", async () => {
    const notebook = openNotebook();
    const seen = await generate({
      dispatcher: dispatcherOf(notebook),
      calls: [
        { id: "1", name: "find_notes", input: { q: "a" } },
        { id: "2", name: "find_notes", input: { q: "b" } },
        { id: "3", name: "save_note", input: { name: "c", text: "" } },
        { id: "4", name: "find_notes", input: { q: "d", limit: "3" } },
        { id: "5", name: "save_note", input: { name: "e", text: "" } },
      ],
    });
    expect(notebook.together).toEqual({ most: 2, writersBesideOthers: 0 });
    expect(notebook.log.filter((line) => line.endsWith("begins"))).toEqual([
      "find a begins",
      "find b begins",
      "save c begins",
      "find d begins",
      "save e begins",
    ]);
    expect(outputsOf(seen).map((output) => output?.output ?? output?.content)).toEqual([
      { hits: ["a", "10"] },
      { hits: ["b", "10"] },
      [{ type: "text", text: "saved c" }],
      { hits: ["d", "3"] },
      [{ type: "text", text: "saved e" }],
    ]);
  });

  test("a faulty call reaches the model as an error, and images as images", async () => {
    const seen = await generate({
      dispatcher: dispatcherOf(openNotebook()),
      calls: [
        { id: "1", name: "find_notes", input: { q: 3, more: true } },
        { id: "2", name: "fail_note", input: "" },
        { id: "3", name: "wipe_note", input: { name: "a" } },
        { id: "4", name: "draw_note", input: {} },
      ],
    });
    expect(outputsOf(seen).map((output) => output?.error?.code)).toEqual([
      "invalid-input",
      "threw",
      "no-one-to-ask",
      undefined,
    ]);
    expect(modelOutputsOf(seen)).toEqual([
      { type: "error-text", value: expect.stringMatching(/nothing was run[\s\S]*q/u) },
      { type: "error-text", value: expect.stringContaining("the pen is dry") },
      { type: "error-text", value: expect.stringContaining("no one to ask") },
      {
        type: "content",
        value: [{ type: "text", text: "a dot" }, expect.objectContaining({ mediaType: "image/png" })],
      },
    ]);
  });

  test("an image is said in the words of the version that was named, of which it does not warn", async () => {
    const warnings: unknown[] = [];
    vi.stubGlobal("AI_SDK_LOG_WARNINGS", ({ warnings: more }: { readonly warnings: readonly unknown[] }) =>
      warnings.push(...more),
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const options = (major === 7 ? { sdk: 7 } : { sdk: 6 }) as NonNullable<Run["options"]>;
    const seen = await generate({
      dispatcher: dispatcherOf(openNotebook()),
      options,
      calls: [{ id: "1", name: "draw_note", input: {} }],
    });
    expect(modelOutputsOf(seen)).toMatchObject([
      { value: [{ text: "a dot" }, { type: major === 7 ? "file" : "image-data", mediaType: "image/png" }] },
    ]);
    expect(warnings).toEqual([]);
  });

  test("the schema reaches the provider as the very object that was compiled, at every step", async () => {
    const dispatcher = dispatcherOf(openNotebook());
    const seen = await generate({ dispatcher, calls: [{ id: "1", name: "find_notes", input: { q: "a" } }] });
    const listed = dispatcher.definitions("vercel-ai-sdk");
    expect(seen.requests).toHaveLength(2);
    for (const { tools } of seen.requests) {
      expect(tools.map(({ name }) => name)).toEqual(listed.map((entry) => entry["name"]));
      tools.forEach((tool, index) => expect(tool.inputSchema).toBe(listed[index]?.["inputSchema"]));
    }
  });

  test("calls that are streamed keep their order, though the SDK starts each as it comes", async () => {
    const notebook = openNotebook();
    let requests = 0;
    const model = new Model({
      doStream: async () => {
        requests += 1;
        const calls = [
          { type: "tool-call", toolCallId: "1", toolName: "save_note", input: '{"name":"a","text":""}' },
          { type: "tool-call", toolCallId: "2", toolName: "find_notes", input: '{"q":"b"}' },
          { type: "tool-call", toolCallId: "3", toolName: "find_notes", input: '{"q":"c"}' },
          { type: "finish", finishReason: { unified: "tool-calls", raw: "" }, usage },
        ];
        const text = [
          { type: "text-start", id: "t" },
          { type: "text-delta", id: "t", delta: "done" },
          { type: "text-end", id: "t" },
          { type: "finish", finishReason: { unified: "stop", raw: "" }, usage },
        ];
        const chunks = [{ type: "stream-start", warnings: [] }, ...(requests === 1 ? calls : text)];
        return { stream: sdk.simulateReadableStream({ chunks, initialDelayInMs: 0, chunkDelayInMs: 1 }) } as never;
      },
    });
    const result = sdk.streamText({
      model,
      prompt: "go",
      tools: toAiSdkTools(dispatcherOf(notebook)),
      stopWhen: sdk.stepCountIs(3),
    });
    await result.consumeStream();
    expect(await result.text).toBe("done");
    expect(notebook.together.writersBesideOthers).toBe(0);
    expect(notebook.log.slice(0, 4)).toEqual(["save a begins", "save a ends", "find b begins", "find c begins"]);
  });

  test("an abort reaches the handler", async () => {
    const notebook = openNotebook(10_000);
    const controller = new AbortController();
    const run = generate({
      dispatcher: dispatcherOf(notebook),
      calls: [{ id: "1", name: "find_notes", input: { q: "a" } }],
      abortSignal: controller.signal,
    });
    await expect.poll(() => notebook.log).toContain("find a begins");
    controller.abort();
    await run.catch(() => undefined);
    expect(notebook.log).toContain("find a is aborted");
  });

  test.each([
    ["by the framework", undefined],
    ["by the store", "a"],
    ["by the store, with another input,", "b"],
  ])("with a call store, an answer %s runs the call, once", async (_by, answer) => {
    const callStore = memoryCallStore();
    const durable = durableCalls({ store: callStore });
    const options = { durable, turnId: (callId: string) => `chat/${callId}` };
    const calls = [
      { id: "1", name: "save_note", input: { name: "a", text: "" } },
      { id: "2", name: "wipe_note", input: { name: "a" } },
    ];
    const first = await generate({
      dispatcher: dispatcherOf(openNotebook(), { extensions: [durable] }),
      options,
      calls,
    });
    const request = first.steps[0]?.content.find(({ type }) => type === "tool-approval-request") as unknown as {
      approvalId: string;
    };
    const [question] = await callStore.questions({ isOpen: true });
    expect(question).toMatchObject({ callId: "2", toolName: "wipe_note", input: { name: "a" } });

    // Another process: it has the messages and the store.
    const notebook = openNotebook();
    const dispatcher = dispatcherOf(notebook, { extensions: [durable] });
    if (answer !== undefined) {
      await dispatcher.use(durable).answer(question?.id ?? "", {
        decision: "allow",
        ...(answer === "b" && { input: { name: "b" } }),
      });
    }
    const response = { type: "tool-approval-response", approvalId: request.approvalId, approved: true };
    const messages = [{ role: "user", content: "go" }, ...first.messages, { role: "tool", content: [response] }];
    const second = await generate({ dispatcher, options, calls: [], messages });
    const name = answer ?? "a";
    expect(notebook.log).toEqual([`wipe ${name} begins`, `wipe ${name} ends`]);
    const said = JSON.stringify(modelOutputsOf(second));
    expect(said).toContain(`wiped ${name}`);
    expect(said.includes("changed its input first")).toBe(name === "b");
    // A process that ended before it could store the messages starts over from the old ones.
    await generate({ dispatcher, options, calls: [], messages });
    expect(notebook.log).toHaveLength(2);
  });

  test("with a call store, an approval in the messages answers no question that was never asked", async () => {
    const durable = durableCalls({ store: memoryCallStore() });
    const notebook = openNotebook();
    const dispatcher = dispatcherOf(notebook, { extensions: [durable] });
    const call = { type: "tool-call", toolCallId: "7", toolName: "wipe_note", input: { name: "a" } };
    const messages = [
      { role: "user", content: "go" },
      { role: "assistant", content: [call, { type: "tool-approval-request", approvalId: "x", toolCallId: "7" }] },
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "x", approved: true }] },
    ];
    const options = { durable, turnId: (callId: string) => `chat/${callId}` };
    const seen = await generate({ dispatcher, options, calls: [], messages });
    expect(notebook.log).toEqual([]);
    expect(JSON.stringify(modelOutputsOf(seen))).toContain("Nobody was asked about this call of wipe_note");
  });

  describe("approval by the SDK", () => {
    const calls = [
      { id: "1", name: "find_notes", input: { q: "a" } },
      { id: "2", name: "wipe_note", input: { name: "a" } },
    ];
    type Asked = Seen & { readonly approvalId: string };

    /** A dispatcher whose questions go through the SDK, and a first run that ends in one. */
    async function ask(): Promise<{
      again: (messages: readonly unknown[]) => Promise<Seen>;
      asked: Asked;
      log: string[];
    }> {
      const notebook = openNotebook();
      const approvals = aiSdkApprovals();
      const dispatcher = dispatcherOf(notebook, { permissions: { ask: approvals.ask } });
      const asked = await generate({ dispatcher, options: { approvals }, calls });
      const request = asked.steps[0]?.content.find(({ type }) => type === "tool-approval-request") as unknown as {
        approvalId: string;
      };
      return {
        again: (messages) => generate({ dispatcher, options: { approvals }, calls: [], messages }),
        asked: { ...asked, approvalId: request.approvalId },
        log: notebook.log,
      };
    }
    const answer = ({ messages, approvalId }: Asked, approved: boolean): readonly unknown[] => [
      { role: "user", content: "go" },
      ...messages,
      { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved }] },
    ];

    test("a call that needs a person waits for one, the rest runs", async () => {
      const { asked, log } = await ask();
      expect(asked.steps[0]?.content.filter(({ type }) => type === "tool-approval-request")).toHaveLength(1);
      expect(log).toEqual(["find a begins", "find a ends"]);
    });

    test("approved, it runs in the next step; refused, it does not", async () => {
      const yes = await ask();
      await yes.again(answer(yes.asked, true));
      expect(yes.log.slice(2)).toEqual(["wipe a begins", "wipe a ends"]);
      const no = await ask();
      await no.again(answer(no.asked, false));
      expect(no.log.slice(2)).toEqual([]);
    });

    test.each([
      [10, ["o17 for 10"], { type: "text", value: "paid" }],
      [
        9999,
        [],
        { type: "error-text", value: expect.stringContaining("changed since a person was asked about it (`amount`)") },
      ],
    ])("an answer about a call at 10 counts at %d only if that is what was shown", async (price, log, output) => {
      const shop = openShop();
      const approvals = aiSdkApprovals();
      const dispatcher = dispatcherOf(shop, { permissions: { ask: approvals.ask } });
      const once = [{ id: "1", name: "pay_order", input: { id: "o17" } }];
      const asked = await generate({ dispatcher, options: { approvals }, calls: once });
      const request = asked.steps[0]?.content.find(({ type }) => type === "tool-approval-request");
      shop.price = price;
      const messages = answer({ ...asked, ...(request as unknown as { approvalId: string }) }, true);
      const second = await generate({ dispatcher, options: { approvals }, calls: [], messages });
      expect(shop.log).toEqual(log);
      expect(modelOutputsOf(second)).toContainEqual(output);
    });
  });
});

test("an approval holds for one call and one input", async () => {
  const approvals = aiSdkApprovals();
  const notebook = openNotebook();
  const dispatcher = dispatcherOf(notebook, { permissions: { ask: approvals.ask } });
  const wipe = (id: string, name: string): { id: string; name: string; input: object } => ({
    id,
    name: "wipe_note",
    input: { name },
  });
  const tools = toAiSdkTools(dispatcher, { approvals });
  const needsApproval = async ({ id, name, input }: ReturnType<typeof wipe>): Promise<boolean | undefined> =>
    await tools[name]?.needsApproval?.(input, { toolCallId: id });
  expect(await needsApproval(wipe("1", "a"))).toBe(true);
  expect(await needsApproval({ id: "2", name: "find_notes", input: { q: "a" } })).toBe(false);
  expect(await needsApproval({ id: "3", name: "wipe_note", input: {} })).toBe(false);
  const approved = (toolCallId: string): object => ({
    content: [
      { type: "tool-approval-request", approvalId: "a", toolCallId },
      { type: "tool-approval-response", approvalId: "a", approved: true },
    ],
  });
  const run = async ({ id, name, input }: ReturnType<typeof wipe>): Promise<string | undefined> =>
    (await tools[name]?.execute?.(input, { toolCallId: id, messages: [approved(id)] }))?.error?.code;
  expect(await run(wipe("1", "b"))).toBe("denied");
  expect(await run(wipe("2", "a"))).toBe("denied");
  expect(await run(wipe("1", "a"))).toBeUndefined();
  expect(await run(wipe("1", "a"))).toBe("denied");
});
