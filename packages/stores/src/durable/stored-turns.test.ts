import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CallStore, type Question, TurnConflict, UnknownTurn, type RunOutcome } from "@hasp/runtime/call-store";
import { type ToolCall, buildTool, type AnyTool, type DispatcherOptions } from "@hasp/runtime";
import { answerOrRefuse, liveTools } from "@hasp/runtime/internal";
import { memoryCallStore } from "../calls/memory-call-store.js";
import {
  createHost as createDispatcher,
  anyObject,
  callsOf,
  deferred,
  reader,
  sleep,
  writer,
  type Host,
  type HostOptions,
} from "./durable.testing.js";

const asks = { behavior: { requiresPermission: true } } as const;

interface World {
  readonly store: CallStore;
  readonly effects: string[];
  /** Another process: a dispatcher of its own on the same store. */
  process(options?: Partial<HostOptions>): Host;
}

function worldOf(defaults: Partial<HostOptions> = {}): World {
  const store = memoryCallStore();
  const effects: string[] = [];
  const act = (name: string) => (): string => {
    effects.push(name);
    return `${name} done`;
  };
  return {
    store,
    effects,
    process: (options) =>
      createDispatcher({
        tools: [
          reader("look", act("look")),
          reader("peek", act("peek"), asks),
          writer("write", act("write")),
          writer("pay", act("pay"), asks),
        ],
        callStore: store,
        leaseSeconds: 0.3,
        ...defaults,
        ...options,
      }),
  };
}

function questionsOf(outcome: RunOutcome): readonly Question[] {
  return outcome.status === "waiting" ? outcome.questions : [];
}

const codesOf = ({ results }: RunOutcome): unknown[] => results.map(({ error }) => error?.code ?? "ok");

describe("run", () => {
  test("the maker of a call is on its result in the process that resumes it, and binds the id of the turn", async () => {
    const { process } = worldOf();
    const calls = [{ id: "1", name: "pay", input: {}, origin: { caller: { type: "program", caller_id: "p" } } }];
    const [question] = questionsOf(await process().run(calls, { turnId: "t" }));
    await process().answer(question?.id ?? "", { decision: "allow" });
    expect((await process().resume("t")).results[0]?.origin).toEqual(calls[0]?.origin);
    const reordered = [{ ...calls[0], origin: { caller: { caller_id: "p", type: "program" } } }] as ToolCall[];
    expect((await process().run(reordered, { turnId: "t" })).status).toBe("settled");
    const other = [{ ...calls[0], origin: { caller: { type: "direct" } } }] as ToolCall[];
    await expect(process().run(other, { turnId: "t" })).rejects.toThrow(TurnConflict);
  });

  test("run answers as dispatch does if nobody has to be asked, and again without running anything", async () => {
    const { process, effects } = worldOf();
    const calls = [
      ...callsOf("look", "write", "nothing"),
      { id: "1", name: "look", input: {} },
      { id: "", name: "look", input: {} },
    ];
    const outcome = await process().run(calls, { turnId: "t" });
    const dispatched = await process({ callStore: undefined }).dispatch(calls);
    expect(outcome.status).toBe("settled");
    const shown = (results: RunOutcome["results"]): unknown =>
      results.map(({ durationMs: _durationMs, ...result }) => result);
    expect(shown(outcome.results)).toEqual(shown(dispatched));
    expect(codesOf(outcome)).toEqual(["ok", "ok", "unknown-tool", "duplicate-call-id", "malformed-call"]);
    effects.length = 0;
    expect(await process().run(calls, { turnId: "t" })).toEqual(outcome);
    expect(await process().resume("t")).toEqual(outcome);
    expect(effects).toEqual([]);
  });

  test("run rejects a used turn id with other calls or another principal", async () => {
    const { process } = worldOf();
    await process().run(callsOf("look"), { turnId: "t" });
    await expect(process().run(callsOf(["look", { a: 1 }]), { turnId: "t" })).rejects.toThrow(TurnConflict);
    await expect(process({ principal: "eve" }).run(callsOf("look"), { turnId: "t" })).rejects.toThrow(TurnConflict);
    await expect(process({ principal: "eve" }).resume("t")).rejects.toThrow(TurnConflict);
    await expect(process().resume("other")).rejects.toThrow(UnknownTurn);
    for (const turnId of ["", "a\nb", "x".repeat(201), undefined, 7]) {
      await expect(process().run(callsOf("look"), { turnId: turnId as string })).rejects.toThrow(TypeError);
    }
  });
});

