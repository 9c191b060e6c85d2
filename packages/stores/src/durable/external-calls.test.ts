import { expect, onTestFinished, test, vi } from "vitest";
import { buildTool, type GuardHook, type ToolCall } from "@hasp/runtime";
import type { CallStore, RunOutcome } from "@hasp/runtime/call-store";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { callsOf, createHost as createDispatcher, type HostOptions } from "./durable.testing.js";

const chooseDate = (parts: object = {}) =>
  buildTool({
    name: "choose_date",
    description: "Asks the person for a date.",
    input: { type: "object", properties: { title: { type: "string" } }, additionalProperties: false },
    output: { type: "string", format: "date" },
    behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
    external: true,
    ...parts,
  });

function world(store: CallStore = memoryCallStore(), options: Partial<HostOptions> = {}) {
  const process = (own: Partial<HostOptions> = {}) =>
    createDispatcher({ tools: [chooseDate()], callStore: store, leaseSeconds: 0.1, ...options, ...own } as HostOptions);
  const run = () => process().run(callsOf(["choose_date", { title: "When?" }]), { turnId: "t" });
  return { store, process, run };
}

const waitingIn = (outcome: RunOutcome) => (outcome.status === "waiting" ? (outcome.externals ?? []) : []);

test("a call that the host executes has its output validated, and is refused where there is nobody", async () => {
  const calls = callsOf(["choose_date", { title: "When?" }]);
  const seen: unknown[] = [];
  const answers = ["2030-01-31", "soon"];
  const dispatcher = createDispatcher({
    tools: [chooseDate()],
    external: (call, { signal }) => {
      seen.push([call, signal.aborted]);
      return answers[seen.length - 1];
    },
  });
  expect((await dispatcher.dispatch(calls))[0]).toMatchObject({ isError: false, output: "2030-01-31" });
  expect((await dispatcher.dispatch(calls))[0]?.error?.code).toBe("invalid-output");
  expect(seen[0]).toEqual([{ callId: "1", toolName: "choose_date", input: { title: "When?" } }, false]);
  const [alone] = await createDispatcher({
    tools: [chooseDate()],
    permissions: { ask: () => expect.fail("asked") },
  }).dispatch(calls);
  expect(alone?.error).toMatchObject({ code: "no-one-to-execute", effect: "none" });
});

test("a stored call waits for somebody who executes it, and ends in any process, once", async () => {
  const { process, run, store } = world();
  const first = await run();
  const [waiting] = waitingIn(first);
  expect(waiting).toMatchObject({ callId: "1", toolName: "choose_date", input: { title: "When?" } });
  expect(waitingIn(await process().resume("t"))).toEqual([waiting]);
  const id = waiting?.id ?? "";
  const complete = (completion: object, other = id) => process().complete(other, completion as never);
  for (const wrong of [{}, { output: 1, error: "x" }, { error: 5 }, { result: 1 }, { output: () => 1 }]) {
    await expect(complete(wrong)).rejects.toThrow(TypeError);
  }
  for (const other of ["", "t/1/", "t/1/guess", "%", `${id}x`]) {
    expect(await complete({ output: "2030-01-31" }, other)).toEqual({ accepted: false, reason: "unknown-call" });
  }
  const both = await Promise.all(["2030-01-31", "2031-01-31"].map((output) => complete({ output })));
  expect(both.map(({ accepted }) => accepted).toSorted()).toEqual([false, true]);
  const { results } = await process().resume("t");
  expect(results[0]).toMatchObject({
    isError: false,
    output: both[0]?.accepted === true ? "2030-01-31" : "2031-01-31",
  });
  expect(await complete({ output: "2032-01-31" })).toEqual({ accepted: false, reason: "too-late" });
  expect((await process().resume("t")).results).toEqual(results);
  expect((await store.records({ turnId: "t" })).map(({ to }) => to)).toEqual([
    "proposed",
    "reserved",
    "reserved",
    "settled",
  ]);
});

test("a call that waits for somebody elsewhere holds no gate", async () => {
  const { process, run } = world();
  const close = buildTool({
    name: "close_account",
    description: "Closes the account.",
    input: { type: "object", properties: {} },
    behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
    execute: () => "closed",
  });
  expect(waitingIn(await run())).toHaveLength(1);
  const { results } = await process({ tools: [chooseDate(), close] }).run(callsOf("close_account"), { turnId: "u" });
  expect(results[0]).toMatchObject({ isError: false });
});

