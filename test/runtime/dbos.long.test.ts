import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { buildTool, type AnyTool, type DispatchEvent, type ToolCall, type ToolResult } from "@hasp/runtime";
import type { Question } from "@hasp/runtime/call-store";
import { memoryCallStore } from "@hasp/stores";
import { dbosTurns, type DbosTurns } from "@hasp/stores/dbos";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabases, type Databases } from "../ask-for.testing.js";

let server: Databases;
let pool: Pool;
/** The front: it starts turns and answers questions. It has no tools, and runs no turn that is on the queue. */
let turns: DbosTurns;
/** The same, with a queue of their own for the handlers. */
let spread: DbosTurns;
/** Turns that the front runs itself, and what is told of their calls. */
let eventTurns: DbosTurns;
const events: DispatchEvent[] = [];
const workers = new Map<string, ChildProcess>();

beforeAll(async () => {
  server = await createDatabases();
  const url = server.urls.application;
  pool = new Pool({ connectionString: url, max: 4 });
  pool.on("error", () => undefined);
  await pool.query("create table effects (order_id text not null, key text not null, worker text not null)");
  turns = dbosTurns({ tools: [] }, { queue: "turns" });
  spread = dbosTurns({ tools: [] }, { name: "spread turn", queue: "turns", callQueue: "calls" });
  const tool = (name: string, parts: object): AnyTool =>
    buildTool({
      name,
      description: "Does it.",
      input: { type: "object", properties: {} },
      behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
      execute: () => "done",
      ...parts,
    }) as AnyTool;
  eventTurns = dbosTurns(
    {
      tools: [
        tool("act", {}),
        tool("look", { concurrency: { class: "READ_ONLY" } }),
        tool("wait", { execute: undefined, external: true }),
      ],
      onEvent: (event) => events.push(event),
    },
    { name: "turn of the front", externalTtlSeconds: 1 },
  );
  DBOS.setConfig({
    name: "hasp-test",
    systemDatabaseUrl: url,
    applicationVersion: "1",
    executorID: "front",
    listenQueues: [],
    logLevel: "error",
  });
  await DBOS.launch();
  await DBOS.registerQueue("turns", { minPollingIntervalMs: 50 });
  await DBOS.registerQueue("calls", { minPollingIntervalMs: 50, workerConcurrency: 2 });
  await Promise.all([startWorker("a"), startWorker("b")]);
});

afterAll(async () => {
  for (const name of workers.keys()) await killWorker(name);
  await DBOS.shutdown({ deregister: true });
  await pool.end();
});

async function startWorker(name: string): Promise<void> {
  const child = fork(join(import.meta.dirname, "dbos-worker.js"), [server.urls.application ?? "", name]);
  workers.set(name, child);
  await once(child, "message");
}

