import { Agent, run, RunState, setTracingDisabled, tool } from "@openai/agents-core";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { createPermissions, type Dispatcher } from "@hasp/runtime";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import {
  openAIAgentsApprovals,
  toOpenAIAgentsTools,
  type ToOpenAIAgentsToolsOptions,
} from "@hasp/adapters/openai-agents";
import { expect, test } from "vitest";
import { dispatcherOf, openNotebook, openShop } from "./notebook.testing.js";

setTracingDisabled(true);

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: string | Record<string, unknown>;
}
type Options = Omit<ToOpenAIAgentsToolsOptions<unknown, unknown>, "tool">;
type NotesAgent = Agent<unknown, "text">;

/** An agent whose model makes these calls, if any, in its first reply, and ends with its next. */
function agentWith(
  dispatcher: Dispatcher,
  calls: readonly Call[],
  options?: Options,
): { agent: NotesAgent; model: ScriptedModel } {
  const model = new ScriptedModel([
    ...(calls.length === 0 ? [] : [calls.map(({ id, name, input }) => functionCall(name, input, { callId: id }))]),
    [assistantMessage("done")],
  ]);
  return {
    agent: new Agent({ name: "notes", model, tools: toOpenAIAgentsTools(dispatcher, { tool, ...options }) }),
    model,
  };
}

/** Reads the results that the model received, by call id. */
function outputsIn(model: ScriptedModel): ReadonlyMap<string, unknown> {
  const input = model.lastCall?.request.input;
  const items = Array.isArray(input) ? input : [];
  return new Map(
    items.flatMap((item) => (item.type === "function_call_result" ? [[item.callId, item.output] as const] : [])),
  );
}
const text = (pattern: RegExp): unknown => ({ type: "text", text: expect.stringMatching(pattern) });

test("calls that the SDK starts at once run as the dispatcher says", async () => {
  const notebook = openNotebook();
  const { agent, model } = agentWith(dispatcherOf(notebook), [
    { id: "1", name: "find_notes", input: { q: "a" } },
    { id: "2", name: "find_notes", input: { q: "b" } },
    { id: "3", name: "save_note", input: { name: "c", text: "" } },
    { id: "4", name: "find_notes", input: { q: "d", limit: "3" } },
    { id: "5", name: "save_note", input: { name: "e", text: "" } },
  ]);
  const { finalOutput } = await run(agent, "go");
  expect(finalOutput).toBe("done");
  expect(notebook.together).toEqual({ most: 2, writersBesideOthers: 0 });
  expect(notebook.log.filter((line) => line.endsWith("begins"))).toEqual([
    "find a begins",
    "find b begins",
    "save c begins",
    "find d begins",
    "save e begins",
  ]);
  expect([...outputsIn(model)]).toEqual([
    ["1", text(/^\{"hits":\["a","10"\]\}$/u)],
    ["2", text(/"b"/u)],
    ["3", text(/^saved c$/u)],
    ["4", text(/\["d","3"\]/u)],
    ["5", text(/^saved e$/u)],
  ]);
});

test("a faulty call reaches the model, and images as images", async () => {
  const { agent, model } = agentWith(dispatcherOf(openNotebook()), [
    { id: "1", name: "find_notes", input: { q: 3, more: true } },
    { id: "2", name: "find_notes", input: '{"q":' },
    { id: "3", name: "fail_note", input: {} },
    { id: "4", name: "wipe_note", input: { name: "a" } },
    { id: "5", name: "no_such_tool", input: {} },
    { id: "6", name: "draw_note", input: {} },
  ]);
  await run(agent, "go", { toolNotFoundBehavior: "return_error_to_model" });
  const outputs = outputsIn(model);
  expect([...outputs.keys()].toSorted()).toEqual(["1", "2", "3", "4", "5", "6"]);
  expect(outputs.get("1")).toEqual(text(/^Error: [\s\S]*nothing was run[\s\S]*q/u));
  // The SDK parses the arguments before it executes a tool.
  expect(outputs.get("2")).toEqual(text(/valid JSON/u));
  expect(outputs.get("3")).toEqual(text(/^Error: [\s\S]*the pen is dry/u));
  expect(outputs.get("4")).toEqual(text(/^Error: [\s\S]*no one to ask/u));
  expect(outputs.get("5")).toEqual(text(/no_such_tool/u));
  expect(outputs.get("6")).toEqual([
    { type: "input_text", text: "a dot" },
    expect.objectContaining({ type: "input_image", image: "data:image/png;base64,iVBORw0KGgo=" }),
  ]);
});

