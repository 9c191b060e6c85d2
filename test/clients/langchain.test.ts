import { buildTool, createDispatcher, createPermissions, type Dispatcher } from "@hasp/runtime";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import {
  langGraphApprovals,
  toLangChainTools,
  type CallQuestion,
  type ToLangChainToolsOptions,
} from "@hasp/adapters/langchain";
import { Command, MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { AIMessage, createAgent, fakeModel, tool, ToolMessage, type DynamicStructuredTool } from "langchain";
import { describe, expect, test } from "vitest";
import { dispatcherOf, openNotebook, openShop } from "./notebook.testing.js";

interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}
type Options = Omit<ToLangChainToolsOptions<unknown, object, unknown>, "tool" | "ToolMessage">;
interface Outcome {
  readonly messages: readonly unknown[];
  readonly __interrupt__?: readonly { readonly id?: string; readonly value?: unknown }[];
}
/** A graph that makes calls, under each of the two ways in which LangGraph runs them. */
interface Graph {
  invoke(input: unknown, options?: object): Promise<Outcome>;
  stream(input: unknown, options: object): Promise<AsyncIterable<unknown>>;
}

const toolsOf = (dispatcher: Dispatcher, options: Options = {}): ReturnType<typeof tool>[] =>
  toLangChainTools(dispatcher, { tool, ToolMessage, ...options });

const callsOf = (calls: readonly Call[]): AIMessage =>
  new AIMessage({ content: "", tool_calls: calls.map((call) => ({ ...call, type: "tool_call" as const })) });

/** Each call is a task of the graph. */
function agentOf(dispatcher: Dispatcher, calls: readonly Call[], options?: Options, saver = new MemorySaver()): Graph {
  const model = fakeModel()
    .respondWithTools([...calls])
    .respond(new AIMessage("done"));
  return createAgent({ model, tools: toolsOf(dispatcher, options), checkpointer: saver }) as unknown as Graph;
}

/** All calls are in one task. */
function nodeOf(dispatcher: Dispatcher, calls: readonly Call[], options?: Options, saver = new MemorySaver()): Graph {
  return new StateGraph(MessagesAnnotation)
    .addNode("model", () => ({ messages: [callsOf(calls)] }))
    .addNode("tools", new ToolNode(toolsOf(dispatcher, options)))
    .addEdge("__start__", "model")
    .addEdge("model", "tools")
    .compile({ checkpointer: saver }) as unknown as Graph;
}

const thread = { configurable: { thread_id: "chat" } };
const start = { messages: [{ role: "user", content: "go" }] };
const resume = (...answers: readonly unknown[]): Command => new Command({ resume: answers[0] });

function messagesIn({ messages }: Outcome): readonly ToolMessage[] {
  return messages.filter((message): message is ToolMessage => ToolMessage.isInstance(message));
}
const answersIn = (outcome: Outcome): readonly unknown[] =>
  messagesIn(outcome).map(({ tool_call_id: id, status, content }) => [id, status, content]);
const questionsIn = ({ __interrupt__: interrupts = [] }: Outcome): readonly CallQuestion[] =>
  interrupts.map(({ value }) => value as CallQuestion);

test("runs without a thread share no step, though their calls have the same ids and numbers of steps", async () => {
  const read = buildTool<{ readonly who?: string }>({
    name: "read_mail",
    description: "Reads.",
    input: { type: "object", properties: { who: { type: "string" } } },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute: async ({ who }) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return `mail of ${who}`;
    },
  });
  const dispatcher = createDispatcher({ tools: [read], flow: "off" });
  const tools = toolsOf(dispatcher);
  const run = async (who: string): Promise<readonly unknown[]> => {
    const model = fakeModel()
      .respondWithTools([{ id: "call_0", name: "read_mail", args: { who } }])
      .respond(new AIMessage("done"));
    return answersIn((await createAgent({ model, tools }).invoke(start)) as Outcome);
  };
  expect(await Promise.all([run("ann"), run("bob")])).toEqual([
    [["call_0", "success", "mail of ann"]],
    [["call_0", "success", "mail of bob"]],
  ]);
});