describe("a question", () => {
  test("a question waits in the store; readers beside it run, later batches wait", async () => {
    const { process, effects, store } = worldOf({ principal: "ann" });
    const calls = callsOf(["peek", { a: 1 }], "look", "pay", "look");
    const waiting = await process().run(calls, { turnId: "t", context: {} });
    expect(waiting.status).toBe("waiting");
    expect(waiting.results.map(({ callId }) => callId)).toEqual(["2"]);
    expect(effects).toEqual(["look"]);
    const [question, ...others] = questionsOf(waiting);
    expect(others).toEqual([]);
    expect(question).toMatchObject({
      turnId: "t",
      callId: "1",
      toolName: "peek",
      input: { a: 1 },
      class: "READ_ONLY",
      principal: "ann",
    });
    expect(await store.questions({ isOpen: true })).toEqual([question]);
    expect(await process().resume("t")).toEqual(waiting);

    expect(await process().answer(question?.id ?? "", { decision: "allow", by: "ann" })).toEqual({ accepted: true });
    const next = await process().resume("t");
    expect(effects).toEqual(["look", "peek"]);
    expect(questionsOf(next).map(({ callId }) => callId)).toEqual(["3"]);
    await process().answer(questionsOf(next)[0]?.id ?? "", { decision: "deny", by: "ann", reason: "too dear" });
    const settled = await process().resume("t");
    expect(codesOf(settled)).toEqual(["ok", "ok", "denied", "ok"]);
    expect(settled.results[2]?.error?.message).toBe("too dear");
    expect(effects).toEqual(["look", "peek", "look"]);
  });

  test("a question keeps as much of a reason as a model should read", async () => {
    const { process } = worldOf();
    const [question] = questionsOf(await process().run(callsOf("peek"), { turnId: "t" }));
    await process().answer(question?.id ?? "", { decision: "deny", by: "ann", reason: "no ".repeat(20_000) });
    expect((await process().resume("t")).results[0]?.error?.message).toHaveLength(500);
  });

  test("several questions of one batch are open at once, in call order", async () => {
    const waiting = await worldOf()
      .process()
      .run(callsOf("peek", "look", "peek"), { turnId: "t" });
    expect(questionsOf(waiting).map(({ callId }) => callId)).toEqual(["1", "3"]);
  });

  test("`ask` is called once and first, and may leave the question for later", async () => {
    const { process, store } = worldOf();
    let asked = 0;
    const later = { permissions: { ask: () => ((asked += 1), "later" as const) } };
    const waiting = await process(later).run(callsOf("pay"), { turnId: "t" });
    expect(questionsOf(waiting)).toHaveLength(1);
    expect(await process(later).resume("t")).toEqual(waiting);
    expect(asked).toBe(1);
    const allowed = await process({ permissions: { ask: () => "allow" } }).run(callsOf("pay"), { turnId: "u" });
    expect(codesOf(allowed)).toEqual(["ok"]);
    const denied = await process({ permissions: { ask: () => "deny" } }).run(callsOf("pay"), { turnId: "v" });
    expect(codesOf(denied)).toEqual(["denied"]);
    expect((await store.records({ turnId: "v" })).map(({ to }) => to)).toEqual([
      "proposed",
      "asked",
      "denied",
      "settled",
    ]);
  });

  test("the first answer decides if somebody answers elsewhere while `ask` is open", async () => {
    const { process, store, effects } = worldOf();
    const person = deferred<"allow">();
    const running = process({ permissions: { ask: () => person.promise } }).run(callsOf("pay"), { turnId: "t" });
    await sleep(20);
    const [question] = await store.questions({ isOpen: true });
    await process().answer(question?.id ?? "", { decision: "deny", by: "bob" });
    person.resolve("allow");
    expect(codesOf(await running)).toEqual(["denied"]);
    expect(effects).toEqual([]);
  });

  test("a question is refused, not left open, in unattended mode, and waits even if nobody is there", async () => {
    const { process } = worldOf();
    const unattended = await process({ permissions: { mode: "unattended" } }).run(callsOf("pay"), { turnId: "t" });
    expect(codesOf(unattended)).toEqual(["no-one-to-ask"]);
    const off = await process({}).run(callsOf("pay"), { turnId: "u" });
    expect(off.status).toBe("waiting");
  });

  test("a question shows no secrets, and the store forgets the input with the call", async () => {
    const { store, process } = worldOf();
    const login = buildTool({
      name: "login",
      description: "Logs in.",
      input: {
        type: "object",
        additionalProperties: false,
        properties: {
          user: { type: "string" },
          password: { type: "string", format: "password" },
          more: {
            type: "array",
            items: {
              type: "object",
              additionalProperties: false,
              properties: { pin: { type: "string", writeOnly: true } },
            },
          },
        },
      },
      behavior: { isDestructive: false },
      execute: ({ password }: { readonly password?: string }) => (password === "opensesame" ? "in" : "out"),
    });
    const input = { user: "ann", password: "opensesame", more: [{ pin: "123456" }] };
    const dispatcher = process({ tools: [login as never] });
    const waiting = await dispatcher.run([{ id: "1", name: "login", input }], { turnId: "t" });
    const [question] = questionsOf(waiting);
    expect(question?.input).toEqual({ user: "ann", password: "[secret]", more: [{ pin: "[secret]" }] });
    expect(question).toMatchObject({ hidden: ["/password", "/more/0/pin"] });
    await dispatcher.answer(question?.id ?? "", { decision: "allow" });
    expect((await dispatcher.resume("t")).results[0]?.content).toEqual([{ type: "text", text: "in" }]);
    const left = JSON.stringify([await store.read("t"), await store.questions({}), await store.records({})]);
    expect(left).not.toMatch(/opensesame|123456|"ann"/);
  });
});

