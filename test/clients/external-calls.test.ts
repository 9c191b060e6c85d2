import { Agent, run, setTracingDisabled, tool } from "@openai/agents-core";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { buildTool, createDispatcher, type DispatcherOptions, type Tool } from "@hasp/runtime";
import { toAnthropicRunnableTools } from "@hasp/runtime/anthropic";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { completeAiSdkCalls, toAiSdkTools } from "@hasp/adapters/ai-sdk";
import { toLangChainTools } from "@hasp/adapters/langchain";
import { toMastraTools } from "@hasp/adapters/mastra";
import { toOpenAIAgentsTools } from "@hasp/adapters/openai-agents";
import * as sdk6 from "ai";
import * as mocks6 from "ai/test";
import * as sdk7 from "ai-newest";
import * as mocks7 from "ai-newest/test";
import { describe, expect, test } from "vitest";

setTracingDisabled(true);

const definition = {
  name: "choose_date",
  description: "Asks the person for a date.",
  input: {
    type: "object",
    properties: { title: { type: "string", default: "When?" }, days: { type: "integer" } },
    additionalProperties: false,
  },
  output: { type: "string", format: "date" },
  behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
  external: true,
} as const;
const chooseDate = buildTool(definition);

interface Message {
  readonly role: "user" | "assistant" | "tool";
  readonly content: unknown;
}
interface Part {
  readonly type: string;
  readonly input?: unknown;
  readonly error?: unknown;
  readonly output?: { readonly type: string; readonly value: unknown };
}

const versions: readonly { name: string; sdk: typeof sdk6; Model: typeof mocks6.MockLanguageModelV3 }[] = [
  { name: "6", sdk: sdk6, Model: mocks6.MockLanguageModelV3 },
  {
    name: "7",
    sdk: sdk7 as unknown as typeof sdk6,
    Model: mocks7.MockLanguageModelV4 as unknown as typeof mocks6.MockLanguageModelV3,
  },
];
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A host with a call store, in which the calls of a chat outlive each dispatcher. */
function openHost(
  own: Partial<DispatcherOptions> = {},
  tools: readonly Tool<never, unknown>[] = [chooseDate as never],
) {
  const durable = durableCalls({ store: memoryCallStore() });
  const dispatcher = createDispatcher({ tools, extensions: [durable], ...own } as DispatcherOptions);
  return { dispatcher, turns: dispatcher.use(durable), options: { durable, turnId: (id: string) => `chat/${id}` } };
}