describe.each([
  ["an agent", agentOf],
  ["a ToolNode", nodeOf],
])("%s of LangGraph", (_name, graphOf) => {
  test("runs calls that start at once as the dispatcher says", async () => {
    const notebook = openNotebook();
    const graph = graphOf(dispatcherOf(notebook), [
      { id: "1", name: "find_notes", args: { q: "a" } },
      { id: "2", name: "find_notes", args: { q: "b" } },
      { id: "3", name: "save_note", args: { name: "c", text: "" } },
      { id: "4", name: "find_notes", args: { q: "d", limit: "3" } },
      { id: "5", name: "save_note", args: { name: "e", text: "" } },
    ]);
    expect(answersIn(await graph.invoke(start, thread))).toEqual([
      ["1", "success", '{"hits":["a","10"]}'],
      ["2", "success", '{"hits":["b","10"]}'],
      ["3", "success", "saved c"],
      ["4", "success", '{"hits":["d","3"]}'],
      ["5", "success", "saved e"],
    ]);
    expect(notebook.together).toEqual({ most: 2, writersBesideOthers: 0 });
    expect(notebook.log.filter((line) => line.endsWith("begins"))).toEqual([
      "find a begins",
      "find b begins",
      "save c begins",
      "find d begins",
      "save e begins",
    ]);
  });

  test("reads what is wrong with a call in the dispatcher's words, and images as images", async () => {
    const graph = graphOf(dispatcherOf(openNotebook()), [
      { id: "1", name: "find_notes", args: { q: 3, more: true } },
      { id: "2", name: "fail_note", args: {} },
      { id: "3", name: "wipe_note", args: { name: "a" } },
      { id: "4", name: "no_such_tool", args: {} },
      { id: "5", name: "draw_note", args: {} },
    ]);
    const outcome = await graph.invoke(start, thread);
    expect(answersIn(outcome)).toEqual([
      ["1", "error", expect.stringMatching(/nothing was run[\s\S]*q/u)],
      ["2", "error", expect.stringContaining("the pen is dry")],
      ["3", "error", expect.stringContaining("no one to ask")],
      ["4", "error", expect.stringContaining("no_such_tool")],
      [
        "5",
        "success",
        [
          { type: "text", text: "a dot" },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
        ],
      ],
    ]);
    expect(messagesIn(outcome)[0]?.artifact).toMatchObject({ isError: true, error: { code: "invalid-input" } });
  });

  test("asks a person by an interrupt; allowed, the call runs once, and nothing else twice", async () => {
    const notebook = openNotebook();
    const approvals = langGraphApprovals();
    const dispatcher = dispatcherOf(notebook, { permissions: { ask: approvals.ask } });
    const graph = graphOf(
      dispatcher,
      [
        { id: "1", name: "save_note", args: { name: "a", text: "" } },
        { id: "2", name: "wipe_note", args: { name: "a" } },
      ],
      { approvals },
    );
    const [question, ...others] = questionsIn(await graph.invoke(start, thread));
    expect(others).toEqual([]);
    expect(question).toMatchObject({ callId: "2", toolName: "wipe_note", input: { name: "a" }, isDestructive: true });
    const outcome = await graph.invoke(resume({ callId: "2", decision: "allow" }), thread);
    expect(answersIn(outcome)).toEqual([
      ["1", "success", "saved a"],
      ["2", "success", "wiped a"],
    ]);
    expect(notebook.log).toEqual(["save a begins", "save a ends", "wipe a begins", "wipe a ends"]);
  });

  test.each([
    [{ callId: "1", decision: "deny", reason: "not today" }, /not today/u],
    [true, /could not be read/u],
    [{ decision: "allow" }, /could not be read/u],
    [{ callId: "1", decision: "yes" }, /could not be read/u],
    [{ callId: "1", decision: "allow", input: { name: 5 } }, /changed input does not fit/u],
    [{ callId: "1", type: "edit", editedAction: { name: "save_note", args: { name: "b" } } }, /another tool/u],
    [{ callId: "1", type: "reject", message: "not today" }, /not today/u],
    [{ callId: "1", decision: "allow", args: { name: "b" } }, /It has `args`/u],
  ])("refuses a call that is answered with %j", async (answer, words) => {
    const notebook = openNotebook();
    const approvals = langGraphApprovals();
    const dispatcher = dispatcherOf(notebook, { permissions: { ask: approvals.ask } });
    const graph = graphOf(dispatcher, [{ id: "1", name: "wipe_note", args: { name: "a" } }], { approvals });
    await graph.invoke(start, thread);
    const outcome = await graph.invoke(resume(answer), thread);
    expect(answersIn(outcome)).toEqual([["1", "error", expect.stringMatching(words)]]);
    expect(notebook.log).toEqual([]);
  });

  test.each([
    [{ callId: "1", decision: "allow", input: { name: "b" } }],
    [{ callId: "1", type: "edit", editedAction: { name: "wipe_note", args: { name: "b" } } }],
  ])("runs a call with the input of its answer, and says so: %j", async (answer) => {
    const notebook = openNotebook();
    const approvals = langGraphApprovals();
    const dispatcher = dispatcherOf(notebook, { permissions: { ask: approvals.ask } });
    const graph = graphOf(dispatcher, [{ id: "1", name: "wipe_note", args: { name: "a" } }], { approvals });
    await graph.invoke(start, thread);
    const outcome = await graph.invoke(resume(answer), thread);
    expect(answersIn(outcome)).toEqual([
      ["1", "success", expect.stringMatching(/^wiped b.*changed its input first/su)],
    ]);
    expect(notebook.log).toEqual(["wipe b begins", "wipe b ends"]);
  });

  test("runs nothing with another input than that of the question", async () => {
    const shop = openShop();
    const approvals = langGraphApprovals();
    const dispatcher = dispatcherOf(shop, { permissions: { ask: approvals.ask } });
    const graph = graphOf(dispatcher, [{ id: "1", name: "pay_order", args: { id: "o17" } }], { approvals });
    const [question] = questionsIn(await graph.invoke(start, thread));
    expect(question?.input).toEqual({ id: "o17", amount: 10 });
    shop.price = 9999;
    const outcome = await graph.invoke(resume({ callId: "1", decision: "allow" }), thread);
    expect(answersIn(outcome)).toEqual([["1", "error", expect.stringMatching(/asked about it \(`amount`\)/u)]]);
    expect(shop.log).toEqual([]);
  });

  test("shows no secret in a question, and takes no yes that would destroy unseen", async () => {
    const notebook = openNotebook();
    const lock = buildTool({
      name: "lock_note",
      description: "Locks a note.",
      input: { type: "object", properties: { name: { type: "string" }, pin: { type: "string", writeOnly: true } } },
      execute: () => void notebook.log.push("locked"),
    });
    const approvals = langGraphApprovals();
    const dispatcher = dispatcherOf({ ...notebook, tools: [lock] }, { permissions: { ask: approvals.ask } });
    const calls = [{ id: "1", name: "lock_note", args: { name: "a", pin: "canary" } }];
    const graph = graphOf(dispatcher, calls, { approvals });
    const [question] = questionsIn(await graph.invoke(start, thread));
    const input = { name: "a", pin: "[secret]" };
    expect(question).toMatchObject({ input, hidden: ["/pin"], refuseOnly: true });
    const outcome = await graph.invoke(resume({ callId: "1", decision: "allow" }), thread);
    expect(answersIn(outcome)).toEqual([["1", "error", expect.stringContaining("it can only be refused")]]);
    expect(notebook.log).toEqual([]);
  });

  test("in process, takes no answer to a question that another process has asked", async () => {
    const saver = new MemorySaver();
    const calls = [{ id: "1", name: "wipe_note", args: { name: "a" } }];
    const [first, second] = [openNotebook(), openNotebook()].map((notebook) => {
      const approvals = langGraphApprovals();
      const dispatcher = dispatcherOf(notebook, { permissions: { ask: approvals.ask } });
      return { graph: graphOf(dispatcher, calls, { approvals }, saver), log: notebook.log };
    });
    await first?.graph.invoke(start, thread);
    const outcome = await second?.graph.invoke(resume({ callId: "1", decision: "allow" }), thread);
    expect(answersIn(outcome as Outcome)).toEqual([["1", "error", expect.stringMatching(/Nobody was asked/u)]]);
    expect(second?.log).toEqual([]);
  });

  test("applies no answer to another call, even if the one that asked first no longer asks", async () => {
    const notebook = openNotebook();
    const approvals = langGraphApprovals();
    const permissions = createPermissions({ ask: approvals.ask });
    const dispatcher = dispatcherOf(notebook, { permissions });
    const graph = graphOf(
      dispatcher,
      [
        { id: "1", name: "wipe_note", args: { name: "a" } },
        { id: "2", name: "wipe_note", args: { name: "b" } },
      ],
      { approvals },
    );
    const [first] = questionsIn(await graph.invoke(start, thread));
    expect(first?.callId).toBe("1");
    // The first is now refused without a question; its answer arrives all the same.
    permissions.allow(
      { tool: "wipe_note", input: { name: "a" } },
      { until: "session", reason: "asked before", by: "ada" },
    );
    const answer = { callId: "1", decision: "allow" };
    const tasks = await interruptsOf(graph);
    const outcome = await graph.invoke(
      tasks.length > 1 ? new Command({ resume: { [tasks[0] ?? ""]: answer } }) : resume(answer),
      thread,
    );
    expect(questionsIn(outcome).map(({ callId }) => callId)).toEqual(["2"]);
    expect(notebook.log.filter((line) => line.startsWith("wipe b"))).toEqual([]);
  });

  test("with a call store, another process resumes it, and a step that is repeated repeats no effect", async () => {
    const callStore = memoryCallStore();
    const durable = durableCalls({ store: callStore });
    const saver = new MemorySaver();
    const calls = [
      { id: "1", name: "save_note", args: { name: "a", text: "" } },
      { id: "2", name: "wipe_note", args: { name: "a" } },
    ];
    const options: Options = { durable, turnId: (callId) => `chat/${callId}` };
    const before = openNotebook();
    const first = graphOf(dispatcherOf(before, { extensions: [durable] }), calls, options, saver);
    const [question] = questionsIn(await first.invoke(start, thread));
    expect(question?.questionId).toBe((await callStore.questions({ isOpen: true }))[0]?.id);

    const after = openNotebook();
    const dispatcher = dispatcherOf(after, { extensions: [durable] });
    const second = graphOf(dispatcher, [], options, saver);
    const outcome = await second.invoke(resume({ callId: "2", decision: "allow" }), thread);
    expect(answersIn(outcome)).toEqual([
      ["1", "success", "saved a"],
      ["2", "success", "wiped a"],
    ]);
    expect([...before.log, ...after.log]).toEqual(["save a begins", "save a ends", "wipe a begins", "wipe a ends"]);
    const again = await dispatcher
      .use(durable)
      .run([{ id: "2", name: "wipe_note", input: { name: "a" }, dialect: "mcp" }], {
        turnId: "chat/2",
      });
    expect(again).toMatchObject({ status: "settled", results: [{ isError: false }] });
    expect(after.log.filter((line) => line === "wipe a begins")).toHaveLength(1);
  });

  test("streams progress, and stops handlers when it is stopped", async () => {
    const controller = new AbortController();
    const notebook = openNotebook(10_000);
    const graph = graphOf(dispatcherOf(notebook), [{ id: "1", name: "find_notes", args: { q: "a" } }]);
    const seen: unknown[] = [];
    const running = (async () => {
      const stream = await graph.stream(start, { ...thread, streamMode: "custom", signal: controller.signal });
      for await (const chunk of stream) {
        seen.push(chunk);
        controller.abort();
      }
    })();
    await expect(running).rejects.toThrow();
    expect(seen).toMatchObject([{ callId: "1", toolName: "find_notes", update: { message: "half" } }]);
    await expect.poll(() => notebook.log).toContain("find a is aborted");
  });

  test("hands its context to handlers, checks and hooks", async () => {
    const seen: unknown[] = [];
    const dispatcher = dispatcherOf(openNotebook(), { hooks: { guard: ({ context }) => void seen.push(context) } });
    const graph = graphOf(dispatcher, [{ id: "1", name: "find_notes", args: { q: "a" } }]);
    await graph.invoke(start, { ...thread, context: { user: "ada" } });
    expect(seen).toEqual([{ user: "ada" }]);
  });

  /** The ids of the open interrupts. */
  async function interruptsOf(graph: Graph): Promise<readonly string[]> {
    const state = await (
      graph as unknown as { getState(options: object): Promise<{ tasks: { interrupts: { id: string }[] }[] }> }
    ).getState(thread);
    return state.tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => id));
  }
});

test("a model is bound to the list that was compiled", () => {
  const dispatcher = dispatcherOf(openNotebook());
  const model = fakeModel();
  const tools = toolsOf(dispatcher, { dialect: "openai-chat" });
  model.bindTools(tools as DynamicStructuredTool[]);
  const listed = dispatcher
    .definitions("openai-chat")
    .map((entry) => entry["function"] as { readonly name: string; readonly parameters: object });
  expect(tools.map(({ name }) => name)).toEqual(listed.map(({ name }) => name));
  tools.forEach(({ schema }, index) => expect(schema).toBe(listed[index]?.parameters));
});

test("invoked by hand, a tool returns its content, and throws what went wrong", async () => {
  const tools = toolsOf(dispatcherOf(openNotebook())) as DynamicStructuredTool[];
  const named = (name: string): (typeof tools)[number] | undefined => tools.find((made) => made.name === name);
  expect(await named("find_notes")?.invoke({ q: "a", limit: "2" } as never)).toBe('{"hits":["a","2"]}');
  await expect(named("find_notes")?.invoke({} as never)).rejects.toThrow(/nothing was run/u);
});
