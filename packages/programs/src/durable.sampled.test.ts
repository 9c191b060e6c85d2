import { buildTool, createDispatcher } from "@hasp/runtime";
import type { CallStore, RunOutcome, StoredTurns } from "@hasp/runtime/call-store";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { createPrograms } from "@hasp/programs";
import { expect, test } from "vitest";
import { reader, writer } from "./programs.testing.js";
import { informationFlow } from "@hasp/runtime/flow";

const chooseDate = buildTool({
  name: "choose_date",
  description: "Asks the person for a date.",
  input: { type: "object", properties: {}, additionalProperties: false },
  output: { type: "string", format: "date" },
  behavior: { requiresPermission: false, isReadOnly: true, isDestructive: false, isOpenWorld: false },
  external: true,
});

/** A world of one counter, two tools that ask, and processes that share a store. */
function createWorld(): {
  readonly store: CallStore;
  readonly effects: string[];
  process(options?: {
    readonly dies?: number;
    readonly onDeath?: () => void;
    readonly over?: Partial<CallStore>;
  }): StoredTurns;
} {
  const store = memoryCallStore();
  const effects: string[] = [];
  return {
    store,
    effects,
    process({ dies = Infinity, onDeath, over = {} } = {}) {
      let transitions = 0;
      const never = new Promise<never>(() => undefined);
      const dying: CallStore = {
        ...store,
        open: (turn) => (transitions >= dies ? never : store.open(turn)),
        read: (turnId) => (transitions >= dies ? never : store.read(turnId)),
        advance(...given) {
          if (transitions++ < dies) return store.advance(...given);
          onDeath?.();
          return never;
        },
        ...over,
      };
      const pay = writer(
        "pay",
        ({ n }) => {
          effects.push(`pay ${String(n)}`);
          return { paid: n };
        },
        { requiresPermission: true, isDestructive: true, isIdempotent: false },
      );
      const note = writer("note", ({ n }) => {
        effects.push(`note ${String(n)}`);
        return { noted: n };
      });
      const durable = durableCalls({ store: dying, leaseSeconds: 0.3 });
      return createDispatcher({
        flow: "ask",
        extensions: [informationFlow, createPrograms(), durable],
        tools: [chooseDate, pay, note, reader("look", ({ n }) => ({ seen: n }))] as never,
      }).use(durable);
    },
  };
}

const CODE = `
  const a = await tools.look({ n: 1 });
  await tools.note({ n: 2 });
  const [b, c] = await Promise.all([tools.pay({ n: 3 }), tools.look({ n: 4 })]);
  try { await tools.pay({ n: 5 }) } catch (e) { return [a, b, c, e.code] }
  return [a, b, c, "paid"];
`;

const run = (turns: StoredTurns, code = CODE): Promise<RunOutcome> =>
  turns.run([{ id: "p", name: "run_program", input: { code } }], { turnId: "t" });

async function answerAll(
  world: ReturnType<typeof createWorld>,
  decision: "allow" | "deny",
): Promise<readonly string[]> {
  const questions = await world.store.questions({ isOpen: true });
  for (const { id } of questions) expect(await world.process().answer(id, { decision })).toEqual({ accepted: true });
  return questions.map(({ turnId, callId }) => `${turnId} ${callId}`);
}

test("a program that waits survives its process, and asks and acts once", async () => {
  const world = createWorld();
  const first = await run(world.process());
  expect(first).toMatchObject({ status: "waiting", turnId: "t", results: [] });
  expect(first.status === "waiting" && first.questions.map(({ turnId, callId }) => [turnId, callId])).toEqual([
    ["t", "p.3"],
  ]);
  expect(world.effects).toEqual(["note 2"]);
  expect(await run(world.process())).toMatchObject({ status: "waiting" });
  expect(await answerAll(world, "allow")).toEqual(["t p.3"]);
  expect(await world.process().resume("t")).toMatchObject({ status: "waiting" });
  expect(world.effects).toEqual(["note 2", "pay 3"]);
  expect(await answerAll(world, "deny")).toEqual(["t p.5"]);
  const last = await world.process().resume("t");
  // No call ran in this process.
  expect(last.results[0]?.labels).toEqual(["untrusted", "private"]);
  expect(last.results[0]?.output).toEqual({ result: [{ seen: 1 }, { paid: 3 }, { seen: 4 }, "denied"], console: [] });
  expect(world.effects).toEqual(["note 2", "pay 3"]);
  expect(await world.process().resume("t")).toEqual(last);
  expect((await world.store.records({ turnId: "t/p.3" })).map(({ to }) => to)).toEqual([
    "proposed",
    "asked",
    "allowed",
    "reserved",
    "settled",
  ]);
});

