import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  buildTool,
  createDispatcher,
  type AnyTool,
  type Dispatcher,
  type Gate,
  type GateMode,
  type Release,
} from "@hasp/runtime";
import type { StoredTurns } from "@hasp/runtime/call-store";
import { PGlite } from "@electric-sql/pglite";
import { postgresCallStore, postgresGate, postgresResultStore } from "@hasp/stores/postgres";
import { callStoreConformance } from "@hasp/testing";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasp, type Run } from "../cli/command-line.js";
import { createDatabases, type Databases } from "../ask-for.testing.js";
import { openTurns } from "../durable/open-turns.testing.js";
import { type ResultStore, storedResults } from "@hasp/runtime/results";

let server: Databases;
let pool: Pool;
beforeAll(async () => {
  server = await createDatabases();
  pool = new Pool({ connectionString: server.urls.scratch, max: 8 });
  // A connection may still be closing when the server stops.
  pool.on("error", () => undefined);
});
afterAll(async () => {
  await pool.end();
});

// Before everything else: the tables are not there yet.
test("sets itself up from many processes at once", async () => {
  await Promise.all(Array.from({ length: 8 }, () => postgresCallStore(pool).setUp()));
});

for (const { name, run } of callStoreConformance(() => postgresCallStore(pool))) test(name, run);

describe("PGlite", () => {
  const database = new PGlite();
  afterAll(() => database.close());
  for (const { name, run } of callStoreConformance(() => postgresCallStore(database))) test(name, run);
});

function pay(execute: () => unknown = () => undefined): AnyTool {
  return buildTool({
    name: "pay",
    description: "Pays.",
    input: { type: "object", properties: {}, additionalProperties: false },
    execute: () => {
      execute();
      return "paid";
    },
  });
}

function longResult(text: string): Parameters<ResultStore["put"]>[0] {
  return { callId: "1", toolName: "dump", content: [{ type: "text", text }] };
}

function schemaOf(name: string): Pool {
  return new Pool({ connectionString: server.urls.scratch, options: `-c search_path=${name}` });
}

test("a process finds the labels that another has stored, in either order", async () => {
  const entry = (callId: string) => ({ label: "private" as const, callId, toolName: "find" });
  const stores = Array.from({ length: 4 }, () => postgresCallStore(pool));
  await Promise.all(stores.map((store, index) => store.addLabels?.("talk", [entry("same"), entry(`${index}`)])));
  const found = await postgresCallStore(pool).labels?.("talk");
  expect(found?.map(({ callId }) => callId).toSorted()).toEqual(["0", "1", "2", "3", "same"]);
  await pool.query("update hasp_labels set record = '{}' where conversation = 'talk' and record like '%same%'");
  await expect(postgresCallStore(pool).labels?.("talk")).rejects.toThrow("label of conversation");
});

test("finds the questions of turns by the beginning of their ids in an index", async () => {
  const client = await pool.connect();
  try {
    await client.query("set enable_seqscan = off");
    const plans: string[] = [];
    const explaining = {
      query: async (text: string, values?: unknown[]) => {
        const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
        plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
        return { rows: [] };
      },
    };
    await postgresCallStore(explaining).questions({ turnPrefix: "mcp again ann " });
    expect(plans).toEqual([expect.stringMatching(/Index Cond: .*turn_id ~>=~ 'mcp again ann '/u)]);
  } finally {
    client.release(true);
  }
});

test("carries a turn from one process to others: the effect happens once, the question is asked once", async () => {
  let payments = 0;
  const inProcess = (): StoredTurns =>
    openTurns({ tools: [pay(() => (payments += 1))] }, { store: postgresCallStore(pool), leaseSeconds: 1 });
  const calls = [{ id: "1", name: "pay", input: {} }];
  const waiting = await Promise.all(Array.from({ length: 4 }, () => inProcess().run(calls, { turnId: "turn" })));
  const ids = waiting.map((outcome) => (outcome.status === "waiting" ? outcome.questions[0]?.id : undefined));
  expect(new Set(ids).size).toBe(1);
  const answers = await Promise.all(ids.map((id) => inProcess().answer(id ?? "", { decision: "allow", by: "ann" })));
  expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1);
  const settled = await Promise.all(Array.from({ length: 4 }, () => inProcess().resume("turn")));
  expect(settled.map(({ results }) => results[0]?.content)).toEqual(
    Array.from({ length: 4 }, () => [{ type: "text", text: "paid" }]),
  );
  expect(payments).toBe(1);
});