async function killWorker(name: string): Promise<void> {
  const child = workers.get(name);
  if (child === undefined) return;
  workers.delete(name);
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

const call = (id: string, name: string, input: object): ToolCall => ({ id, name, input: input as never });
const outcomesOf = (results: readonly ToolResult[]): readonly string[] =>
  results.map(({ callId, error }) => `${callId}: ${error === undefined ? "ok" : `${error.code} ${error.effect}`}`);

async function effectsOf(order: string): Promise<readonly string[]> {
  const { rows } = await pool.query("select key from effects where order_id = $1", [order]);
  return rows.map(({ key }: { key: string }) => key);
}

async function eventually<Value>(look: () => Promise<Value>, isThere: (value: Value) => boolean): Promise<Value> {
  for (const deadline = Date.now() + 30_000; ; await sleep(20)) {
    const value = await look();
    if (isThere(value)) return value;
    if (Date.now() > deadline) throw new Error(`it did not happen; last: ${JSON.stringify(value)}`);
  }
}

async function questionOf(turnId: string, asked = turns): Promise<Question> {
  const open = await eventually(
    () => asked.questions(turnId),
    (questions) => questions.length > 0,
  );
  return open[0] as Question;
}

test("a turn runs on some worker: readers, calls that repeat, calls that do not, and one that is unknown", async () => {
  const calls = [
    call("1", "look", {}),
    call("2", "look", {}),
    call("3", "pay_unasked", { order: "o1" }),
    call("4", "pay_again", { order: "o1" }),
    call("4", "look", {}),
    call("5", "nothing", {}),
  ];
  await turns.start(calls, { turnId: "plain" });
  await turns.start(calls, { turnId: "plain" });
  expect(outcomesOf(await turns.results("plain"))).toEqual([
    "1: ok",
    "2: ok",
    "3: ok",
    "4: ok",
    "4: duplicate-call-id none",
    "5: unknown-tool none",
  ]);
  expect(await effectsOf("o1")).toHaveLength(2);
  await expect(turns.start(calls.slice(1), { turnId: "plain" })).rejects.toThrow("other calls");
  await expect(turns.results("never started")).rejects.toThrow('no turn "never started"');
});

test("each call has one end among the events", async () => {
  await eventTurns.start([call("1", "act", {}), call("2", "look", {})], { turnId: "events" });
  expect(outcomesOf(await eventTurns.results("events"))).toEqual(["1: ok", "2: ok"]);
  expect(events.filter(({ type }) => type === "settled").map(({ callId }) => callId)).toEqual(["1", "2"]);
  expect(events.filter(({ type }) => type === "started").map(({ callId }) => callId)).toEqual(["1", "2"]);
});

test("a question is a durable receive: the first permitted answer counts, whichever process gives it", async () => {
  await turns.start([call("1", "look", {}), call("2", "pay", { order: "o2" })], { turnId: "asks" });
  const question = await questionOf("asks");
  expect(question).toMatchObject({ turnId: "asks", toolName: "pay", input: { order: "o2" }, isDestructive: true });
  const answers = await Promise.all(
    ["ann", "bob", "eve"].map((by) => turns.answer(question, { decision: by === "eve" ? "deny" : "allow", by })),
  );
  expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1);
  const results = await turns.results("asks");
  const isDenied = answers[2]?.accepted === true;
  expect(outcomesOf(results)).toEqual(["1: ok", isDenied ? "2: denied none" : "2: ok"]);
  expect(await effectsOf("o2")).toHaveLength(isDenied ? 0 : 1);
  expect(await turns.answer(question, { decision: "allow" })).toEqual({ accepted: false, reason: "already-decided" });
  const foreign = await turns.answer({ id: "0".repeat(64), turnId: "asks" }, { decision: "allow" });
  expect(foreign).toEqual({ accepted: false, reason: "unknown-question" });
});

test("a rolling restart loses no question, no answer and no turn, and repeats no effect", async () => {
  const names = ["r1", "r2", "r3", "r4"];
  for (const name of names) {
    await turns.start([call("1", "pay", { order: name }), call("2", "pay_again", { order: name })], { turnId: name });
  }
  const questions = await Promise.all(names.map((name) => questionOf(name)));
  await killWorker("a");
  // Answered while one worker is gone.
  for (const question of questions.slice(0, 2)) await turns.answer(question, { decision: "allow" });
  await startWorker("a");
  await killWorker("b");
  for (const question of questions.slice(2)) await turns.answer(question, { decision: "allow" });
  await startWorker("b");
  for (const name of names) {
    expect(outcomesOf(await turns.results(name))).toEqual(["1: ok", "2: ok"]);
    expect(await effectsOf(name)).toHaveLength(2);
  }
});