describe("a question about hidden input", () => {
  const secret = { type: "string", "x-secret": true } as const;
  const command = { type: "object", properties: { command: secret } } as const;
  const call = [{ id: "1", name: "act", input: { command: "rm -rf ~" } }];
  const act = (isDestructive: boolean): AnyTool =>
    buildTool({ name: "act", description: "Acts.", input: command, behavior: { isDestructive }, execute: () => "ok" });

  test.each([
    [true, {}, { accepted: false, reason: "not-judgeable" }],
    [true, { allowUnseenInput: true }, { accepted: true }],
    [false, {}, { accepted: true }],
  ])(
    "a question of a destructive call (%s) with %j and hidden input accepts an allow: %j",
    async (isDestructive, options, expected) => {
      const dispatcher = worldOf().process({ tools: [act(isDestructive) as never], ...options });
      const [question] = questionsOf(await dispatcher.run(call, { turnId: "t" }));
      expect(question?.hidden).toEqual(["/command"]);
      expect(await dispatcher.answer(question?.id ?? "", { decision: "allow" })).toEqual(expected);
      if (!expected.accepted) {
        expect(await dispatcher.answer(question?.id ?? "", { decision: "deny" })).toEqual({ accepted: true });
      }
    },
  );

  test("a question shows the whole input if the schema comes from a live server", async () => {
    const tools = [{ name: "act", inputSchema: command, execute: () => "ok" }];
    const dispatcher = worldOf().process({ tools: [], extensions: [liveTools([{ server: "s", tools }])] });
    const live = [{ id: "1", name: "mcp__s__act", input: { command: "rm -rf ~" } }];
    const [question] = questionsOf(await dispatcher.run(live, { turnId: "t" }));
    expect(question?.input).toEqual({ command: "rm -rf ~" });
    expect(question).not.toHaveProperty("hidden");
  });
});