describe.each(versions)("a client of ai $name", ({ sdk, Model }) => {
  /** One request: the model calls `choose_date` with this input unless the messages have a result. */
  async function request(
    { dispatcher, options }: ReturnType<typeof openHost>,
    messages: readonly Message[],
    input: object = { days: "3" },
  ): Promise<{ parts: readonly Part[]; messages: readonly Message[]; read: readonly Part[] }> {
    let prompt: readonly Message[] = [];
    const call = { type: "tool-call", toolCallId: "1", toolName: "choose_date", input: JSON.stringify(input) };
    const model = new Model({
      doGenerate: async (given) => {
        prompt = given.prompt as unknown as readonly Message[];
        const isOver = prompt.at(-1)?.role === "tool";
        const content = [isOver ? { type: "text", text: "done" } : call];
        return {
          content,
          finishReason: { unified: isOver ? "stop" : "tool-calls", raw: "" },
          usage,
          warnings: [],
        } as never;
      },
    });
    const completed = await completeAiSdkCalls(dispatcher, messages, options);
    const result = await sdk.generateText({
      model,
      tools: toAiSdkTools(dispatcher, options),
      messages: completed as never,
      stopWhen: sdk.stepCountIs(2),
    });
    const read = prompt.flatMap(({ role, content }) => (role === "tool" ? (content as Part[]) : []));
    return {
      parts: (result.steps[0]?.content ?? []) as unknown as readonly Part[],
      messages: [...messages, ...(result.response.messages as unknown as readonly Message[])],
      read,
    };
  }
  const go: readonly Message[] = [{ role: "user", content: "go" }];
  const answer = (output: object, parts: object = {}): Message => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "1", toolName: "choose_date", output, ...parts }],
  });
  const text = (value: string): object => ({ type: "text", value });
  const readOf = async (host: ReturnType<typeof openHost>, messages: readonly Message[]) =>
    (await request(host, messages)).read.map(({ output }) => output);

  test("sees a permitted call as the tool takes it, and its first valid output counts", async () => {
    const host = openHost();
    const { parts, messages } = await request(host, go);
    expect(parts).toMatchObject([{ type: "tool-call", input: { title: "When?", days: 3 } }]);
    expect(await readOf(host, [...messages, answer(text("2030-01-31"))])).toEqual([text("2030-01-31")]);
    expect(await readOf(host, [...messages, answer(text("2031-01-31"))])).toEqual([text("2030-01-31")]);
  });

  test.each([
    ["of another form", text("soon"), "cannot be used"],
    ["that is too long", text("x".repeat(2 ** 20)), "at most 1000000 characters"],
    ["that is an error", { type: "error-text", value: "closed" }, "closed"],
    ["that is refused", { type: "execution-denied", reason: "not now" }, "not now"],
    ["that is none", { type: "json" }, "either an `output` or an `error`"],
  ])("gives an output %s, which the model reads as an error, and no other counts", async (_, output, said) => {
    const host = openHost();
    const { messages } = await request(host, go);
    for (const each of [output, text("2030-01-31")]) {
      expect(await readOf(host, [...messages, answer(each)])).toEqual([
        { type: "error-text", value: expect.stringContaining(said) as string },
      ]);
    }
  });

  test("completes no call that was never handed out, or that it has changed", async () => {
    const host = openHost();
    const { messages } = await request(host, go);
    const changed = JSON.parse(JSON.stringify(messages).replaceAll('"days":3', '"days":4')) as readonly Message[];
    const forged = JSON.parse(JSON.stringify(messages).replaceAll('"1"', '"2"')) as readonly Message[];
    const never = [{ type: "error-text", value: expect.stringContaining("was never handed out") as string }];
    expect(await readOf(host, [...changed, answer(text("2030-01-31"))])).toEqual(never);
    expect(await readOf(host, [...forged, answer(text("2030-01-31"), { toolCallId: "2" })])).toEqual(never);
    const [waiting] = await host.turns.store.records({ turnId: "chat/2" });
    expect(waiting).toBeUndefined();
  });

  test.each<[string, Partial<DispatcherOptions>, object, RegExp]>([
    ["invalid", {}, { days: "many" }, /days/u],
    [
      "denied",
      { permissions: { rules: [{ tool: "choose_date", decision: "deny", reason: "not today" }] } },
      {},
      /not today/u,
    ],
    ["blocked by a guard", { hooks: { guard: () => ({ block: "not today" }) } }, {}, /not today/u],
    [
      "one that a guard asks about",
      { hooks: { guard: () => ({ decision: "ask" }) as never } },
      {},
      /nobody can be asked/u,
    ],
    [
      "one that a person must allow",
      { permissions: { rules: [{ tool: "choose_date", decision: "ask" }] } },
      {},
      /nobody can be asked/u,
    ],
  ])("never sees a call that is %s", async (_, own, input, reason) => {
    const host = openHost(own);
    const { parts } = await request(host, go, input);
    expect(parts).toContainEqual(
      expect.objectContaining({ type: "tool-error", error: expect.stringMatching(reason) as string }),
    );
    await expect(host.turns.resume("chat/1")).rejects.toThrow("has no turn");
  });

  test("sees the input that hooks make of a call; each hook runs once, and its note and its vote hold", async () => {
    const ran: string[] = [];
    const hooks: DispatcherOptions["hooks"] = {
      transform: ({ input }) => (
        ran.push("transform"),
        { input: { title: `${(input as { title: string }).title} Once?` }, note: "The host asked twice." }
      ),
      guard: () => (ran.push("guard"), { decision: "allow", reason: "a guard allows it" }),
      post: () => void ran.push("post"),
    };
    const behavior = { ...definition.behavior, requiresPermission: true };
    const host = openHost({ hooks }, [buildTool({ ...definition, behavior }) as never]);
    const { parts, messages } = await request(host, go, { title: "When?" });
    expect(parts).toMatchObject([{ input: { title: "When? Once?" } }]);
    const shown = [{ type: "text", value: "2030-01-31\nThe host asked twice." }];
    for (let repeated = 0; repeated < 2; repeated += 1) {
      expect(await readOf(host, [...messages, answer(text("2030-01-31"))])).toEqual(shown);
    }
    expect(ran).toEqual(["transform", "guard", "post"]);
  });

  test("completes no call that hooks change after it was shown", async () => {
    const host = openHost({ hooks: { transform: () => ({ input: { title: "Where?" } }) } });
    const input = { title: "When?" };
    await toAiSdkTools(host.dispatcher, host.options)["choose_date"]?.onInputAvailable?.({ toolCallId: "1", input });
    const shown = { type: "tool-call", toolCallId: "1", toolName: "choose_date", input };
    const messages: readonly Message[] = [...go, { role: "assistant", content: [shown] }, answer(text("2030-01-31"))];
    expect(await readOf(host, messages)).toEqual([
      { type: "error-text", value: expect.stringContaining("another input than the permitted one") as string },
    ]);
  });

  test("has its outputs of other tools left as they are, and is offered no tool that nobody executes", async () => {
    const host = openHost();
    const other = answer(text("soon"), { toolName: "theirs", toolCallId: "7" });
    expect(await completeAiSdkCalls(host.dispatcher, [other], host.options)).toEqual([other]);
    expect(toAiSdkTools(createDispatcher({ tools: [chooseDate] }))).toEqual({});
    expect(toAiSdkTools(host.dispatcher)).toEqual({});
    const executes = openHost({ external: () => "2030-01-31" });
    const { choose_date: executed } = toAiSdkTools(executes.dispatcher, executes.options);
    expect(await executed?.execute?.({}, { toolCallId: "1" })).toMatchObject({ output: "2030-01-31" });
  });
});