describe("tables", () => {
  test("tables of a newer version are refused", async () => {
    const [{ layout }] = (await pool.query("select layout from hasp_layout")).rows as [{ layout: number }];
    await pool.query("update hasp_layout set layout = 99");
    await expect(postgresCallStore(pool).setUp()).rejects.toThrow("has layout 99");
    await expect(postgresResultStore(pool).put(longResult("x"))).rejects.toThrow("Update @hasp/stores");
    await pool.query("update hasp_layout set layout = $1", [layout]);
  });

  test("many processes at once bring tables of the first version up to date, with the waiting turns", async () => {
    const old = schemaOf("old");
    await old.query("create schema old");
    await old.query(readFileSync(join(import.meta.dirname, "postgres-layout-1.sql"), "utf8"));
    await Promise.all(Array.from({ length: 4 }, () => postgresCallStore(old).setUp()));
    const store = postgresCallStore(old);
    const [question] = await store.questions({ isOpen: true });
    expect(question?.toolName).toBe("pay");
    const turns = openTurns({ tools: [pay()] }, { store });
    expect(await turns.answer(question?.id ?? "", { decision: "deny" })).toEqual({ accepted: true });
    expect((await turns.resume("waits")).status).toBe("settled");
    await old.end();
  });

  test("many processes at once bring a table of labels up to date, and processes of its version still add to it", async () => {
    const old = schemaOf("labels");
    await old.query("create schema labels");
    const store = postgresCallStore(old);
    await store.setUp();
    await old.query(
      `drop index hasp_labels_conversation;
      alter table hasp_labels drop column entry, add primary key (conversation, record);
      update hasp_layout set layout = 3`,
    );
    const add = "insert into hasp_labels (conversation, record) values ('c', $1) on conflict do nothing";
    await old.query(add, ['{"label":"private","callId":"1","toolName":"find"}']);
    await Promise.all(Array.from({ length: 4 }, () => postgresCallStore(old).setUp()));
    await old.query(add, ['{"label":"untrusted","callId":"2","toolName":"fetch"}']);
    await store.addLabels?.("c", [{ label: "private", callId: "1", toolName: "find" }]);
    expect((await store.labels?.("c"))?.map(({ callId }) => callId)).toEqual(["1", "2"]);
    const long = Array.from({ length: 200 }, () => crypto.randomUUID()).join("");
    await store.addLabels?.(long, [{ label: "private", callId: "3", toolName: long }]);
    expect(await store.labels?.(long)).toHaveLength(1);
    await old.end();
  });

  test("serve a role that may not create any", async () => {
    await postgresCallStore(pool).setUp();
    const statements: string[] = [];
    await postgresCallStore({
      query: (text, values) => {
        statements.push(text);
        return pool.query(text, values);
      },
    }).setUp();
    for (const text of statements) expect(text).toMatch(/^select /);
  });

  test.each([
    ["a state", "state = 'allowed'"],
    ["a version", "version = 7"],
    ["half a record", "record = left(record, 40)"],
    ["another call's record", 'record = replace(record, \'"callId":"1"\', \'"callId":"2"\')'],
    ["no record", "record = 'null'"],
  ])("in which somebody changed %s by hand are refused, and nothing runs", async (what, change) => {
    let payments = 0;
    const turns = openTurns({ tools: [pay(() => (payments += 1))] }, { store: postgresCallStore(pool) });
    const turnId = `edited: ${what}`;
    const waiting = await turns.run([{ id: "1", name: "pay", input: {} }], { turnId });
    await pool.query(`update hasp_calls set ${change} where turn_id = $1`, [turnId]);
    const refused = { name: "DamagedStore", message: expect.stringContaining("changed by hand") as string };
    await expect(turns.resume(turnId)).rejects.toMatchObject(refused);
    const [id = ""] = waiting.status === "waiting" ? waiting.questions.map((question) => question.id) : [];
    await expect(turns.answer(id, { decision: "allow" })).rejects.toMatchObject(refused);
    expect(payments).toBe(0);
    await pool.query("delete from hasp_turns where turn_id = $1", [turnId]);
  });
});

test("removes turns that are over, with their records, and no other", async () => {
  const store = postgresCallStore(pool, { keepSettledSeconds: 0.05 });
  const turns = openTurns({ tools: [pay()] }, { store });
  const calls = [{ id: "1", name: "pay", input: {} }];
  const over = await turns.run(calls, { turnId: "over" });
  await turns.run(calls, { turnId: "open" });
  await turns.answer((over.status === "waiting" && over.questions[0]?.id) || "", { decision: "allow" });
  await turns.resume("over");
  await new Promise((resolve) => setTimeout(resolve, 60));
  await postgresCallStore(pool).setUp();
  expect(await store.read("over")).toBeDefined();
  await store.setUp();
  expect(await store.read("over")).toBeUndefined();
  expect(await store.records({ turnId: "over" })).toEqual([]);
  expect((await store.read("open"))?.calls).toHaveLength(1);
  for (const keepSettledSeconds of [-1, Number.NaN, "7" as never]) {
    expect(() => postgresCallStore(pool, { keepSettledSeconds })).toThrow(TypeError);
  }
});

