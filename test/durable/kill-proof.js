// `node test/durable/kill-proof.js [--turns 200] [--kills 500] [--only files]`: processes that work through stored turns
// are killed at every transition and at random moments; then what happened is compared with what the store says.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { startPostgres } from "../../tools-spec/dist/services/embedded-postgres.js";
import { CALLS, decisionFor, storeOf, workOn } from "./killed-program.js";

const program = fileURLToPath(new URL("killed-program.js", import.meta.url));

/** Before and after each transition of a turn: two a call, and two a question. */
export const PLACES = (CALLS.length + CALLS.filter(({ name }) => name === "pay").length) * 4;

/** Starts a process of the proof. Answers whether it was killed. */
function work(world, order) {
  const child = spawn(process.execPath, [program, "work", JSON.stringify({ ...world, ...order })], {
    stdio: "inherit",
  });
  return new Promise((done) => child.once("exit", (_code, signal) => done(signal === "SIGKILL")));
}

/** A service that counts effects by key, and a table or a file for the others. */
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
  if (server === undefined) world.folder = join(folder, "store");
  else {
    world.url = `${server.urls.scratch}?options=-csearch_path%3D${name}`;
    await withPool(server.urls.scratch, (pool) =>
      pool.query(`create schema ${name}; create table ${name}.effects (line text)`),
    );
  }
  return {
    world,
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

/** Kills processes at each place in turn, `processes` at once on each turn. */
async function killAtPlaces(world, { turns, processes }) {
  let kills = 0;
  for (const first of range(0, turns, 4)) {
    const killed = await Promise.all(
      range(first, Math.min(first + 4, turns)).flatMap((turn) =>
        range(0, processes).map((index) => work(world, { turns: [turn], place: (turn + index) % PLACES })),
      ),
    );
    kills += killed.filter(Boolean).length;
  }
  return kills;
}

/** Kills processes at random moments until enough were; each begins at another turn. */
async function killAtRandom(world, { turns, processes, kills: wanted, random }) {
  let kills = 0;
  const lane = async (index) => {
    while (kills < wanted) {
      const start = Math.floor(random() * turns);
      const list = range(0, turns).map((turn) => (turn + start + index) % turns);
      if (await work(world, { turns: list, afterMs: 30 + Math.floor(random() * 600) })) kills += 1;
      else if (kills < wanted) return;
    }
  };
  await Promise.all(range(0, processes).map(lane));
  return kills;
}

/** Finishes every turn, and says what is wrong with what happened. */
async function verdict(world, effects, turns) {
  const { store, pool, close } = storeOf(world, pg.Pool);
  const finishing =
    pool === undefined ? world : { ...world, insert: (line) => pool.query("insert into effects values ($1)", [line]) };
  const found = { twice: 0, lost: 0, misapplied: 0, askedTwice: 0, outlived: 0, unknown: 0 };
  const outcomes = new Map();
  for (const turn of range(0, turns)) outcomes.set(turn, await workOn(finishing, turn, store));
  const lines = (await effects()).map((line) => line.split(" "));
  const asking = ({ from, to }) => from === "proposed" && to === "asked";
  /** What a person saw of the tool before it changed. */
  const firstTool = (await store.records({ turnId: "turn 0" })).find(asking)?.toolDigest;
  for (const [turn, { status, results }] of outcomes) {
    if (status !== "settled") found.lost += CALLS.length;
    const records = await store.records({ turnId: `turn ${turn}` });
    for (const { id, name } of CALLS) {
      const result = results.find(({ callId }) => callId === id);
      const own = lines.filter(([of, callId]) => of === String(turn) && callId === id);
      const happened = name === "upsert" ? new Set(own.map(([, , , key]) => key)).size : own.length;
      const code = result?.error?.code;
      if (result === undefined) found.lost += 1;
      if (happened > 1) found.twice += 1;
      if (code === "process-lost") found.unknown += 1;
      else if (name !== "look" && code === undefined && happened !== 1) found.lost += 1;
      if (name !== "pay") continue;
      const isDenied = decisionFor(turn, id) === "deny";
      if (isDenied && (happened > 0 || code === undefined)) found.misapplied += 1;
      if (!isDenied && code === "denied") found.misapplied += 1;
      const asked = records.filter((record) => record.callId === id && asking(record));
      if (asked.length !== 1) found.askedTwice += 1;
      const seen = asked[0]?.toolDigest === firstTool ? "first" : "second";
      if (own.some(([, , , , version]) => version !== seen)) found.outlived += 1;
    }
  }
  await close();
  return found;
}

/**
 * Runs one row of the kill table: on files, or on the Postgres of `server`. Answers with how many processes were killed
 * and what was wrong in the end.
 */
export async function prove({ server, name, turns, processes, kills, seed = 1, crashes = 0 }) {
  const { world, effects, close } = await openWorld(server, name);
  try {
    const over = new AbortController();
    const crashing = (async () => {
      for (let crash = 0; crash < crashes && !over.signal.aborted; crash += 1) {
        await new Promise((resolve) => setTimeout(resolve, 400));
        await server.crash();
      }
    })();
    const killed =
      kills === undefined
        ? await killAtPlaces(world, { turns, processes })
        : await killAtRandom(world, { turns, processes, kills, random: randomFrom(seed) });
    over.abort();
    await crashing;
    return { killed, ...(await verdict(world, effects, turns)) };
  } finally {
    close();
  }
}

function range(from, to, step = 1) {
  const numbers = [];
  for (let number = from; number < to; number += step) numbers.push(number);
  return numbers;
}

/** Numbers between 0 and 1, the same for the same seed. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const HEAD = [
  "where",
  "store",
  "processes",
  "turns",
  "kills",
  "effect twice",
  "call lost",
  "answer misapplied",
  "asked twice",
  "approval outlived",
  "settled as unknown",
];

async function main() {
  const { values } = parseArgs({
    options: {
      turns: { type: "string", default: "200" },
      kills: { type: "string", default: "500" },
      only: { type: "string" },
    },
  });
  const [turns, kills] = [Number(values.turns), Number(values.kills)];
  process.stdout.write(`| ${HEAD.join(" | ")} |\n|${HEAD.map(() => "---|").join("")}\n`);
  let count = 0;
  for (const store of ["files", "Postgres"].filter((each) => (values.only ?? each) === each)) {
    const server = store === "Postgres" ? await startPostgres() : undefined;
    try {
      const rows = [1, 4].flatMap((processes) => [
        { where: "each transition", processes, order: {} },
        { where: "random moments", processes, order: { kills } },
      ]);
      if (server !== undefined) {
        rows.push({
          where: "random moments, and Postgres too",
          processes: 4,
          order: { kills: Math.ceil(kills / 5), crashes: 10 },
        });
      }
      for (const { where, processes, order } of rows) {
        const { killed, twice, lost, misapplied, askedTwice, outlived, unknown } = await prove({
          server,
          name: `proof_${(count += 1)}`,
          turns,
          processes,
          seed: count,
          ...order,
        });
        const cells = [where, store, processes, turns, killed, twice, lost, misapplied, askedTwice, outlived, unknown];
        process.stdout.write(`| ${cells.join(" | ")} |\n`);
        if (twice + lost + misapplied + askedTwice + outlived > 0) process.exitCode = 1;
      }
    } finally {
      await server?.stop();
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