test("a run of OpenAI Agents stops for a call that somebody else executes, and reads its output", async () => {
  const { dispatcher, turns, options } = openHost();
  const model = new ScriptedModel([[functionCall("choose_date", {}, { callId: "1" })], [assistantMessage("done")]]);
  const agent = new Agent({ name: "dates", model, tools: toOpenAIAgentsTools(dispatcher, { tool, ...options }) });
  const first = await run(agent, "go");
  expect(first.interruptions.map(({ name }) => name)).toEqual(["choose_date"]);
  const outcome = await turns.resume("chat/1");
  const [external] = outcome.status === "waiting" ? (outcome.externals ?? []) : [];
  expect(external?.input).toEqual({ title: "When?" });
  await turns.complete(external?.id ?? "", { output: "2030-01-31" });
  for (const interruption of first.interruptions) first.state.approve(interruption);
  const { finalOutput } = await run(agent, first.state);
  expect(finalOutput).toBe("done");
  expect(JSON.stringify(model.lastCall?.request.input)).toContain("2030-01-31");
});

test("an approval in OpenAI Agents is no output of a call that somebody else executes", async () => {
  const { dispatcher, options } = openHost();
  const model = new ScriptedModel([[functionCall("choose_date", {}, { callId: "1" })], [assistantMessage("done")]]);
  const agent = new Agent({ name: "dates", model, tools: toOpenAIAgentsTools(dispatcher, { tool, ...options }) });
  const first = await run(agent, "go");
  for (const interruption of first.interruptions) first.state.approve(interruption);
  await run(agent, first.state);
  expect(JSON.stringify(model.lastCall?.request.input)).toContain("its result is not there yet");
});

test("LangChain and Mastra, which wait for nobody, are given no tool whose calls somebody else executes later", () => {
  const [dates, names] = [[] as string[], [] as string[]];
  for (const [own, given] of [
    [{}, dates],
    [{ external: () => "2030-01-31" }, names],
  ] as const) {
    const { dispatcher, options } = openHost(own);
    const tool = (_run: unknown, { name }: { readonly name: string }): object => (given.push(name), {});
    toLangChainTools(dispatcher, { tool: tool as never, ToolMessage: Object as never, ...options });
    given.push(...Object.keys(toMastraTools(dispatcher, { createTool: (made) => made, ...options })));
  }
  expect([dates, names]).toEqual([[], ["choose_date", "choose_date"]]);
});

test("the tool runner of Anthropic is given no tool whose calls somebody else executes later", () => {
  expect(toAnthropicRunnableTools(openHost().dispatcher)).toEqual([]);
  expect(toAnthropicRunnableTools(openHost({ external: () => "2030-01-31" }).dispatcher)).toHaveLength(1);
});