describe("an answer", () => {
  test("an answer counts once, in time, from whoever may give it; every other is recorded", async () => {
    const { process, store } = worldOf({ principal: "ann" });
    const first = await process().run(callsOf("pay"), { turnId: "t" });
    const { id = "" } = questionsOf(first)[0] ?? {};
    const answer = async (by?: string): Promise<unknown> => process().answer(id, { decision: "allow", by });
    expect(await answer()).toEqual({ accepted: false, reason: "not-permitted" });
    expect(await answer("eve")).toEqual({ accepted: false, reason: "not-permitted" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => answer("ann")));
    expect(answers.filter((given) => (given as { accepted: boolean }).accepted)).toHaveLength(1);
    expect(await answer("ann")).toEqual({ accepted: false, reason: "already-decided" });
    expect(await process().answer("made up", { decision: "allow" })).toEqual({
      accepted: false,
      reason: "unknown-question",
    });
    await process().resume("t");
    expect(await answer("ann")).toEqual({ accepted: false, reason: "already-decided" });
    const declined = (await store.records({ turnId: "t" })).filter(({ from, to }) => from === to);
    expect(declined.map(({ by, code }) => `${by}: ${code}`).slice(0, 2)).toEqual([
      "undefined: not-permitted",
      "eve: not-permitted",
    ]);
    expect(declined).toHaveLength(23);

    const brief = await process({ questionTtlSeconds: 0.01 }).run(callsOf("pay"), { turnId: "u" });
    await sleep(20);
    const late = await process().answer(questionsOf(brief)[0]?.id ?? "", { decision: "allow", by: "ann" });
    expect(late).toEqual({ accepted: false, reason: "expired" });
    expect(codesOf(await process().resume("u"))).toEqual(["question-expired"]);
  });

  test("an answer is refused unless `mayAnswer` returns true", async () => {
    const { process } = worldOf();
    const { id = "" } = questionsOf(await process().run(callsOf("pay"), { turnId: "t" }))[0] ?? {};
    const refusing = [
      () => false,
      () => 1 as never,
      () => Promise.reject(new Error("x")),
      () => new Promise<never>(() => undefined),
    ];
    for (const mayAnswer of refusing) {
      const given = await process({ mayAnswer, hookTimeoutMs: 20 }).answer(id, { decision: "allow" });
      expect(given).toEqual({ accepted: false, reason: "not-permitted" });
    }
    const mayAnswer = async ({ toolName }: Question, by: string | undefined): Promise<boolean> =>
      toolName === "pay" && by === "bob";
    expect(await process({ mayAnswer }).answer(id, { decision: "allow", by: "bob" })).toEqual({ accepted: true });
    for (const wrong of [{ decision: "later" }, { decision: true }, {}, undefined, { decision: "allow", by: 1 }]) {
      await expect(process().answer(id, wrong as never)).rejects.toThrow(TypeError);
    }
  });

  test("an invalid answer whose author cannot be told refuses the call; a fault of the store is thrown", async () => {
    const { process, store } = worldOf();
    await process().run(callsOf("pay"), { turnId: "t" });
    const [{ id = "" } = {}] = await store.questions({ turnId: "t" });
    const advance = () => Promise.reject(new TypeError("the pool is undefined"));
    const failing = process({ callStore: { ...store, advance } });
    await expect(answerOrRefuse(failing, id, { decision: "deny" })).rejects.toThrow("the pool is undefined");
    expect((await store.read("t"))?.calls[0]?.state).toBe("asked");
    expect(await answerOrRefuse(process(), id, { decision: "later" } as never)).toEqual({ accepted: true });
    expect((await store.read("t"))?.calls[0]).toMatchObject({
      state: "denied",
      reason: expect.stringContaining("allow"),
    });
  });

  test.each(["tool", "input"])("an answer to another process's question does not apply to another %s", async (what) => {
    const { process, store, effects } = worldOf();
    const calls = callsOf(["pay", { to: "a" }]);
    const other = process(
      what === "tool"
        ? { tools: [writer("pay", () => "changed", { ...asks, description: "Pays more." })] as never }
        : { hooks: { transform: () => ({ input: { to: "b" } }) } },
    );
    let isFirst = true;
    const beaten: CallStore = {
      ...store,
      async advance(...transition) {
        if (isFirst) {
          isFirst = false;
          const { id = "" } = questionsOf(await other.run(calls, { turnId: "t" }))[0] ?? {};
          expect(await other.answer(id, { decision: "allow" })).toEqual({ accepted: true });
        }
        return store.advance(...transition);
      },
    };
    const outcome = await process({ callStore: beaten }).run(calls, { turnId: "t" });
    expect(codesOf(outcome)).toEqual(["tool-changed"]);
    expect(effects).toEqual([]);
  });

  test("a forged answer never reaches another call", async () => {
    const { process, effects } = worldOf();
    const waiting = await process().run(callsOf(["pay", { to: "a" }]), { turnId: "t" });
    await process().run(callsOf(["pay", { to: "b" }]), { turnId: "u" });
    const { id = "" } = questionsOf(waiting)[0] ?? {};
    const forged = fc.oneof(
      fc.string(),
      fc.constantFrom("t", "1", "t:1", "__proto__"),
      fc.string().map((text) => id + text + "x"),
      fc.constant(id.toUpperCase() + "!"),
    );
    await fc.assert(
      fc.asyncProperty(forged, async (questionId) => {
        expect(await process().answer(questionId, { decision: "allow" })).toEqual({
          accepted: false,
          reason: "unknown-question",
        });
      }),
    );
    await process().answer(id, { decision: "allow" });
    expect((await process().resume("u")).status).toBe("waiting");
    expect(effects).toEqual([]);
    await process().resume("t");
    expect(effects).toEqual(["pay"]);
  });
});