test("the command line lists and answers its questions, and prints no address", async () => {
  const ask = buildTool({
    name: "ask_first",
    description: "Asks.",
    input: { type: "object", properties: {}, additionalProperties: false },
    execute: () => "done",
  });
  const host = openTurns({ tools: [ask] }, { store: postgresCallStore(pool) });
  await host.run([{ id: "1", name: "ask_first", input: {} }], { turnId: "from the command line" });
  const folder = resolve(import.meta.dirname, "..");
  const environment = { DATABASE_URL: server.urls.scratch ?? "", OTHER_URL: server.urls.application };
  const run = (...words: readonly string[]): Promise<Run> =>
    hasp(folder, [...words, "--store", "postgres=DATABASE_URL"], environment);
  const listed = await run("calls", "--only", "tool:ask_first");
  expect([listed.code, listed.out]).toEqual([0, expect.stringContaining("ask_first")]);
  const [id = ""] = /^[0-9a-f]{8,}/mu.exec(listed.out) ?? [];
  const answered = await run("calls", "answer", id, "--deny", "--reason", "not today");
  expect(answered.code).toBe(0);
  expect((await run("calls", "audit", "--only", "turn:from the command line")).out).toContain('"to":"denied"');

  // What is damaged hides nothing else.
  for (const turnId of ["sound", "damaged"]) await host.run([{ id: "1", name: "ask_first", input: {} }], { turnId });
  await pool.query("update hasp_calls set version = 7 where turn_id = 'damaged'");
  await pool.query("update hasp_audit set record = left(record, 9) where turn_id = 'damaged'");
  const rest = await run("calls", "--only", "tool:ask_first");
  expect([rest.code, rest.out.match(/ask_first/gu)?.length]).toEqual([1, 1]);
  expect(rest.error).toContain('call "1" of turn "damaged" was damaged, or changed by hand');
  const records = await run("calls", "audit");
  expect([records.code, records.out]).toEqual([1, expect.stringContaining('"sound"')]);
  expect(records.error).toContain('a record of turn "damaged" was damaged');
  await pool.query("delete from hasp_turns where turn_id = 'damaged'");
  await pool.query("delete from hasp_audit where turn_id = 'damaged'");

  const empty = await hasp(folder, ["calls", "--store", "postgres=OTHER_URL"], environment);
  expect([empty.code, empty.out]).toEqual([
    2,
    expect.stringContaining("The database that OTHER_URL names has no call store."),
  ]);
  expect(listed.out + listed.error + answered.out + answered.error).not.toContain("postgres://");
});

describe("postgresResultStore", () => {
  test("keeps any text for every process, under a reference that nobody can guess", async () => {
    const text = "a\u0000b \ud83d \u{1f600} ".repeat(1000);
    const reference = await postgresResultStore(pool).put(longResult(text));
    expect(reference).toMatch(/^dump-[0-9a-f-]{36}$/);
    const other = postgresResultStore(pool);
    expect(await other.get(reference)).toBe(text);
    expect(await other.get(`${reference}\u0000`)).toBe(text);
    expect(await other.get("' or true --")).toBeUndefined();
    await expect(postgresResultStore(pool, { mostChars: 10 }).put(longResult(text))).rejects.toThrow(RangeError);
    expect(() => postgresResultStore(pool, { keepSeconds: Number.NaN })).toThrow(TypeError);
  });

  test("gives the model the rest of a result in another process, until its time is over", async () => {
    const text = "0123456789".repeat(5000);
    const dump = buildTool({
      name: "dump",
      description: "Dumps.",
      input: { type: "object", properties: {}, additionalProperties: false },
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isOpenWorld: false },
      limits: { maxResultSizeChars: 1000 },
      execute: () => text,
    });
    const inProcess = (keepSeconds = 3600): Dispatcher =>
      createDispatcher({ tools: [dump], extensions: [storedResults(postgresResultStore(pool, { keepSeconds }))] });
    const [cut] = await inProcess().dispatch([{ id: "1", name: "dump", input: {} }]);
    const reference = cut?.offloaded?.reference ?? "";
    const read = async (dispatcher: Dispatcher): Promise<string> => {
      const input = { reference, from: 49_990, length: 100 };
      const [result] = await dispatcher.dispatch([{ id: "1", name: "read_result", input }]);
      return JSON.stringify(result?.content);
    };
    expect(await read(inProcess())).toContain("0123456789\\n[This is the end.]");
    await pool.query("update hasp_results set stored_at = now() - interval '1 hour' where reference = $1", [reference]);
    const [short, long] = [inProcess(3599), inProcess(7200)];
    expect(await read(short)).toContain("Nothing is stored at");
    expect(await read(long)).toContain("0123456789");
    await short.dispatch([{ id: "1", name: "dump", input: {} }]);
    expect((await pool.query("select from hasp_results where reference = $1", [reference])).rowCount).toBe(0);
  });
});

