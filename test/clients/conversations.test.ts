// Every adapter hands the conversation on, so that labels of one reach no other.
import { aiSdkApprovals, toAiSdkTools } from "@hasp/adapters/ai-sdk";
import { toLangChainTools } from "@hasp/adapters/langchain";
import { toMastraTools } from "@hasp/adapters/mastra";
import { toOpenAIAgentsTools } from "@hasp/adapters/openai-agents";
import { buildTool, createDispatcher, type Dispatcher } from "@hasp/runtime";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { toAnthropicRunnableTools } from "@hasp/runtime/anthropic";
import { expect, test } from "vitest";
import { informationFlow } from "@hasp/runtime/flow";

const clean = { requiresPermission: false, returnsUntrusted: false, returnsPrivate: false, isOpenWorld: false };
const tools = [
  ["fetch", { returnsUntrusted: true }],
  ["find", { returnsPrivate: true }],
  ["send", { isOpenWorld: true }],
].map(([name, claims]) =>
  buildTool({
    name: String(name),
    description: "d",
    input: { type: "object", properties: {} },
    concurrency: { class: "READ_ONLY" },
    behavior: { ...clean, ...(claims as object) },
    execute: () => "done",
  }),
);

/** Calls a tool, and answers with what its model reads. */
type Call = (name: string) => Promise<unknown>;
interface Plain {
  readonly name: string;
  readonly execute: (input: unknown, ...details: readonly unknown[]) => Promise<unknown>;
}
const byName = (made: readonly { readonly name: string }[], name: string): never =>
  made.find((tool) => tool.name === name) as never;
let count = 0;
const nextId = (): string => `call ${(count += 1)}`;
class Message {
  readonly content: unknown;
  constructor({ content }: { readonly content: unknown }) {
    this.content = content;
  }
}

const adapters: readonly [string, (dispatcher: Dispatcher, conversation: string) => Call][] = [
  [
    "AI SDK",
    (dispatcher, conversation) => (name) =>
      toAiSdkTools(dispatcher, { conversation })[name]?.execute?.({}, { toolCallId: nextId() }) as Promise<unknown>,
  ],
  [
    "OpenAI Agents",
    (dispatcher, conversation) => (name) => {
      const made = toOpenAIAgentsTools(dispatcher, { tool: (each) => each as unknown as Plain, conversation });
      return (byName(made, name) as Plain).execute({}, undefined, { toolCall: { callId: nextId() } });
    },
  ],
  [
    "LangChain",
    (dispatcher, conversation) => async (name) => {
      const tool = (invoke: unknown, fields: { name: string }): { name: string; invoke: unknown } => ({
        name: fields.name,
        invoke,
      });
      const made = toLangChainTools(dispatcher, { tool: tool as never, ToolMessage: Message as never, conversation });
      const { invoke } = byName(made as never, name) as {
        invoke: (input: unknown, config: object) => Promise<Message>;
      };
      return (await invoke({}, { toolCall: { id: nextId() } })).content;
    },
  ],
  [
    "Mastra",
    (dispatcher, conversation) => (name) => {
      const made = toMastraTools(dispatcher, { createTool: (each) => each as unknown as Plain, conversation });
      return made[name]?.execute({}, { agent: { toolCallId: nextId() } }) as Promise<unknown>;
    },
  ],
  [
    "Anthropic",
    (dispatcher, conversation) => async (name) => {
      const made = toAnthropicRunnableTools(dispatcher, { conversation });
      const tool = byName(made, name) as (typeof made)[number];
      return tool.run({}, { toolUse: { id: nextId() } }).catch((error: Error) => error.message);
    },
  ],
];

test.each(adapters)("the tools for %s run their calls in the conversation that they are given", async (_, create) => {
  const dispatcher = createDispatcher({ tools, flow: "ask", extensions: [informationFlow] });
  const call = create(dispatcher, "c");
  for (const name of ["fetch", "find"]) await call(name);
  expect((await dispatcher.use(informationFlow).labels("c")).map(({ label }) => label)).toEqual([
    "untrusted",
    "private",
  ]);
  expect(await dispatcher.use(informationFlow).labels()).toEqual([]);
  expect(JSON.stringify(await call("send"))).toContain("holds private data");
  expect(JSON.stringify(await create(dispatcher, "d")("send"))).toContain("done");
});