test("a call with any id, of a turn with any id, can be completed", async () => {
  const { process } = world();
  const turnId = "a/b ~1%";
  const calls = [{ id: "\ud800/~%", name: "choose_date", input: {} }];
  const [waiting] = waitingIn(await process().run(calls, { turnId }));
  expect(await process().complete(waiting?.id ?? "", { output: "2030-01-31" })).toEqual({ accepted: true });
  expect((await process().resume(turnId)).results[0]?.output).toBe("2030-01-31");
});

test("a preview knows that a call store keeps the call for somebody else", async () => {
  const { process } = world();
  const [call] = callsOf("choose_date");
  expect(await process().preview(call as ToolCall)).toMatchObject({ decision: "allow" });
  expect(await process({ callStore: undefined }).preview(call as ToolCall)).toMatchObject({
    decision: "invalid",
    code: "no-one-to-execute",
  });
});

test("hooks that ran for the preview of a call run again for another input, and let no other tool run", async () => {
  const ran: string[] = [];
  const tool = (name: string) =>
    chooseDate({ name, external: undefined, execute: () => (ran.push(name), "2030-01-31") });
  const guard: GuardHook = ({ toolName, input }) => {
    ran.push(`guard of ${toolName}`);
    return toolName === "look" && "title" in Object(input) ? undefined : { block: "no" };
  };
  const { process } = world(undefined, { tools: [tool("look"), tool("wipe")], hooks: { guard } } as never);
  const [look] = callsOf(["look", { title: "a" }]);
  const dispatcher = process();
  const preview = await dispatcher.preview(look as ToolCall, { runsHooks: true });
  const code = async (turnId: string, name: string, input: object, given = preview) =>
    (await dispatcher.run(callsOf([name, input]), { turnId, preview: given })).results[0]?.error?.code;
  expect(await code("wipe", "wipe", { title: "a" })).toBe("tool-changed");
  expect(await code("input", "look", {})).toBe("blocked");
  expect(await code("hooks", "look", {}, { ...preview, hooks: undefined } as never)).toBe("blocked");
  expect(ran.splice(0)).toEqual(["guard of look", "guard of look", "guard of look"]);
  expect(await code("same", "look", { title: "a" })).toBeUndefined();
  expect(ran).toEqual(["look"]);
});

test("a completion counts only for the principal of the turn, and at most 1,000,000 characters of it are stored", async () => {
  const { process, store } = world();
  const turn = { turnId: "t", principal: "ada" };
  const [waiting] = waitingIn(await process().run(callsOf("choose_date"), turn));
  const complete = (output: unknown, principal?: string) =>
    process().complete(waiting?.id ?? "", { output } as never, { principal });
  for (const other of [undefined, "bob"]) {
    expect(await complete("2030-01-31", other)).toEqual({ accepted: false, reason: "not-permitted" });
  }
  await expect(complete("a".repeat(2 ** 20), "ada")).rejects.toThrow("at most 1000000 characters");
  expect(await complete("a".repeat(999_998), "ada")).toEqual({ accepted: true });
  const { results } = await process().resume("t", { principal: "ada" });
  expect(results[0]?.error?.code).toBe("invalid-output");
  expect((await store.records({ turnId: "t" })).find(({ from, to }) => from === to)).toMatchObject({ by: "ada" });
});

test.each([
  [{ output: "soon" }, { code: "invalid-output" }],
  [{ error: "The person closed the page." }, { code: "threw", effect: "unknown" }],
])("the completion %j is the end of a call as that of a handler would be", async (completion, error) => {
  const { process, run } = world();
  const [waiting] = waitingIn(await run());
  await process().complete(waiting?.id ?? "", completion as never);
  expect((await process().resume("t")).results[0]?.error).toMatchObject(error);
});

test("an external call that needs permission is asked about first, and an edit is what the other one sees", async () => {
  const { process, run, store } = world(undefined, {
    tools: [chooseDate({ behavior: { requiresPermission: true, isDestructive: false, isOpenWorld: false } })],
  } as never);
  expect(waitingIn(await run())).toEqual([]);
  const [question] = await store.questions({ turnId: "t" });
  await process().answer(question?.id ?? "", { decision: "allow", input: { title: "Which day?" } });
  const [waiting] = waitingIn(await process().resume("t"));
  expect(waiting?.input).toEqual({ title: "Which day?" });
  await process().complete(waiting?.id ?? "", { output: "2030-01-31" });
  expect((await process().resume("t")).results[0]).toMatchObject({ isError: false, output: "2030-01-31" });
});

const denies: Partial<HostOptions> = { permissions: { deny: ["choose_date"] } };
const asks: Partial<HostOptions> = { permissions: { rules: [{ tool: "choose_date", decision: "ask" }] } };
const isAborted = { signal: AbortSignal.abort() };