test("handlers on a queue of their own run on all its workers, through a rolling restart, none twice", async () => {
  const names = ["s1", "s2", "s3", "s4", "s5", "s6"];
  for (const name of names) {
    const input = { order: name, ms: 200 };
    const calls = [
      call("1", "look", {}),
      call("2", "look", {}),
      call("3", "pay_unasked", input),
      call("4", "pay_again", input),
      call("5", "pay", { order: `${name} asked` }),
    ];
    await spread.start(calls, { turnId: name });
  }
  await eventually(
    async () => (await Promise.all(names.map(effectsOf))).flat(),
    ({ length }) => length > 2,
  );
  await killWorker("a");
  await startWorker("a");
  await killWorker("b");
  await startWorker("b");
  const asked = await Promise.all(names.map((name) => questionOf(name, spread)));
  expect(new Set((await spread.questions()).map(({ id }) => id))).toEqual(new Set(asked.map(({ id }) => id)));
  for (const question of asked) {
    expect(await spread.answer(question, { decision: "allow" })).toEqual({ accepted: true });
  }
  for (const name of names) {
    const [one, two, once, again, answered] = outcomesOf(await spread.results(name));
    expect([one, two, again, answered]).toEqual(["1: ok", "2: ok", "4: ok", "5: ok"]);
    expect(["3: ok", "3: process-lost unknown"]).toContain(once);
    // The call that may be repeated has a key of its own. The one that runs once has one effect, or none where its process
    // was killed before that.
    const [first, ...keys] = await effectsOf(name);
    const others = new Set(keys.filter((key) => key !== first));
    expect(once === "3: ok" ? [1] : [0, 1]).toContain(others.size);
    if (others.size === 1) expect(keys).not.toContain(first);
    expect(await effectsOf(`${name} asked`)).toHaveLength(1);
  }
  const { rows } = await pool.query("select distinct worker from effects where order_id like 's%' order by worker");
  expect(rows).toEqual([{ worker: "a" }, { worker: "b" }]);
});

describe.each([
  ["where its turn does", () => turns],
  ["on the queue of the handlers", () => spread],
])("a call that runs %s", (_where, chosen) => {
  test.each([
    ["runs only once", "pay_unasked", "1: process-lost unknown", 1],
    ["may be repeated", "pay_again", "1: ok", 2],
  ])("and that a killed worker began and %s", { timeout: 90_000 }, async (_what, name, first, effects) => {
    const order = chosen() === spread ? `${name} spread` : name;
    const calls = [call("1", name, { order, hangs: true }), call("2", "look", {})];
    await chosen().start(calls, { turnId: order });
    await eventually(
      () => effectsOf(order),
      ({ length }) => length > 0,
    );
    // A turn of the front's queue is with its call.
    const { rows } = await pool.query("select worker from effects where order_id = $1", [order]);
    const began = rows.map(({ worker }: { worker: string }) => worker);
    const names = chosen() === turns ? began : [...workers.keys()];
    for (const worker of names) await killWorker(worker);
    await Promise.all(names.map(startWorker));
    expect(outcomesOf(await chosen().results(order))).toEqual([first, "2: ok"]);
    const keys = await effectsOf(order);
    expect([keys.length, new Set(keys).size]).toEqual([effects, 1]);
  });
});

