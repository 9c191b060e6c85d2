// What it costs to keep calls: each store beside the bare operation that it cannot do without, in the same run.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { fileCallStore } from "@hasp/stores/files";
import { postgresCallStore } from "@hasp/stores/postgres";
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
  behavior: { requiresPermission: false, isOpenWorld: false },
  execute: () => "done",
});
const write = buildTool({
  name: "write",
  description: "Writes.",
  input,
  behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
  execute: () => "done",
});

const callsOf = (name, count) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), name, input: { n: index } }));
const turnsOf = (store) => {
  const durable = durableCalls({ store });
  return createDispatcher({ tools: [look, write], extensions: [durable] }).use(durable);
};

let count = 0;
const newTurn = () => ({ turnId: `turn ${(count += 1)}` });

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

/**
 * Medians of two actions, measured in turn so that both meet the same machine, and the median of the ratios of a pair. The
 * first half of the runs is spent on compiling.
 */
async function beside(runs, measure, ours, bare) {
  const pairs = [];
  for (let run = 0; run < runs; run += 1) {
    const theirs = await measure(bare);
    pairs.push({ mine: await measure(ours), theirs });
  }
  const counted = pairs.slice(runs >> 1);
  return {
    mine: median(counted.map(({ mine }) => mine)),
    theirs: median(counted.map(({ theirs }) => theirs)),
    ratio: median(counted.map(({ mine, theirs }) => mine / theirs)),
  };
}

async function inMemory() {
  const COUNT = 300;
  const plain = createDispatcher({ tools: [look, write] });
  const calls = callsOf("look", 10);
  const repeat = async (action) => {
    for (let index = 0; index < COUNT; index += 1) await action();
  };
  const { mine, theirs } = await beside(
    24,
    cpu,
    () => {
      const turns = turnsOf(memoryCallStore());
      return repeat(() => turns.run(calls, newTurn()));
    },
    () => repeat(() => plain.dispatch(calls)),
  );
  const [kept, bare] = [mine, theirs].map((time) => time / COUNT / calls.length);
  const us = (time) => `${time.toFixed(1)} µs`;
  return ["memory: a call, beside one that is not kept", us(kept), us(bare), `+ ${us(kept - bare)}`, "under + 15 µs"];
}

async function onFiles() {
  const folder = temporaryFolder("hasp-bench-durable-");
  const turns = turnsOf(fileCallStore(folder));
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
  // A turn of many readers is flushed twice: so the code is compiled before anything is measured.
  for (let turn = 0; turn < 10; turn += 1) await turns.run(callsOf("look", 500), newTurn());
  const rows = [];
  for (const [name, count, runs, mark] of [
    ["write", 50, 24, "under 1.5"],
    ["look", 50, 24, ""],
    ["write", 1, 100, ""],
  ]) {
    const run = () => turns.run(callsOf(name, count), newTurn());
    const { mine, theirs, ratio } = await beside(runs, milliseconds, run, bare(count));
    const title = `files: a call of a turn of ${count} (${name === "look" ? "readers" : "one at a time"})`;
    rows.push([title, ms(mine / count), ms(theirs / count), ratio.toFixed(2), mark]);
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
    const turns = turnsOf(store);
    const record = "x".repeat(600);
    const COUNT = 50;
    let id = 0;
    const bare = async () => {
      for (let index = 0; index < COUNT; index += 1) {
        await pool.query("insert into bare (id, record) values ($1, $2)", [(id += 1), record]);
        await pool.query("update bare set record = $2 where id = $1", [id, record]);
      }
    };
    const run = () => turns.run(callsOf("write", COUNT), newTurn());
    const { mine, theirs, ratio } = await beside(16, milliseconds, run, bare);
    return ["Postgres: a call of a turn of 50", ms(mine / COUNT), ms(theirs / COUNT), ratio.toFixed(2), "at most 2.5"];
  } finally {
    await pool.end();
    await server.stop();
  }
}

/** Resuming a long turn, and what it costs to run, resume and list turns of two sizes. */
async function manyCalls() {
  const rows = [];
  const SIZES = [10_000, 100_000];
  for (const [where, create] of [
    ["memory", () => memoryCallStore()],
    ["files", () => fileCallStore(temporaryFolder("hasp-bench-durable-"))],
  ]) {
    // Of its own for each size: a store that holds much makes the garbage collector work.
    const times = { run: [], resume: [], records: [] };
    for (const size of SIZES) {
      const store = create();
      const turn = newTurn();
      await turnsOf(store).run(callsOf("look", 1000), turn);
      const resumed = await milliseconds(() => turnsOf(store).resume(turn.turnId));
      if (size === SIZES[0]) rows.push([`${where}: resume a turn of 1000`, ms(resumed), "", "", "under 1 s"]);
      const { turnId } = newTurn();
      const calls = callsOf("look", size);
      times.run.push(await cpu(() => turnsOf(store).run(calls, { turnId })));
      times.resume.push(await cpu(() => turnsOf(store).resume(turnId)));
      times.records.push(await cpu(() => store.records({ turnId })));
    }
    for (const [what, [small, large]] of Object.entries(times)) {
      const exponent = growth({ size: SIZES[0], value: small }, { size: SIZES[1], value: large });
      const title = `${where}: ${what}, ${SIZES[1]} calls beside ${SIZES[0]}`;
      rows.push([title, ms(large / 1000), ms(small / 1000), `n^${exponent.toFixed(2)}`, "linear"]);
    }
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
