// What it costs to keep calls: each store beside the bare operation that it cannot do without, in the same run.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { buildTool, createDispatcher, memoryCallStore } from "@hasp/runtime";
import { fileCallStore } from "@hasp/runtime/node";
import { postgresCallStore } from "@hasp/runtime/postgres";
import { Pool } from "pg";
import { startPostgres } from "../../tools-spec/dist/services/embedded-postgres.js";
import { onDbos } from "./durable-dbos.js";
import { growth, median, printTable } from "./measure.js";
import { temporaryFolder } from "./temporary-folder.js";

const input = { type: "object", properties: { n: { type: "integer" } }, additionalProperties: false };
const look = buildTool({
  name: "look",
  description: "Looks.",
  input,
  concurrency: { class: "READ_ONLY" },
  behavior: { requiresPermission: false },
  execute: () => "done",
});
const write = buildTool({
  name: "write",
  description: "Writes.",
  input,
  behavior: { requiresPermission: false, isDestructive: false },
  execute: () => "done",
});

const callsOf = (name, count) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), name, input: { n: index } }));
const dispatcherOf = (callStore) => createDispatcher({ tools: [look, write], callStore, resultStore: false });

let turns = 0;
const newTurn = () => ({ turnId: `turn ${(turns += 1)}` });

/** User CPU time in microseconds. */
async function cpu(action) {
  const before = process.cpuUsage();
  await action();
  return process.cpuUsage(before).user;
}

async function milliseconds(action) {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

/** Medians of two actions, measured in turn so that both meet the same machine. */
async function beside(runs, measure, ours, bare) {
  const [mine, theirs] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    theirs.push(await measure(bare));
    mine.push(await measure(ours));
  }
  // The first runs are spent on compiling.
  return [median(mine.slice(runs >> 1)), median(theirs.slice(runs >> 1))];
}

async function inMemory() {
  const COUNT = 300;
  const plain = dispatcherOf(undefined);
  const calls = callsOf("look", 10);
  const repeat = async (action) => {
    for (let index = 0; index < COUNT; index += 1) await action();
  };
  const [kept, bare] = await beside(
    24,
    cpu,
    () => {
      const dispatcher = dispatcherOf(memoryCallStore());
      return repeat(() => dispatcher.run(calls, newTurn()));
    },
    () => repeat(() => plain.dispatch(calls)),
  );
  const each = (kept - bare) / COUNT / calls.length;
  return [
    "memory: added to a call",
    `${each.toFixed(1)} µs`,
    `${(bare / COUNT / 10).toFixed(1)} µs`,
    "",
    "under 15 µs",
  ];
}

async function onFiles() {
  const folder = temporaryFolder("hasp-bench-durable-");
  const dispatcher = dispatcherOf(fileCallStore(folder));
  const line = "x".repeat(600);
  let files = 0;
  const bare = (count) => async () => {
    const file = await open(join(folder, `bare-${(files += 1)}`), "a");
    for (let index = 0; index < count; index += 1) {
      await file.write(line);
      await file.sync();
    }
    await file.close();
  };
  const rows = [];
  for (const [name, count, mark] of [
    ["write", 50, "at most 1.5"],
    ["look", 50, ""],
    ["write", 1, ""],
  ]) {
    const [mine, theirs] = await beside(
      8,
      milliseconds,
      () => dispatcher.run(callsOf(name, count), newTurn()),
      bare(count),
    );
    const title = `files: a call of a turn of ${count} (${name === "look" ? "readers" : "one at a time"})`;
    rows.push([title, ms(mine / count), ms(theirs / count), (mine / theirs).toFixed(2), mark]);
  }
  return rows;
}

async function onPostgres() {
  const server = await startPostgres();
  const pool = new Pool({ connectionString: server.urls.scratch, max: 4 });
  pool.on("error", () => undefined);
  try {
    const store = postgresCallStore(pool);
    await store.setUp();
    await pool.query("create table bare (id integer primary key, record text)");
    const dispatcher = dispatcherOf(store);
    const record = "x".repeat(600);
    const COUNT = 50;
    let id = 0;
    const bare = async () => {
      for (let index = 0; index < COUNT; index += 1) {
        await pool.query("insert into bare (id, record) values ($1, $2)", [(id += 1), record]);
        await pool.query("update bare set record = $2 where id = $1", [id, record]);
      }
    };
    const run = () => dispatcher.run(callsOf("write", COUNT), newTurn());
    const [mine, theirs] = await beside(12, milliseconds, run, bare);
    return [
      "Postgres: a call of a turn of 50",
      ms(mine / COUNT),
      ms(theirs / COUNT),
      (mine / theirs).toFixed(2),
      "at most 2.5",
    ];
  } finally {
    await pool.end();
    await server.stop();
  }
}

async function manyCalls() {
  const rows = [];
  for (const [where, store, sizes] of [
    ["memory", memoryCallStore(), [10_000, 100_000]],
    ["files", fileCallStore(temporaryFolder("hasp-bench-durable-")), [2000, 20_000]],
  ]) {
    const turn = newTurn();
    await dispatcherOf(store).run(callsOf("look", 1000), turn);
    const resumed = await milliseconds(() => dispatcherOf(store).resume(turn.turnId));
    rows.push([`${where}: resume a turn of 1000`, ms(resumed), "", "", "under 1 s"]);
    const [small, large] = sizes;
    const times = [];
    for (const size of sizes) times.push(await cpu(() => dispatcherOf(store).run(callsOf("look", size), newTurn())));
    const exponent = growth({ size: small, value: times[0] }, { size: large, value: times[1] });
    rows.push([
      `${where}: ${large} calls, beside ${small}`,
      ms(times[1] / 1000),
      ms(times[0] / 1000),
      `n^${exponent.toFixed(2)}`,
      "linear",
    ]);
  }
  return rows;
}

function ms(value) {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

export default async function run() {
  const rows = [
    await inMemory(),
    ...(await onFiles()),
    await onPostgres(),
    ...(await onDbos()),
    ...(await manyCalls()),
  ];
  printTable("Durable calls", ["", "hasp", "bare", "ratio", "mark"], rows);
}
