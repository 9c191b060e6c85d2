import { describe, expect, test } from "vitest";
import type { CallStore, LabelEntry } from "@hasp/runtime/call-store";
import {
  toolResult,
  type PermissionRequest,
  type ToolResult,
  type Tool,
  type Permissions,
  type DispatchEvent,
} from "@hasp/runtime";
import { informationFlow } from "@hasp/runtime/flow";
import { memoryCallStore } from "../calls/memory-call-store.js";
import {
  createHost as createDispatcher,
  callsOf,
  deferred,
  reader,
  writer,
  type HostOptions,
} from "./durable.testing.js";

type AnyObjectTool = Tool<Record<string, unknown>>;

const clean = { returnsUntrusted: false, returnsPrivate: false, isOpenWorld: false };
const tools: readonly AnyObjectTool[] = [
  reader("fetch", () => "a page", { behavior: { ...clean, returnsUntrusted: true } }),
  reader("find", () => "a row", { behavior: { ...clean, returnsPrivate: true } }),
  reader("clock", () => "noon", { behavior: clean }),
  writer("send", () => "sent", { behavior: { ...clean, isOpenWorld: true, destination: ({ to }) => to } }),
  writer("wipe", () => "wiped", {
    behavior: { ...clean, isOpenWorld: true, isDestructive: true, destination: ({ to }) => to },
  }),
];

interface World {
  readonly asked: PermissionRequest[];
  readonly events: DispatchEvent[];
  readonly dispatcher: ReturnType<typeof createDispatcher>;
  /** Dispatches turns of calls one after another in a conversation. Returns the codes, `ok` where there is none. */
  turns(...turns: readonly Parameters<typeof callsOf>[]): Promise<readonly string[]>;
}

function worldOf(answer?: ReturnType<NonNullable<Permissions["ask"]>>, options: Partial<HostOptions> = {}): World {
  const asked: PermissionRequest[] = [];
  const events: DispatchEvent[] = [];
  const ask = (request: PermissionRequest): NonNullable<typeof answer> => {
    // Its getters answer for now.
    asked.push({ ...request, reason: request.reason, flow: request.flow });
    return answer ?? "deny";
  };
  const dispatcher = createDispatcher({
    tools,
    flow: "ask",
    onEvent: (event) => events.push(event),
    permissions: answer === undefined ? {} : { ask },
    ...options,
  });
  return {
    asked,
    events,
    dispatcher,
    async turns(...turns) {
      const codes: string[] = [];
      for (const calls of turns) {
        for (const { error } of await dispatcher.dispatch(callsOf(...calls), { conversation: "c" })) {
          codes.push(error?.code ?? "ok");
        }
      }
      return codes;
    },
  };
}

const to = (address: string): readonly [string, unknown] => ["send", { to: address }];