describe("two processes on one turn", () => {
  test.each(["own gates", "one dispatcher"])(
    "two processes on one turn run each call once and give the same results: %s",
    async (kind) => {
      const { process, effects } = worldOf();
      const shared = process();
      const calls = callsOf("look", "look", "write", "look", "write", "write");
      const outcomes = await Promise.all(
        Array.from({ length: 4 }, () => (kind === "own gates" ? process() : shared).run(calls, { turnId: "t" })),
      );
      expect(effects).toEqual(["look", "look", "write", "look", "write", "write"]);
      for (const outcome of outcomes) {
        expect(outcome.results.map(({ content }) => content)).toEqual(
          outcomes[0]?.results.map(({ content }) => content),
        );
      }
    },
  );

  test.each<[string, Partial<HostOptions>]>([
    ["readers", { tools: [reader("look", () => "seen")] as never }],
    [
      "writers of different resources",
      {
        tools: [
          writer("look", () => "seen", { concurrency: { class: "WRITE_EXCLUSIVE", key: ({ id }) => String(id) } }),
        ] as never,
      },
    ],
  ])(
    "two processes that each begin one call of a batch do not wait for each other for ever: %s",
    async (_what, tools) => {
      const { process, store } = worldOf(tools);
      const begun = { "1": deferred(), "2": deferred() };
      /** A process that begins a call only once the other has begun its own. */
      const beginning = (own: "1" | "2", other: "1" | "2"): Host =>
        process({
          callStore: {
            ...store,
            async advance(turnId, callId, from, to, patch) {
              const begins = to === "reserved" && typeof from !== "string" && from.state !== "reserved";
              if (begins && callId === other) await begun[other].promise;
              const isDone = await store.advance(turnId, callId, from, to, patch);
              if (begins && callId === own) begun[own].resolve(undefined);
              return isDone;
            },
          },
        });
      const calls = ["1", "2"].map((id) => ({ id, name: "look", input: { id } }));
      const outcomes = await Promise.all([
        beginning("1", "2").run(calls, { turnId: "t" }),
        beginning("2", "1").run(calls, { turnId: "t" }),
      ]);
      expect(outcomes.map(codesOf)).toEqual([
        ["ok", "ok"],
        ["ok", "ok"],
      ]);
    },
  );

  test("a second process does not take over a slow call", async () => {
    let runs = 0;
    const slow = writer(
      "slow",
      async () => {
        runs += 1;
        await sleep(1300);
        return "slow";
      },
      { behavior: { isIdempotent: true } },
    );
    const { process } = worldOf({ tools: [slow] as never, leaseSeconds: 0.5 });
    const first = process().run(callsOf("slow"), { turnId: "t" });
    await sleep(20);
    const second = await process().resume("t");
    expect(runs).toBe(1);
    expect(second).toEqual(await first);
  });
});