test("a program waits for calls that somebody else executes, and goes on once they are completed", async () => {
  const world = createWorld();
  const code = `return [await tools.look({ n: 1 }), await tools.choose_date({})];`;
  const first = await run(world.process(), code);
  const externals = first.status === "waiting" ? (first.externals ?? []) : [];
  expect(externals).toMatchObject([{ callId: "p.2", toolName: "choose_date" }]);
  expect(await world.process().resume("t")).toEqual(first);
  await world.process().complete(externals[0]?.id ?? "", { output: "2030-01-31" });
  const { results } = await world.process().resume("t");
  expect(results[0]?.output).toEqual({ result: [{ seen: 1 }, "2030-01-31"], console: [] });
});

test("the labels of a program's calls are stored before their results are", async () => {
  const world = createWorld();
  const early: string[] = [];
  const advance: CallStore["advance"] = async (turnId, callId, from, to, patch) => {
    if (to === "settled" && patch.result?.labels !== undefined) {
      const stored = await world.store.labels?.("");
      if (stored?.every((entry) => entry.callId !== callId)) early.push(callId);
    }
    return world.store.advance(turnId, callId, from, to, patch);
  };
  await run(world.process({ over: { advance } }));
  expect(early).toEqual([]);
  expect((await world.store.labels?.(""))?.map(({ callId }) => callId)).toEqual([
    "p.1",
    "p.1",
    "p.2",
    "p.2",
    "p.4",
    "p.4",
  ]);
});

/** Every third step, or all with the slow tests. */
function stepsUpTo(last: number): readonly number[] {
  const stride = process.env["HASP_SAMPLES"] !== undefined ? 1 : 3;
  return Array.from({ length: Math.ceil(last / stride) }, (_, index) => 1 + index * stride);
}

test.each(stepsUpTo(15))(
  "a program killed at step %i goes on where it stopped: one question and at most one effect each",
  async (step) => {
    const world = createWorld();
    await new Promise<unknown>((resolve) => {
      // The store of a dead process never answers, until the dispatcher gives up.
      run(world.process({ dies: step, onDeath: () => resolve(undefined) })).then(resolve, resolve);
    });
    let outcome = await run(world.process());
    for (let round = 0; outcome.status === "waiting" && round < 5; round += 1) {
      await answerAll(world, "allow");
      outcome = await world.process().resume("t");
    }
    expect(outcome.status).toBe("settled");
    expect(new Set(world.effects).size).toBe(world.effects.length);
    const { output, error } = outcome.results[0] ?? {};
    if (error === undefined) expect(output).toMatchObject({ result: [{ seen: 1 }, { paid: 3 }, { seen: 4 }, "paid"] });
    else expect(error).toMatchObject({ code: "program-threw", effect: "unknown" });
    expect(await world.store.questions({ isOpen: true })).toEqual([]);
  },
);

test("a race has the same winner when the program runs again", async () => {
  const world = createWorld();
  const code = `
    const first = await Promise.race([tools.note({ n: "a" }), tools.look({ n: "b" })]);
    await tools.pay({ n: 1 });
    return first;`;
  expect(await run(world.process(), code)).toMatchObject({ status: "waiting" });
  const calls = await Promise.all([world.store.read("t/p.1"), world.store.read("t/p.2")]);
  const winner = calls.flatMap((turn) => turn?.calls ?? []).find(({ order }) => order === 1);
  await answerAll(world, "allow");
  const { results } = await world.process().resume("t");
  expect(results[0]?.output).toMatchObject({ result: winner?.result?.output });
});