test("the model is sent the list that was compiled, without what has been denied since", async () => {
  const permissions = createPermissions({});
  const dispatcher = dispatcherOf(openNotebook(), { permissions });
  const { agent, model } = agentWith(dispatcher, [{ id: "1", name: "find_notes", input: { q: "a" } }]);
  const listed = dispatcher.definitions("openai-responses");
  permissions.deny("wipe_note");
  await run(agent, "go");
  const sent = model.firstCall?.request.tools ?? [];
  expect(sent.map(({ name }) => name)).toEqual(
    listed.map((entry) => entry["name"]).filter((name) => name !== "wipe_note"),
  );
  for (const tool of sent) {
    const entry = listed.find(({ name }) => name === tool.name);
    expect(tool).toMatchObject({ strict: entry?.["strict"], parameters: entry?.["parameters"] });
  }
});

test("streamed, it is the same", async () => {
  const notebook = openNotebook();
  const { agent, model } = agentWith(dispatcherOf(notebook), [
    { id: "1", name: "save_note", input: { name: "a", text: "" } },
    { id: "2", name: "find_notes", input: { q: "b" } },
  ]);
  const stream = await run(agent, "go", { stream: true });
  const names: string[] = [];
  for await (const event of stream) if (event.type === "run_item_stream_event") names.push(event.name);
  await stream.completed;
  expect(names.filter((name) => name === "tool_output")).toHaveLength(2);
  expect(notebook.log).toEqual(["save a begins", "save a ends", "find b begins", "find b ends"]);
  expect(outputsIn(model).size).toBe(2);
});

test("an abort reaches the handler", async () => {
  const notebook = openNotebook(10_000);
  const controller = new AbortController();
  const { agent } = agentWith(dispatcherOf(notebook), [{ id: "1", name: "find_notes", input: { q: "a" } }]);
  const running = run(agent, "go", { signal: controller.signal });
  await expect.poll(() => notebook.log).toContain("find a begins");
  controller.abort();
  await running.catch(() => undefined);
  expect(notebook.log).toContain("find a is aborted");
});

test("handlers get the context of the run", async () => {
  const seen: unknown[] = [];
  const dispatcher = dispatcherOf(openNotebook(), {
    hooks: { guard: ({ context }) => void seen.push(context) },
  });
  const context = { user: "ada" };
  await run(agentWith(dispatcher, [{ id: "1", name: "find_notes", input: { q: "a" } }]).agent, "go", { context });
  await run(
    agentWith(dispatcher, [{ id: "1", name: "find_notes", input: { q: "a" } }], { context: { user: "eve" } }).agent,
    "go",
    { context },
  );
  expect(seen).toEqual([{ user: "ada" }, { user: "eve" }]);
});

/** A run that ended in an interruption for `wipe_note`, beside a call that needs nobody. */
async function interrupted(): Promise<{
  readonly state: RunState<undefined, NotesAgent>;
  readonly go: (decide: "approve" | "reject") => Promise<unknown>;
  readonly log: readonly string[];
  readonly model: ScriptedModel;
  readonly dispatcher: Dispatcher;
}> {
  const notebook = openNotebook();
  const approvals = openAIAgentsApprovals();
  const dispatcher = dispatcherOf(notebook, { permissions: { ask: approvals.ask } });
  const { agent, model } = agentWith(
    dispatcher,
    [
      { id: "1", name: "find_notes", input: { q: "a" } },
      { id: "2", name: "wipe_note", input: { name: "a" } },
    ],
    { approvals },
  );
  const { interruptions, state } = await run(agent, "go");
  expect(interruptions.map(({ name, arguments: input }) => [name, input])).toEqual([["wipe_note", '{"name":"a"}']]);
  const [interruption] = interruptions;
  return {
    state,
    go: async (decide) => {
      if (interruption !== undefined) state[decide](interruption);
      return (await run(agent, state)).finalOutput;
    },
    log: notebook.log,
    model,
    dispatcher,
  };
}

test("a call that needs a person interrupts the run; approved, it runs once", async () => {
  const { go, log, model, dispatcher } = await interrupted();
  expect(log).toEqual(["find a begins", "find a ends"]);
  expect(await go("approve")).toBe("done");
  expect(log.slice(2)).toEqual(["wipe a begins", "wipe a ends"]);
  expect(outputsIn(model).get("2")).toEqual(text(/^wiped a$/u));
  // The approval was for that one call.
  const [again] = await dispatcher.dispatch([{ id: "2", name: "wipe_note", input: { name: "a" } }]);
  expect(again?.error?.code).toBe("denied");
});

test("a refused call does not run, and the model reads that it was not approved", async () => {
  const { go, log, model } = await interrupted();
  expect(await go("reject")).toBe("done");
  expect(log).toHaveLength(2);
  expect(outputsIn(model).get("2")).toEqual(text(/not approved/u));
});

