// `node test/durable/kill-proof.js [--turns 200] [--kills 500] [--store files] [--processes 4]`: processes that work through
// stored turns are killed at every transition and at random moments; then what happened is compared with what the store says.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { startPostgres } from "../../tools-spec/dist/services/embedded-postgres.js";
import { CALLS, deathAt, decisionFor, storeOf, workOn } from "./killed-program.js";
import { randomFrom } from "./random-programs.js";

const program = fileURLToPath(new URL("killed-program.js", import.meta.url));
/** The number of processes that run at once, on as many turns. */
const AT_ONCE = 8;

/**
 * Starts a process that works on one turn, and kills it `afterMs` milliseconds after it has begun, if that is given.
 * Returns whether it was killed; throws if it failed.
 */
function work(world, order, afterMs) {
  const child = spawn(process.execPath, [program, "work", JSON.stringify({ ...world, ...order })], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.once("data", () => {
    if (afterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), afterMs);
  });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => {
      if (signal === "SIGKILL" || code === 0) done(signal === "SIGKILL");
      else fail(new Error(`turn ${order.turn}: a process ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

/** A service that counts effects by key, a table or a file for the others, and a folder that says where processes died. */
async function openWorld(server, name) {
  const told = [];
  const service = createServer((request, response) => {
    let line = "";
    request.on("data", (chunk) => (line += chunk));
    request.on("end", () => response.end(void told.push(line)));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => service.once("listening", resolve));
  const folder = mkdtempSync(join(tmpdir(), "hasp-kill-proof-"));
  const world = { service: `http://127.0.0.1:${service.address().port}`, table: join(folder, "table") };
  writeFileSync(world.table, "");
  const deaths = join(folder, "deaths");
  mkdirSync(deaths);
  if (server === undefined) world.folder = join(folder, "store");
  else {
    world.url = `${server.urls.scratch}?options=-csearch_path%3D${name}`;
    await withPool(server.urls.scratch, (pool) =>
      pool.query(`create schema ${name}; create table ${name}.effects (line text)`),
    );
  }
  return {
    world,
    deaths,
    async effects() {
      if (server === undefined) return [...told, ...readFileSync(world.table, "utf8").split("\n").filter(Boolean)];
      return withPool(world.url, async (pool) => [
        ...told,
        ...(await pool.query("select line from effects")).rows.map(({ line }) => line),
      ]);
    },
    close() {
      service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function withPool(connectionString, use) {
  const pool = new pg.Pool({ connectionString });
  pool.on("error", () => undefined);
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Takes turns, `processes` at once on each, until `isEnough(turns, kills)`. Whenever one of their processes is killed,
 * another takes its place, until the turn is settled. Returns how many turns there were, and how many kills.
 */
async function workThrough(world, { processes, deaths, momentOf, isEnough }) {
  const done = { turns: 0, kills: 0 };
  const settle = async (turn) => {
    let kills = 0;
    const untilSettled = async () => {
      while (await work(world, { turn, deaths }, momentOf?.(kills))) {
        kills += 1;
        done.kills += 1;
      }
    };
    await Promise.all(Array.from({ length: processes }, untilSettled));
  };
  const takeTurns = async () => {
    while (!isEnough(done)) await settle(done.turns++);
  };
  await Promise.all(Array.from({ length: Math.ceil(AT_ONCE / processes) }, takeTurns));
  return done;
}

/** Kills the server again and again, a random moment after it is up, until it is told to stop. Returns how often. */
async function crashAgainAndAgain(server, random, over) {
  let crashes = 0;
  while (!over.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 50 + random() * 950));
    await server.crash();
    crashes += 1;
  }
  return crashes;
}

/** Finishes every turn, and says what is wrong with what happened. */
async function verdict(world, effects, turns, deaths) {
  const { store, pool, close } = storeOf(world, pg.Pool);
  const finishing =
    pool === undefined ? world : { ...world, insert: (line) => pool.query("insert into effects values ($1)", [line]) };
  const found = { ...NOTHING_WRONG, unknown: 0 };
  const outcomes = await Promise.all(Array.from({ length: turns }, (_, turn) => workOn(finishing, turn, store)));
  const lines = (await effects()).map((line) => line.split(" "));
  const isAsking = ({ from, to }) => from === "proposed" && to === "asked";
  /** The tool as a person saw it before it changed. */
  const firstTool = (await store.records({ turnId: "turn 0" })).find(isAsking)?.toolDigest;
  for (const [turn, { status, results }] of outcomes.entries()) {
    if (status !== "settled") found.lost += CALLS.length;
    const turnId = `turn ${turn}`;
    const [records, labels, stored] = await Promise.all([
      store.records({ turnId }),
      store.labels(turnId),
      store.read(turnId),
    ]);
    if (deaths !== undefined) found.missed += missedOf(turn, [...records, ...labels.map(savedLabel)], deaths);
    const brought = results.flatMap(({ callId, labels: own = [] }) => own.map((label) => ({ callId, label })));
    found.unlabelled += brought.filter(({ callId, label }) => !hasLabel(labels, callId, label)).length;
    if (!hasLabel(brought, "1", "untrusted") || !hasLabel(brought, "3", "private")) found.unlabelled += 1;
    // Only the last call is asked about after both labels came.
    const isGuarded = (id) => stored.calls.find(({ callId }) => callId === id)?.question?.flow !== undefined;
    if (isGuarded("2") || !isGuarded("4")) found.unguarded += 1;
    for (const { id, name } of CALLS) {
      const { error, output } = results.find(({ callId }) => callId === id) ?? {};
      const own = lines.filter(([of, callId]) => of === String(turn) && callId === id);
      if (name === "choose") {
        const completions = records.filter((record) => record.callId === id && record.reason === COMPLETED);
        if (error !== undefined || completions.length === 0) found.lost += 1;
        // A process that was killed once its completion was accepted has told nobody.
        if (completions.length > 1 || own.some(([, , , told]) => told !== output)) found.twice += 1;
        continue;
      }
      // A service that takes the key counts an effect that is repeated with it once.
      const happened = name === "upsert" ? new Set(own.map(([, , , key]) => key)).size : own.length;
      if (results.filter(({ callId }) => callId === id).length !== 1) found.lost += 1;
      if (happened > 1) found.twice += 1;
      if (error?.effect === "unknown") found.unknown += 1;
      else if (happened !== (error === undefined ? 1 : 0)) found.lost += 1;
      if (name !== "pay") continue;
      const isDenied = decisionFor(turn, id) === "deny";
      if (isDenied && (happened > 0 || error === undefined)) found.misapplied += 1;
      if (!isDenied && error?.code === "denied") found.misapplied += 1;
      const asked = records.filter((record) => record.callId === id && isAsking(record));
      if (asked.length !== 1) found.askedTwice += 1;
      const seen = asked[0]?.toolDigest === firstTool ? "first" : "second";
      if (own.some(([, , , , version]) => version !== seen)) found.outlived += 1;
    }
  }
  await close();
  return found;
}

/** The reason in the record of a completion. */
const COMPLETED = "somebody else executed it";

function hasLabel(labels, callId, label) {
  return labels.some((entry) => entry.callId === callId && entry.label === label);
}

/** The storing of a label, as a transition. */
function savedLabel({ callId }) {
  return { callId, from: "reserved", to: "labelled" };
}

/** Counts the transitions of a turn that saw no kill. */
function missedOf(turn, records, deaths) {
  const isDeadly = ({ callId, from, to }) =>
    existsSync(join(deaths, from === undefined ? deathAt(turn, "0", from, to) : deathAt(turn, callId, from, to)));
  return records.filter((record) => !isDeadly(record)).length;
}

/** Every promise, and how often it was broken. `missed`: transitions at which no process was killed. */
const NOTHING_WRONG = {
  twice: 0,
  lost: 0,
  misapplied: 0,
  askedTwice: 0,
  outlived: 0,
  unlabelled: 0,
  unguarded: 0,
  missed: 0,
};

/**
 * Runs one row of the kill table, on files, or on the Postgres of `server`: processes are killed at each transition, or,
 * with `kills`, at so many random moments and more turns if need be. With `crashes`, the server is killed as well, for as
 * long as that takes. Returns what was done, what was wrong in the end, and whether nothing was.
 */
export async function prove({ server, name, turns: wanted, processes, kills, crashes = false, seed = 1 }) {
  const random = randomFrom(seed);
  const { world, deaths, effects, close } = await openWorld(server, name);
  const over = new AbortController();
  try {
    const crashing = crashes ? crashAgainAndAgain(server, random, over.signal) : 0;
    const share = Math.ceil((kills ?? 0) / wanted);
    // Most of what a process does, it does in its first moments; then it may wait for the lease of a dead one.
    const momentOf = (before) => (before < share ? random() * (random() < 0.75 ? 100 : 700) : undefined);
    const done = await workThrough(world, {
      processes,
      isEnough: (sofar) => sofar.turns >= wanted && sofar.kills >= (kills ?? 0),
      ...(kills === undefined ? { deaths } : { momentOf }),
    }).finally(async () => {
      over.abort();
      await crashing;
    });
    const { unknown, ...wrong } = await verdict(world, effects, done.turns, kills === undefined ? deaths : undefined);
    return {
      ...done,
      crashes: await crashing,
      wrong,
      unknown,
      isClean: Object.values(wrong).every((count) => count === 0),
    };
  } finally {
    close();
  }
}

const HEAD = [
  "killed",
  "store",
  "processes on a turn",
  "turns",
  "kills",
  "effect twice",
  "call lost",
  "answer misapplied",
  "asked twice",
  "approval outlived",
  "label lost",
  "asked without or despite labels",
  "settled as unknown",
];

/** The rows of the table. */
function rowsOf(store, kills) {
  return [1, 4].flatMap((processes) => [
    { killed: "at each transition", processes },
    { killed: "at random moments", processes, kills },
    ...(store === "Postgres" ? [{ killed: "at random moments, Postgres too", processes, kills, crashes: true }] : []),
  ]);
}

async function main() {
  const { values } = parseArgs({
    options: {
      turns: { type: "string", default: "200" },
      kills: { type: "string", default: "500" },
      store: { type: "string" },
      processes: { type: "string" },
    },
  });
  process.stdout.write(`| ${HEAD.join(" | ")} |\n|${HEAD.map(() => "---|").join("")}\n`);
  let count = 0;
  for (const store of ["files", "Postgres"].filter((each) => (values.store ?? each) === each)) {
    const server = store === "Postgres" ? await startPostgres() : undefined;
    try {
      for (const { killed, processes, ...order } of rowsOf(store, Number(values.kills))) {
        if (Number(values.processes ?? processes) !== processes) continue;
        count += 1;
        const name = `proof_${count}`;
        const row = await prove({ server, name, turns: Number(values.turns), processes, seed: count, ...order });
        const { missed, ...wrong } = row.wrong;
        const kills = row.crashes === 0 ? row.kills : `${row.kills}, Postgres ${row.crashes}`;
        const cells = [killed, store, processes, row.turns, kills, ...Object.values(wrong), row.unknown];
        process.stdout.write(`| ${cells.join(" | ")} |\n`);
        if (missed > 0) process.stderr.write(`${missed} transitions without a kill\n`);
        if (!row.isClean) process.exitCode = 1;
      }
    } finally {
      await server?.stop();
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