test("a program that asks for other calls than before is stopped", async () => {
  const world = createWorld();
  await run(world.process(), "await tools.pay({ n: 1 }); return 1");
  await answerAll(world, "allow");
  const read: CallStore["read"] = async (turnId) => {
    const turn = await world.store.read(turnId);
    return turn?.turnId === "t/p.1" ? { ...turn, callsDigest: "of another call" } : turn;
  };
  const { results } = await world.process({ over: { read } }).resume("t");
  expect(results[0]?.error).toMatchObject({ code: "program-diverged", effect: "none" });
  expect(world.effects).toEqual([]);
});

test("a program that no longer asks for a stored call is stopped", async () => {
  const world = createWorld();
  await run(world.process(), "await tools.pay({ n: 1 }); return 1");
  await answerAll(world, "allow");
  const read: CallStore["read"] = async (turnId) => world.store.read(turnId === "t/p.2" ? "t/p.1" : turnId);
  const { results } = await world.process({ over: { read } }).resume("t");
  expect(results[0]?.error).toMatchObject({ code: "program-diverged", effect: "unknown" });
  expect(world.effects).toEqual(["pay 1"]);
});

test.each(stepsUpTo(16))(
  "a store whose change %i fails rejects the turn with its error, and no effect goes beyond what its audit says",
  async (step) => {
    const world = createWorld();
    let changes = 0;
    const failing =
      <Given extends readonly unknown[], Value>(change: (...given: Given) => Promise<Value>) =>
      async (...given: Given): Promise<Value> => {
        if ((changes += 1) >= step) throw new Error("the disk is full");
        return change(...given);
      };
    const over = { open: failing(world.store.open), advance: failing(world.store.advance) };
    let outcome = await run(world.process({ over })).catch((error: Error) => error.message);
    if (step < 13) expect(outcome).toBe("the disk is full");
    const started = (await world.store.records({})).filter(
      ({ to, toolName }) => to === "reserved" && toolName !== "look",
    );
    expect(started.length).toBeGreaterThanOrEqual(world.effects.length);
    outcome = await run(world.process());
    for (let round = 0; outcome.status === "waiting" && round < 5; round += 1) {
      await answerAll(world, "allow");
      outcome = await world.process().resume("t");
    }
    expect(outcome).toMatchObject({ status: "settled" });
    expect(new Set(world.effects).size).toBe(world.effects.length);
  },
);

test("a store keeps no result of a program's calls once the program is settled, even if its process died", async () => {
  const world = createWorld();
  const code = "await tools.look({ n: 1 }); await tools.note({ n: 2 }); await tools.pay({ n: 3 }); return 1";
  const kept = async (): Promise<readonly boolean[]> =>
    (await Promise.all([1, 2, 3].map((n) => world.store.read(`t/p.${n}`)))).map(
      (turn) => turn?.calls[0]?.result !== undefined,
    );
  await run(world.process(), code);
  expect(await kept()).toEqual([true, true, false]);
  await answerAll(world, "allow");
  const advance: CallStore["advance"] = (turnId, callId, from, to, patch) =>
    patch.result === null && turnId !== "t/p.2"
      ? new Promise(() => {})
      : world.store.advance(turnId, callId, from, to, patch);
  world
    .process({ over: { advance } })
    .resume("t")
    .catch(() => undefined);
  await expect.poll(kept, { timeout: 20_000 }).toEqual([true, false, true]);
  const { results } = await world.process().resume("t");
  expect(results[0]?.output).toMatchObject({ result: 1 });
  expect(await kept()).toEqual([false, false, false]);
});

test("a store that fails in the middle rejects with its error, and the turn can be resumed", async () => {
  const world = createWorld();
  let isBroken = false;
  const open: CallStore["open"] = async (turn) => {
    isBroken ||= turn.turnId === "t/p.2";
    if (isBroken) throw new Error("the disk is full");
    return world.store.open(turn);
  };
  const dispatcher = world.process({ over: { open } });
  await expect(run(dispatcher, "await tools.note({ n: 1 }); await tools.note({ n: 2 }); return 1")).rejects.toThrow(
    "the disk is full",
  );
  expect(world.effects).toEqual(["note 1"]);
  const { results } = await world.process().resume("t");
  expect(results[0]?.output).toMatchObject({ result: 1 });
  expect(world.effects).toEqual(["note 1", "note 2"]);
});