test("an approved call does not run with another input than that of the question", async () => {
  const shop = openShop();
  const approvals = openAIAgentsApprovals();
  const dispatcher = dispatcherOf(shop, { permissions: { ask: approvals.ask } });
  const { agent, model } = agentWith(dispatcher, [{ id: "1", name: "pay_order", input: { id: "o17" } }], { approvals });
  const { interruptions, state } = await run(agent, "go");
  for (const interruption of interruptions) state.approve(interruption);
  shop.price = 9999;
  await run(agent, state);
  expect(outputsIn(model).get("1")).toEqual(text(/asked about it \(`amount`\)/u));
  expect(shop.log).toEqual([]);
});

test("an approval of every call of a tool covers none that nobody was shown", async () => {
  const notebook = openNotebook();
  const approvals = openAIAgentsApprovals();
  const dispatcher = dispatcherOf(notebook, { permissions: { ask: approvals.ask } });
  const model = new ScriptedModel([
    [functionCall("wipe_note", { name: "a" }, { callId: "1" })],
    [functionCall("wipe_note", { name: "b" }, { callId: "2" })],
    [assistantMessage("done")],
  ]);
  const agent = new Agent({ name: "notes", model, tools: toOpenAIAgentsTools(dispatcher, { tool, approvals }) });
  const { state, interruptions } = await run(agent, "go");
  for (const interruption of interruptions) state.approve(interruption, { alwaysApprove: true });
  await run(agent, state);
  expect(notebook.log).toEqual(["wipe a begins", "wipe a ends"]);
  expect(outputsIn(model).get("2")).toEqual(text(/^Error: [\s\S]*Nobody was asked/u));
});

test("with a call store, an approval of every call of a tool answers no question that nobody was shown", async () => {
  const callStore = memoryCallStore();
  const durable = durableCalls({ store: callStore });
  const notebook = openNotebook();
  const options: Options = { durable, turnId: (callId) => `chat/${callId}` };
  const model = new ScriptedModel([
    [functionCall("wipe_note", { name: "a" }, { callId: "1" })],
    [
      functionCall("wipe_note", { name: "b" }, { callId: "2" }),
      functionCall("wipe_note", { name: "all" }, { callId: "3" }),
    ],
    [functionCall("wipe_note", { name: "b" }, { callId: "2" })],
    [assistantMessage("done")],
  ]);
  const dispatcher = dispatcherOf(notebook, { extensions: [durable] });
  const agent = new Agent({ name: "notes", model, tools: toOpenAIAgentsTools(dispatcher, { tool, ...options }) });
  const { state, interruptions } = await run(agent, "go");
  expect(interruptions.map(({ arguments: input }) => input)).toEqual(['{"name":"a"}']);
  for (const interruption of interruptions) state.approve(interruption, { alwaysApprove: true });
  await run(agent, state);
  expect(notebook.log).toEqual(["wipe a begins", "wipe a ends"]);
  const outputs = outputsIn(model);
  for (const id of ["2", "3"]) expect(outputs.get(id)).toEqual(text(/^Error: Nobody was asked about this call/u));
  expect(await callStore.questions({ isOpen: true })).toEqual([]);
});

test.each([
  ["by the framework", undefined],
  ["by the store", "a"],
  ["by the store, with another input,", "b"],
])("with a call store, an answer %s runs the call, once", async (_by, answer) => {
  const callStore = memoryCallStore();
  const durable = durableCalls({ store: callStore });
  const calls = [
    { id: "1", name: "save_note", input: { name: "a", text: "" } },
    { id: "2", name: "wipe_note", input: { name: "a" } },
  ];
  const options: Options = { durable, turnId: (callId) => `chat/${callId}` };
  const first = agentWith(dispatcherOf(openNotebook(), { extensions: [durable] }), calls, options);
  const { state } = await run(first.agent, "go");

  // Another process: it has the state as text, and the store.
  const notebook = openNotebook();
  const dispatcher = dispatcherOf(notebook, { extensions: [durable] });
  const { agent, model } = agentWith(dispatcher, [], options);
  const restored = await RunState.fromString(agent, JSON.stringify(state));
  const [question] = await callStore.questions({ isOpen: true });
  expect(question).toMatchObject({ callId: "2", toolName: "wipe_note", input: { name: "a" } });
  if (answer !== undefined) {
    await dispatcher.use(durable).answer(question?.id ?? "", {
      decision: "allow",
      ...(answer === "b" && { input: { name: "b" } }),
    });
  } else for (const interruption of restored.getInterruptions()) restored.approve(interruption);
  const before = JSON.stringify(restored);
  await run(agent, restored);
  const name = answer ?? "a";
  expect(notebook.log).toEqual([`wipe ${name} begins`, `wipe ${name} ends`]);
  expect(outputsIn(model).get("2")).toEqual(text(name === "a" ? /^wiped a$/u : /^wiped b.*changed its input first/su));

  // A process that ended before it could store its state starts over from the old one.
  const third = agentWith(dispatcher, [], options);
  await run(third.agent, await RunState.fromString(third.agent, before));
  expect(notebook.log).toHaveLength(2);
});