describe("the labels of a conversation in a call store", () => {
  test("labels of a call store reach every process, from `dispatch` and `run`, and `forget` removes them", async () => {
    const callStore = memoryCallStore();
    const process = (): World => worldOf(undefined, { callStore });
    await process().dispatcher.run(callsOf("find"), { turnId: "t", conversation: "c" });
    expect(await process().turns(["fetch"])).toEqual(["ok"]);
    expect(await process().turns([to("ann")])).toEqual(["flow"]);
    expect(await process().dispatcher.use(informationFlow).labels("c")).toEqual([
      { label: "untrusted", calls: [{ callId: "1", toolName: "fetch" }] },
      { label: "private", calls: [{ callId: "1", toolName: "find", turnId: "t" }] },
    ]);
    const waiting = await process().dispatcher.run(callsOf(to("ann")), { turnId: "u", conversation: "c" });
    expect(waiting).toMatchObject({ status: "waiting", questions: [{ flow: { destination: "ann" } }] });
    await process().dispatcher.use(informationFlow).forget("c");
    expect(await process().turns([to("ann")])).toEqual(["ok"]);
  });

  test("a label is stored before its result is handed out", async () => {
    const store = memoryCallStore();
    const kept: string[] = [];
    const callStore = {
      ...store,
      addLabels: async (id: string, entries: readonly LabelEntry[]) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        kept.push(...entries.map(({ label }) => label));
        await store.addLabels?.(id, entries);
      },
    };
    const seen: number[] = [];
    await worldOf(undefined, { callStore }).dispatcher.dispatch(callsOf("find"), {
      onResult: () => seen.push(kept.length),
    });
    expect(seen).toEqual([1]);
  });

  const failing = (): Promise<never> => Promise.reject(new Error("the disk is full"));
  test.each<[string, Partial<CallStore>]>([
    ["rejects when it is asked for labels", { labels: failing }],
    ["cannot be set up", { setUp: failing }],
    ["never answers", { labels: () => new Promise(() => undefined) }],
    [
      "gives a label that nobody knows",
      { labels: async () => [{ label: "fine", callId: "1", toolName: "x" }] as never },
    ],
    ["gives no list", { labels: async () => ({}) as never }],
  ])("both labels count if the store %s", async (_, broken) => {
    const { turns, events } = worldOf(undefined, { callStore: { ...memoryCallStore(), ...broken }, hookTimeoutMs: 20 });
    expect(await turns(["clock"], [to("ann")])).toEqual(["ok", "flow"]);
    expect(events.find(({ type }) => type === "denied")).toMatchObject({ code: "flow" });
  });

  test("both labels count after a label could not be stored, until it is", async () => {
    const store = memoryCallStore();
    let isBroken = true;
    const addLabels: CallStore["addLabels"] = async (...parts) => {
      if (isBroken) throw new Error("the disk is full");
      await store.addLabels?.(...parts);
    };
    const { turns } = worldOf(undefined, { callStore: { ...store, addLabels } });
    expect(await turns(["find"], [to("ann")])).toEqual(["extension-failed", "flow"]);
    isBroken = false;
    expect(await turns([to("ann")])).toEqual(["ok"]);
    expect(await store.labels?.("c")).toMatchObject([{ label: "private", toolName: "find" }]);
  });

  const unstorable: readonly [string, Partial<CallStore>][] = [
    ["fails", { addLabels: failing }],
    ["never answers", { addLabels: () => new Promise(() => undefined) }],
  ];
  test.each(unstorable)(
    "under `ask` no result leaves if the store of its label %s, so that another process cannot send it unasked",
    async (_, broken) => {
      const store = memoryCallStore();
      const callStore = { ...store, ...broken };
      const { dispatcher, events } = worldOf(undefined, { callStore, hookTimeoutMs: 20 });
      const given: ToolResult[] = [];
      const conversation = "c";
      const turn = dispatcher.openTurn({ conversation, onResult: (result) => given.push(result) });
      for (const call of callsOf("fetch", "find")) turn.push(call);
      const { results } = await dispatcher.run(callsOf("find"), { turnId: "t", conversation });
      for (const result of [...(await turn.end()), ...given, ...results]) {
        expect(result.error).toMatchObject({ phase: "result", code: "extension-failed", effect: "none" });
        expect(JSON.stringify(result.content)).toMatch(/labels of its result could not be stored|took longer/u);
      }
      expect(given).toHaveLength(2);
      expect(events.filter(({ type }) => type === "problem")).toMatchObject([
        { code: "extension-failed", message: expect.stringContaining('"flow" failed at `endBatch`') as string },
        { code: "extension-failed", message: expect.stringContaining('"flow" failed at `endBatch`') as string },
      ]);
      const other = worldOf(undefined, { callStore: store });
      expect((await other.dispatcher.resume("t")).results[0]?.error?.code).toBe("extension-failed");
      expect(await other.turns([to("ann")])).toEqual(["ok"]);
    },
  );

  test("under `ask` no result is handed out again if its label cannot be stored", async () => {
    const store = memoryCallStore();
    await worldOf(undefined, { callStore: store }).dispatcher.run(callsOf("find"), { turnId: "t", conversation: "c" });
    await store.forget?.("c");
    const { dispatcher } = worldOf(undefined, { callStore: { ...store, addLabels: failing } });
    await expect(dispatcher.resume("t")).rejects.toThrow("could not be stored: the disk is full");
  });

  test.each(unstorable)(
    "under `note` results leave, and the host reads of it, if the store of a label %s",
    async (_, broken) => {
      const callStore = { ...memoryCallStore(), ...broken };
      const { turns, events } = worldOf(undefined, { callStore, flow: "note", hookTimeoutMs: 20 });
      expect(await turns(["find"])).toEqual(["ok"]);
      await expect
        .poll(() => events.filter(({ type }) => type === "problem"))
        .toMatchObject([{ code: "labels-not-stored" }]);
    },
  );

  test("`forget` rejects if the store does, and the labels count on", async () => {
    const { turns, dispatcher } = worldOf(undefined, { callStore: { ...memoryCallStore(), forget: failing } });
    await turns(["fetch", "find"]);
    await expect(dispatcher.use(informationFlow).forget("c")).rejects.toThrow("the disk is full");
    expect(await turns([to("ann")])).toEqual(["flow"]);
  });

  test.each([7, {}, "private", ["private", "fine"]])(
    "a stored result with the labels %j brings in both",
    async (labels) => {
      const callStore = memoryCallStore();
      const forged: CallStore = {
        ...callStore,
        advance: async (turnId, callId, from, next, patch) =>
          callStore.advance(turnId, callId, from, next, {
            ...patch,
            ...(patch.result && { result: { ...patch.result, labels: labels as never } }),
          }),
      };
      const hold = deferred();
      const slow = reader("slow", () => hold.promise, { behavior: clean });
      const { dispatcher } = worldOf(undefined, { callStore: forged, tools: [...tools, slow] });
      const runs = [1, 2].map(() => dispatcher.run(callsOf("slow"), { turnId: "t", conversation: "c" }));
      await new Promise((resolve) => setTimeout(resolve, 5));
      hold.resolve();
      await Promise.all(runs);
      expect((await dispatcher.use(informationFlow).labels("c")).map(({ label }) => label)).toEqual([
        "untrusted",
        "private",
      ]);
    },
  );

  test("labels are read only if some tool may reach the outside", async () => {
    let reads = 0;
    const store = memoryCallStore();
    const callStore: CallStore = { ...store, labels: async (id) => ((reads += 1), (await store.labels?.(id)) ?? []) };
    const inside = tools.filter(({ mayLeadOutside }) => !mayLeadOutside);
    await worldOf(undefined, { callStore, tools: inside }).turns(["fetch", "find"], ["clock"]);
    expect([inside.length, reads]).toEqual([3, 0]);
    expect(await worldOf(undefined, { callStore }).turns([to("ann")])).toEqual(["flow"]);
    expect(reads).toBe(1);
  });

  test("a nested call with the id of a later call of its turn brings its labels in for that one too", async () => {
    const { dispatcher } = worldOf(undefined, {
      callStore: memoryCallStore(),
      tools: [...tools, writer("outer", (_, { dispatch }) => dispatch(callsOf("fetch", "find")), { behavior: clean })],
    });
    for (const id of ["1", "2", "3"]) {
      const calls = [
        { id: "0", name: "outer", input: {} },
        { id, name: "send", input: { to: "ann" } },
      ];
      const outcome = await dispatcher.run(calls, { turnId: `turn ${id}`, conversation: id });
      expect(outcome).toMatchObject({ status: "waiting", questions: [{ flow: { private: [{ toolName: "find" }] } }] });
    }
  });

  test("the labels of a nested call that outlives its batch are stored", async () => {
    const callStore = memoryCallStore();
    const say = deferred<unknown>();
    const late = writer("late", () => say.promise, { behavior: { ...clean, interruptBehavior: "block" } });
    const outer = writer("outer", (_, { dispatch }) => dispatch(callsOf("late")), {
      behavior: { ...clean, interruptBehavior: "block" },
      limits: { timeoutSeconds: 0.02 },
    });
    const { turns } = worldOf(undefined, { callStore, tools: [...tools, late, outer] });
    expect(await turns(["outer"])).toEqual(["timeout"]);
    expect(await callStore.labels?.("c")).toEqual([]);
    say.resolve(toolResult({ content: "a secret", private: true }));
    await expect.poll(() => callStore.labels?.("c")).toMatchObject([{ label: "private", toolName: "late" }]);
  });

  test("a label that is still being stored counts on, although another turn reads the store meanwhile", async () => {
    const store = memoryCallStore();
    const [isSaving, mayEnd, settled] = [deferred(), deferred(), deferred()];
    const addLabels: CallStore["addLabels"] = async (...parts) => {
      isSaving.resolve();
      await mayEnd.promise;
      await store.addLabels?.(...parts);
    };
    const { dispatcher } = worldOf(undefined, { callStore: { ...store, addLabels } });
    let left = 2;
    const turn = dispatcher.openTurn({
      conversation: "c",
      onResult: () => (left -= 1) === 0 && settled.resolve(),
    });
    for (const call of callsOf("fetch", "find")) turn.push(call);
    await isSaving.promise;
    await dispatcher.dispatch(callsOf("clock"), { conversation: "c" });
    mayEnd.resolve();
    await settled.promise;
    turn.push({ id: "3", name: "send", input: { to: "ann" } });
    expect((await turn.end()).at(-1)?.error?.code).toBe("flow");
  });

  test("a label that could not be stored counts on, although another one could be stored meanwhile", async () => {
    const store = memoryCallStore();
    const firstFailed = deferred();
    let requests = 0;
    const addLabels: CallStore["addLabels"] = async (...parts) => {
      requests += 1;
      if (requests === 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        firstFailed.resolve();
        throw new Error("the disk is full");
      }
      await firstFailed.promise;
      await new Promise((resolve) => setTimeout(resolve, 5));
      await store.addLabels?.(...parts);
    };
    const { turns } = worldOf(undefined, { callStore: { ...store, addLabels } });
    await Promise.all([turns(["fetch"]), turns(["find"])]);
    expect(await turns([to("ann")])).toEqual(["flow"]);
    await turns(["find"]);
    expect((await store.labels?.("c"))?.map(({ label }) => label).toSorted()).toEqual(["private", "untrusted"]);
    expect(await turns([to("ann")])).toEqual(["flow"]);
  });

  test("labels that came after an answer without `flow` refuse the call as `policy-changed`", async () => {
    const asking = writer("asking", () => "ok", {
      behavior: { ...clean, isOpenWorld: true, requiresPermission: true },
    });
    const { dispatcher } = worldOf(undefined, { callStore: memoryCallStore(), tools: [...tools, asking] });
    const waiting = await dispatcher.run(callsOf("asking"), { turnId: "t", conversation: "c" });
    if (waiting.status !== "waiting") return expect.fail("it waits");
    await dispatcher.answer(waiting.questions[0]?.id ?? "", { decision: "allow" });
    await dispatcher.dispatch(callsOf("fetch", "find"), { conversation: "c" });
    const { results } = await dispatcher.resume("t");
    expect(results[0]?.error).toMatchObject({ code: "policy-changed", effect: "none" });
  });

  test("a destination that is secret reaches neither a stored question, nor the audit, nor a stored result", async () => {
    const callStore = memoryCallStore();
    const secret = { type: "object", properties: { to: { type: "string", writeOnly: true } } } as const;
    const odd = writer("odd", () => "ok", {
      input: secret,
      behavior: { ...clean, isOpenWorld: true, requiresPermission: true, destination: ({ to: place }) => place },
    });
    const { dispatcher } = worldOf(undefined, { callStore, tools: [...tools, odd] });
    const ask = (turnId: string): ReturnType<typeof dispatcher.run> =>
      dispatcher.run(callsOf(["odd", { to: "canary" }]), { turnId, conversation: "c" });
    const early = await ask("early");
    await dispatcher.dispatch(callsOf("fetch", "find"), { conversation: "c" });
    const late = await ask("late");
    if (early.status !== "waiting" || late.status !== "waiting") return expect.fail("they wait");
    expect(late.questions[0]?.flow?.destination).toBe("[secret]");
    await dispatcher.answer(early.questions[0]?.id ?? "", { decision: "allow" });
    const { results } = await dispatcher.resume("early");
    expect(results[0]?.error?.code).toBe("policy-changed");
    const kept = [late, results, await callStore.records({})];
    expect(JSON.stringify(kept)).not.toContain("canary");
  });

  test.each([
    ["a store that keeps no labels", false],
    ["`forget`", true],
  ])("a result that is handed out again brings in its labels again, after %s", async (_, keepsLabels) => {
    const whole = memoryCallStore();
    const { addLabels: _added, labels: _listed, forget: _forgotten, ...bare } = whole;
    const callStore: CallStore = keepsLabels ? whole : bare;
    const calls = callsOf("fetch", "find");
    await worldOf(undefined, { callStore }).dispatcher.run(calls, { turnId: "t", conversation: "c" });
    await whole.forget?.("c");
    const { dispatcher, turns } = worldOf(undefined, { callStore });
    expect(await turns([to("ann")])).toEqual(["ok"]);
    await dispatcher.resume("t");
    expect(await turns([to("ann")])).toEqual(["flow"]);
    expect(await whole.labels?.("c")).toHaveLength(keepsLabels ? 2 : 0);
  });

  test("a call that a lost process may have started brings in both labels, although it is refused now", async () => {
    const callStore = memoryCallStore();
    const dying: CallStore = {
      ...callStore,
      addLabels: async () => undefined,
      advance: async (turnId, callId, from, next, patch) => {
        if (next === "settled") throw new Error("the process dies");
        return callStore.advance(turnId, callId, from, next, patch);
      },
    };
    const write = writer("write", () => "ok", { behavior: { ...clean, returnsPrivate: true, isIdempotent: true } });
    const world = (store: CallStore, options: Partial<HostOptions> = {}): World =>
      worldOf(undefined, { callStore: store, tools: [...tools, write], leaseSeconds: 1, ...options });
    await expect(world(dying).dispatcher.run(callsOf("write"), { turnId: "t" })).rejects.toThrow("dies");
    const { dispatcher } = world(callStore, { permissions: { deny: ["write"] } });
    expect((await dispatcher.resume("t")).results[0]?.error).toMatchObject({ effect: "unknown" });
    expect((await dispatcher.use(informationFlow).labels()).map(({ label }) => label)).toEqual([
      "untrusted",
      "private",
    ]);
  });

  test("a person's answer to a question with `flow` runs the call on resume", async () => {
    const { dispatcher } = worldOf(undefined, { callStore: memoryCallStore() });
    await dispatcher.dispatch(callsOf("fetch", "find"), { conversation: "c" });
    const waiting = await dispatcher.run(callsOf(to("ann")), { turnId: "t", conversation: "c" });
    if (waiting.status !== "waiting") return expect.fail("it waits");
    await dispatcher.answer(waiting.questions[0]?.id ?? "", { decision: "allow" });
    expect((await dispatcher.resume("t")).results[0]?.isError).toBe(false);
    const again = dispatcher.run(callsOf(to("ann")), { turnId: "t", conversation: "d" });
    await expect(again).rejects.toThrow("another conversation");
  });

  test("the conversation of another principal brings its labels along", async () => {
    const callStore = memoryCallStore();
    await worldOf(undefined, { callStore, principal: "ann" }).turns(["fetch", "find"]);
    expect(await worldOf(undefined, { callStore, principal: "bob" }).turns([to("ann")])).toEqual(["flow"]);
  });

  test("the labels of a sub-agent's calls reach the conversation that started it", async () => {
    const callStore = memoryCallStore();
    const agent = writer(
      "run_agent",
      async (_input, { dispatch }) => {
        for (const step of [["fetch"], ["find", "clock"]]) await dispatch(callsOf(...step));
        return "a summary";
      },
      { behavior: clean },
    );
    const { turns, asked, dispatcher } = worldOf("deny", { callStore, tools: [...tools, agent] });
    expect(await turns([to("ann")], ["run_agent"], [to("ann")])).toEqual(["ok", "ok", "denied"]);
    expect(asked.map(({ flow }) => [...(flow?.untrusted ?? []), ...(flow?.private ?? [])])).toEqual([
      [
        { callId: "1", toolName: "fetch" },
        { callId: "1", toolName: "find" },
      ],
    ]);
    expect(await dispatcher.use(informationFlow).labels()).toEqual([]);
    expect(await worldOf(undefined, { callStore }).turns([to("ann")])).toEqual(["flow"]);
  });

  test("a conversation that memory had to drop is read again from its store", async () => {
    const callStore = memoryCallStore();
    const { turns, dispatcher } = worldOf(undefined, { callStore });
    await turns(["find"]);
    const running = dispatcher.openTurn({ conversation: "open" });
    running.push({ id: "1", name: "find", input: {} });
    for (let index = 0; index < 20_000; index += 1) await dispatcher.use(informationFlow).labels(`other ${index}`);
    await running.end();
    expect(await dispatcher.use(informationFlow).labels("open")).toMatchObject([
      { label: "private", calls: [{ toolName: "find" }] },
    ]);
    expect(await turns([to("ann")])).toEqual(["ok"]);
    expect((await dispatcher.use(informationFlow).labels("c")).length).toBe(1);
    await dispatcher.use(informationFlow).forget("c");
    expect(await turns([to("ann")])).toEqual(["ok"]);
  });

  test("a result names its labels, as do its event and the audit record", async () => {
    const store = memoryCallStore();
    const { dispatcher, events } = worldOf(undefined, { callStore: store });
    await dispatcher.run(callsOf("find"), { turnId: "t" });
    expect(events.find(({ type }) => type === "settled")).toMatchObject({ result: { labels: ["private"] } });
    expect((await store.records({ turnId: "t" })).at(-1)).toMatchObject({ to: "settled", labels: ["private"] });
    expect(await dispatcher.use(informationFlow).labels()).toEqual([
      { label: "private", calls: [{ callId: "1", toolName: "find", turnId: "t" }] },
    ]);
  });
});