describe("postgresGate", () => {
  const held = async (gate: Gate, mode: GateMode): Promise<Release> => (await gate.enter(mode)).granted;
  const isWaiting = async (pending: Promise<unknown>): Promise<boolean> =>
    Promise.race([pending.then(() => false), new Promise<true>((resolve) => setTimeout(() => resolve(true), 60))]);

  test("lets readers of all processes in together, and any other call alone", async () => {
    const [one, two] = [postgresGate(pool, "g"), postgresGate(pool, "g")];
    const readers = await Promise.all([held(one, "shared"), held(one, "shared"), held(two, "shared")]);
    const writer = held(two, "exclusive");
    expect(await isWaiting(writer)).toBe(true);
    // A reader that comes after a writer waits behind it.
    const late = held(two, "shared");
    expect(await isWaiting(late)).toBe(true);
    (await held(postgresGate(pool, "another"), "exclusive"))();
    for (const release of readers) release();
    const release = await writer;
    expect(await isWaiting(Promise.race([late, held(one, "shared").then((leave) => leave())]))).toBe(true);
    release();
    release();
    (await late)();
    expect(await isWaiting(held(one, "exclusive").then((leave) => leave()))).toBe(false);
  });

  test("does not let readers who follow each other keep a writer of another process out", async () => {
    const [one, two] = [postgresGate(pool, "busy"), postgresGate(pool, "busy")];
    const over = new AbortController();
    const read = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const release = await held(one, "shared");
        await new Promise((resolve) => setTimeout(resolve, 10));
        release();
      }
    };
    const readers = Promise.all([read(), new Promise((resolve) => setTimeout(resolve, 5)).then(read)]);
    await new Promise((resolve) => setTimeout(resolve, 30));
    (await held(two, "exclusive"))();
    over.abort();
    await readers;
  });

  test("keeps an effect of four processes from overlapping another", async () => {
    let running = 0;
    const write = buildTool({
      name: "write",
      description: "Writes.",
      input: { type: "object", properties: {}, additionalProperties: false },
      behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
      execute: async () => {
        running += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        const atOnce = running;
        running -= 1;
        return String(atOnce);
      },
    });
    const calls = Array.from({ length: 4 }, (_, index) => ({ id: String(index), name: "write", input: {} }));
    const results = await Promise.all(
      Array.from({ length: 4 }, () =>
        createDispatcher({ tools: [write], gate: postgresGate(pool, "w") }).dispatch(calls),
      ),
    );
    for (const { content } of results.flat()) expect(content).toEqual([{ type: "text", text: "1" }]);
  });

  test("tells other processes of a call that outlives its limit, until it ends", async () => {
    const [one, two] = [postgresGate(pool, "late"), postgresGate(pool, "late")];
    const foundBy = async (gate: Gate): Promise<string | undefined> => {
      const release = await held(gate, "exclusive");
      const found = gate.abandonedCall({ space: "id", key: "b" });
      release();
      return found;
    };
    // A call that has ended is found no more, however soon the next one starts.
    for (let round = 0; round < 20; round += 1) {
      const release = await held(one, "exclusive");
      const { over } = one.abandon("pay", { space: "id", key: "a" });
      release();
      (await held(two, "shared"))();
      expect([await foundBy(two), await foundBy(one)]).toEqual(["of another process", "pay"]);
      over();
      expect([await foundBy(one), await foundBy(two)]).toEqual([undefined, undefined]);
    }
  });

  test("leaves no lock and no connection behind: withdrawn, killed or without a database", async () => {
    const own = new Pool({ connectionString: server.urls.scratch, max: 2 });
    const [one, two] = [postgresGate(own, "k"), postgresGate(own, "k")];
    const lost = await held(one, "exclusive");
    const waiting = two.enter("exclusive");
    expect(await isWaiting(waiting.granted)).toBe(true);
    waiting.withdraw();
    // The process of the first is killed: its connections end.
    await pool.query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted");
    (await held(postgresGate(pool, "k"), "exclusive"))();
    lost();
    (await held(one, "exclusive"))();
    await vi.waitFor(async () => {
      expect((await pool.query("select from pg_locks where locktype = 'advisory'")).rows).toEqual([]);
    });
    await own.end();
    await expect(held(one, "shared")).rejects.toThrow();
    let executions = 0;
    const [result] = await createDispatcher({
      tools: [pay(() => (executions += 1))],
      gate: one,
      permissions: { ask: () => "allow" },
    }).dispatch([{ id: "1", name: "pay", input: {} }]);
    expect([result?.isError, executions]).toEqual([true, 0]);
    expect(() => postgresGate(pool, "")).toThrow(TypeError);
  });
});