type StoredSettings = NonNullable<Parameters<typeof toAiSdkTools>[1]>;
const storing: readonly [string, (dispatcher: Dispatcher, settings: StoredSettings) => unknown][] = [
  ["AI SDK", toAiSdkTools],
  [
    "OpenAI Agents",
    (dispatcher, settings) =>
      toOpenAIAgentsTools(dispatcher, { tool: (each) => each, ...settings, approvals: undefined }),
  ],
  [
    "LangChain",
    (dispatcher, settings) =>
      toLangChainTools(dispatcher, {
        tool: (() => ({})) as never,
        ToolMessage: Message,
        ...settings,
        approvals: undefined,
      }),
  ],
  [
    "Mastra",
    (dispatcher, settings) =>
      toMastraTools(dispatcher, { createTool: (each) => each, ...settings, approvals: undefined }),
  ],
];

test.each(storing)(
  "the tools for %s take `durable` and `turnId` together, and an extension that is attached",
  (_, create) => {
    const durable = durableCalls({ store: memoryCallStore() });
    const dispatcher = createDispatcher({ tools, extensions: [durable] });
    const turnId = (callId: string): string => callId;
    for (const settings of [{ durable }, { turnId }]) {
      expect(() => create(dispatcher, settings)).toThrow("Stored calls need both `durable`");
    }
    expect(() => create(createDispatcher({ tools }), { durable, turnId })).toThrow("add it to `extensions`");
    expect(() => create(dispatcher, { durable, turnId })).not.toThrow();
  },
);

test("an approval of the AI SDK is asked for in the conversation of the tools, with and without a call store", async () => {
  const approvals = aiSdkApprovals();
  for (const turnId of [undefined, (callId: string) => `turn of ${callId}`]) {
    const durable = durableCalls({ store: memoryCallStore() });
    const dispatcher = createDispatcher({
      tools,
      flow: "ask",
      extensions: turnId === undefined ? [informationFlow] : [informationFlow, durable],
      ...(turnId === undefined && { permissions: { ask: approvals.ask } }),
    });
    const made = (conversation: string): ReturnType<typeof toAiSdkTools> =>
      toAiSdkTools(dispatcher, turnId === undefined ? { approvals, conversation } : { durable, turnId, conversation });
    await dispatcher.dispatch(
      ["fetch", "find"].map((name) => ({ id: name, name, input: {} })),
      { conversation: "c" },
    );
    const needs = (conversation: string): Promise<boolean> | undefined =>
      made(conversation)["send"]?.needsApproval?.({}, { toolCallId: nextId() });
    expect([await needs("c"), await needs("d")]).toEqual([true, false]);
  }
});

type Stored = Required<Pick<StoredSettings, "durable" | "turnId">>;

/** Creates a set of tools of a framework, and calls one without an id. */
const unnamedCalls: readonly [string, (dispatcher: Dispatcher, stored: Stored, input: object) => Promise<unknown>][] = [
  [
    "OpenAI Agents",
    (dispatcher, stored, input) => {
      const made = toOpenAIAgentsTools(dispatcher, { tool: (each) => each as unknown as Plain, ...stored });
      return (byName(made, "count") as Plain).execute(input);
    },
  ],
  [
    "LangChain",
    (dispatcher, stored, input) => {
      const tool = (invoke: unknown, { name }: { name: string }): object => ({ name, invoke });
      const made = toLangChainTools(dispatcher, { tool: tool as never, ToolMessage: Message as never, ...stored });
      return (byName(made as never, "count") as { invoke: Plain["execute"] }).invoke(input, {});
    },
  ],
  [
    "Mastra",
    (dispatcher, stored, input) => {
      const made = toMastraTools(dispatcher, { createTool: (each) => each as unknown as Plain, ...stored });
      return made["count"]?.execute(input, {}) as Promise<unknown>;
    },
  ],
];
const turnId = (callId: string): string => `chat/${callId}`;

test.each(unnamedCalls)("a call of %s without an id gets no answer of another process' call", async (_, send) => {
  const ran: unknown[] = [];
  const count = buildTool({
    name: "count",
    description: "d",
    input: { type: "object", properties: { n: { type: "integer" } } },
    concurrency: { class: "READ_ONLY" },
    behavior: clean,
    execute: (input) => void ran.push(input),
  });
  const durable = durableCalls({ store: memoryCallStore() });
  const stored = { durable, turnId };
  for (const n of [5, 5, 6]) await send(createDispatcher({ tools: [count], extensions: [durable] }), stored, { n });
  expect(ran).toEqual([{ n: 5 }, { n: 5 }, { n: 6 }]);
});