test.each([
  ["completed, and is denied now", true, denies, {}, "policy-changed"],
  ["handed out, and is denied now", false, denies, {}, "policy-changed"],
  ["handed out, and a person must be asked about it now", false, asks, {}, "policy-changed"],
  ["completed, and its turn is aborted", true, {}, isAborted, "aborted"],
  ["handed out, and its turn is aborted", false, {}, isAborted, "aborted"],
])(
  "a call that was %s may have had an effect, and can no longer be completed",
  async (_, isFirst, own, options, code) => {
    const { process, run } = world();
    const [waiting] = waitingIn(await run());
    const complete = () => process().complete(waiting?.id ?? "", { output: "2030-01-31" });
    if (isFirst) await complete();
    const { results } = await process(own).resume("t", options);
    expect(results[0]?.error).toMatchObject({ code, effect: "unknown" });
    expect(await complete()).toEqual({ accepted: false, reason: "too-late" });
    expect((await process().resume("t")).results).toEqual(results);
  },
);

test("a process of an earlier version executes no call that somebody else executes, completed or not", async () => {
  const kept = memoryCallStore();
  const tool = chooseDate({ behavior: { requiresPermission: false, isReadOnly: true, isDestructive: false } });
  const { process, run } = world(kept, { tools: [tool] });
  const [waiting] = waitingIn(await run());
  await process().complete(waiting?.id ?? "", { output: "2030-01-31" });
  const { external: _, ...older } = tool;
  const read: CallStore["read"] = async (turnId) => {
    const turn = await kept.read(turnId);
    return turn && { ...turn, calls: turn.calls.map(({ awaited: _a, completion: _c, ...call }) => call) };
  };
  const tools = [{ ...older, execute: () => expect.fail("it ran") }];
  const { results } = await process({ tools, callStore: { ...kept, read } } as never).resume("t");
  expect(results[0]?.error?.code).toBe("tool-changed");
});

test("a process that dies after a completion loses nothing, and completes nothing twice", async () => {
  const kept = memoryCallStore();
  let isDying = true;
  const { process, run } = world({
    ...kept,
    advance: async (...parts) => {
      if (isDying && parts[3] === "settled") throw new Error("the process dies");
      return kept.advance(...parts);
    },
  });
  const [waiting] = waitingIn(await run());
  await process().complete(waiting?.id ?? "", { output: "2030-01-31" });
  await expect(process().resume("t")).rejects.toThrow("dies");
  isDying = false;
  expect((await process().resume("t")).results[0]).toMatchObject({ isError: false, output: "2030-01-31" });
});

function waitUntil(date = ""): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(date) });
  onTestFinished(() => void vi.useRealTimers());
}

test.each([
  ["a call that may change something", {}, "unknown"],
  ["a reader", { concurrency: { class: "READ_ONLY" } }, "none"],
])("%s that nobody completes in its time has timed out, and is completed no more", async (_, parts, effect) => {
  const { process, run, store } = world(undefined, { tools: [chooseDate(parts)], externalTtlSeconds: 3600 } as never);
  const [waiting] = waitingIn(await run());
  const complete = () => process().complete(waiting?.id ?? "", { output: "2030-01-31" });
  waitUntil(waiting?.expiresAt);
  expect(await complete()).toEqual({ accepted: false, reason: "expired" });
  const { results } = await process().resume("t");
  expect(results[0]?.error).toMatchObject({ code: "timeout", effect });
  expect(await complete()).toEqual({ accepted: false, reason: "too-late" });
  expect((await store.records({ turnId: "t" })).at(-1)).toMatchObject({ to: "settled", code: "timeout" });
});

test("an output that came in time counts, however late the turn is resumed", async () => {
  const { process, run } = world();
  const [waiting] = waitingIn(await run());
  await process().complete(waiting?.id ?? "", { output: "2030-01-31" });
  waitUntil(waiting?.expiresAt);
  expect((await process().resume("t")).results[0]?.output).toBe("2030-01-31");
});

test("an output that came in time counts, also if the turn was read before", async () => {
  const store = memoryCallStore();
  const { process, run } = world(store);
  const [waiting] = waitingIn(await run());
  const read: CallStore["read"] = async (turnId) => {
    const turn = await store.read(turnId);
    if (Date.now() < Date.parse(waiting?.expiresAt ?? "")) {
      await process().complete(waiting?.id ?? "", { output: "2030-01-31" });
      waitUntil(waiting?.expiresAt);
    }
    return turn;
  };
  const { results } = await process({ callStore: { ...store, read } }).resume("t");
  expect(results[0]?.output).toBe("2030-01-31");
});