test.each([
  ["where its turn runs", () => turns],
  ["beside a queue of the handlers", () => spread],
])("a call that somebody else executes waits %s through a restart, and is completed once", async (where, chosen) => {
  const { start, externals, complete, answer, results } = chosen();
  const waiting = (count: number) =>
    eventually(
      () => externals(where),
      ({ length }) => length === count,
    );
  const calls = ["choose_date", "choose_asked", "choose_date"].map((name, index) =>
    call(String(index + 1), name, { title: name }),
  );
  await start([...calls, call("4", "look", {})], { turnId: where });
  const [first] = await waiting(1);
  expect(first).toMatchObject({
    turnId: where,
    callId: "1",
    toolName: "choose_date",
    input: { title: "choose_date" },
  });
  expect(await externals()).toEqual([first]);
  const names = [...workers.keys()];
  for (const name of names) await killWorker(name);
  const external = first as NonNullable<typeof first>;
  await expect(complete(external, { result: 1 } as never)).rejects.toThrow("`result`");
  const given = ["2030-01-31", "2031-01-31"].map((output) => complete(external, { output }));
  const accepted = (await Promise.all(given)).map((each) => each.accepted);
  expect(accepted.toSorted()).toEqual([false, true]);
  await Promise.all(names.map(startWorker));
  const question = await questionOf(where, chosen());
  expect(await complete(external, { output: "2032-01-31" })).toEqual({ accepted: false, reason: "too-late" });
  expect(await complete({ id: "t/1/guess", turnId: where }, { output: "2032-01-31" })).toEqual({
    accepted: false,
    reason: "unknown-call",
  });
  await answer(question, { decision: "allow", input: { title: "Which day?" } });
  const [second] = await waiting(1);
  expect(second).toMatchObject({ callId: "2", input: { title: "Which day?" } });
  await complete(second as typeof external, { error: "The person closed the page." });
  const [third] = await eventually(
    () => externals(where),
    ([next]) => next?.callId === "3",
  );
  await complete(third as typeof external, { output: "soon" });
  const settled = await results(where);
  expect(outcomesOf(settled)).toEqual(["1: ok", "2: threw unknown", "3: invalid-output landed", "4: ok"]);
  expect(settled[0]?.output).toBe(accepted[0] === true ? "2030-01-31" : "2031-01-31");
  expect(await externals(where)).toEqual([]);
});

test("a call that nobody executes in its time has timed out, and is completed no more", async () => {
  await eventTurns.start([call("1", "wait", {})], { turnId: "expires" });
  const [external] = await eventually(
    () => eventTurns.externals("expires"),
    ({ length }) => length > 0,
  );
  expect(outcomesOf(await eventTurns.results("expires"))).toEqual(["1: timeout unknown"]);
  const late = await eventTurns.complete(external as NonNullable<typeof external>, { output: "late" });
  expect(late).toEqual({ accepted: false, reason: "unknown-call" });
});

test("labels outlive the workers in a label store; without one, both count in every conversation", async () => {
  const step = async (turnId: string, asking: DbosTurns, conversation: string, ...names: string[]): Promise<void> => {
    const calls = names.map((name, index) => call(String(index + 1), name, {}));
    await asking.start(calls, { turnId, conversation });
  };
  await step("reads", turns, "c", "fetch", "find");
  expect(outcomesOf(await turns.results("reads"))).toEqual(["1: ok", "2: ok"]);
  const names = [...workers.keys()];
  for (const worker of names) await killWorker(worker);
  await Promise.all(names.map(startWorker));

  await step("sends", turns, "c", "send");
  const { id, turnId, flow } = await questionOf("sends");
  expect(flow).toMatchObject({ untrusted: [{ toolName: "fetch" }], private: [{ toolName: "find" }] });
  await turns.answer({ id, turnId }, { decision: "allow" });
  expect(outcomesOf(await turns.results("sends"))).toEqual(["1: ok"]);
  await step("sends elsewhere", turns, "d", "send");
  expect(outcomesOf(await turns.results("sends elsewhere"))).toEqual(["1: ok"]);
  await expect(step("sends", turns, "d", "send")).rejects.toThrow("another conversation");

  await step("sends unlabelled", spread, "e", "send");
  const unlabelled = await questionOf("sends unlabelled", spread);
  expect(unlabelled.flow).toEqual({ untrusted: [], private: [] });
  await spread.answer(unlabelled, { decision: "deny" });
  expect(outcomesOf(await spread.results("sends unlabelled"))).toEqual(["1: denied none"]);
});

test("a label store that keeps no labels is refused", () => {
  const { labels: _labels, ...labelStore } = memoryCallStore();
  expect(() => dbosTurns({ tools: [] }, { name: "unlabelled", labelStore })).toThrow("keeps no labels");
});

test("a queue cannot be that of the turns and of their calls", () => {
  expect(() => dbosTurns({ tools: [] }, { name: "stuck", queue: "turns", callQueue: "turns" })).toThrow(TypeError);
});