describe("a store that fails", () => {
  const failing = (store: CallStore, at: number, how: "rejects" | "throws"): CallStore => {
    let requests = 0;
    const maybe = <Value>(make: () => Promise<Value>): Promise<Value> => {
      if ((requests += 1) !== at) return make();
      const error = new Error("the disk is full");
      if (how === "throws") throw error;
      return Promise.reject(error);
    };
    return {
      setUp: () => maybe(() => store.setUp()),
      open: (turn) => maybe(() => store.open(turn)),
      read: (turnId) => maybe(() => store.read(turnId)),
      advance: (...parts) => maybe(() => store.advance(...parts)),
      questions: (filter) => maybe(() => store.questions(filter)),
      records: (filter) => maybe(() => store.records(filter)),
    };
  };

  const requests = [1, 2, 3, 4, 5, 6, 7, 8];
  test.each(requests.flatMap((at) => [[at, "rejects"] as const, [at, "throws"] as const]))(
    "a store that fails at request %i ends the run with its own error, and another run continues: it %s",
    async (at, how) => {
      const { process, store, effects } = worldOf({ leaseSeconds: 0.05 });
      const calls: ToolCall[] = callsOf("look", "write", "look", "write");
      await expect(process({ callStore: failing(store, at, how) }).run(calls, { turnId: "t" })).rejects.toThrow(
        "the disk is full",
      );
      const before = effects.filter((effect) => effect === "write").length;
      const outcome = await process().run(calls, { turnId: "t" });
      expect(outcome.status).toBe("settled");
      expect(effects.filter((effect) => effect === "write").length).toBeLessThanOrEqual(2);
      const unknown = outcome.results.filter(({ error }) => error?.code === "process-lost");
      expect(before + unknown.length).toBeLessThanOrEqual(3);
      for (const { error } of unknown) expect(error?.effect).toBe("unknown");
    },
  );

  test("run gives up a store that hangs", async () => {
    const hanging = { ...memoryCallStore(), open: () => new Promise<never>(() => undefined) };
    const { process } = worldOf({ callStore: hanging, hookTimeoutMs: 20 });
    await expect(process().run(callsOf("look"), { turnId: "t" })).rejects.toThrow("took longer");
  });
});

describe("hooks", () => {
  test("hooks of a stored turn run once; their input is asked about and runs", async () => {
    let transforms = 0;
    const seen: unknown[] = [];
    const tool = buildTool({
      name: "pay",
      description: "Pays.",
      input: anyObject,
      execute: (input: object) => seen.push(input),
    });
    const hooks: DispatcherOptions["hooks"] = {
      transform: () => {
        transforms += 1;
        return { input: { amount: transforms }, note: "noted" };
      },
    };
    const { process } = worldOf({ tools: [tool as never], hooks });
    const waiting = await process().run(callsOf(["pay", { amount: 100 }]), { turnId: "t" });
    expect(questionsOf(waiting)[0]?.input).toEqual({ amount: 1 });
    await process().answer(questionsOf(waiting)[0]?.id ?? "", { decision: "allow" });
    const settled = await process().resume("t");
    expect(seen).toEqual([{ amount: 1 }]);
    expect(JSON.stringify(settled.results[0]?.content)).toContain("noted");
  });
});
