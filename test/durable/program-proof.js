// As a process of its own: takes one program as far as it goes, and is killed.
import { spawn } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { setMaxListeners } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { createPrograms } from "@hasp/programs";
import { buildTool, createDispatcher, toolResult } from "@hasp/runtime";
import { durableCalls } from "@hasp/stores";
import { storeOf } from "./killed-program.js";
import { endOf, randomFrom, runDirectly, writeProgram } from "./random-programs.js";

const output = { type: "object", properties: { value: { type: "integer" } }, required: ["value"] };
const input = { type: "object", properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false };
const toolOf = (name, klass, behavior, execute) =>
  buildTool({
    name,
    description: `Runs ${name}.`,
    input,
    output,
    concurrency: { class: klass },
    behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false, ...behavior },
    execute,
  });
const fail = toolOf("fail", "READ_ONLY", {}, () => toolResult({ isError: true, content: "It failed." }));
const valueOf = (n) => (n * 31 + 7) % 101;

/**
 * Compares random programs with the same calls made by `dispatch`, on one dispatcher: what they return, and the order in
 * which their writes took effect. A program that throws may leave writes behind, which start in one of both only.
 */
export async function compareWithDirect({ programs, seed = 1 }) {
  const writes = [];
  const running = new Set();
  const act = (name, klass, answer) =>
    toolOf(name, klass, {}, (given) => {
      const done = answer(given);
      running.add(done);
      return done;
    });
  const dispatcher = createDispatcher({
    tools: [
      act("read", "READ_ONLY", async ({ n }) => ({ value: valueOf(n) })),
      act("slow", "READ_ONLY", ({ n }) => setTimeout(8, { value: valueOf(n) })),
      act("add", "WRITE_EXCLUSIVE", async ({ n }) => ({ value: n + writes.push(n) })),
      fail,
    ],
    extensions: [createPrograms()],
  });
  const takeWrites = async () => {
    await Promise.all(running);
    running.clear();
    return writes.splice(0);
  };
  const random = randomFrom(seed);
  const found = { calls: 0, threw: 0, differing: [] };
  for (let index = 0; index < programs; index += 1) {
    const code = writeProgram(random, { most: 20, kinds: ["read", "read", "slow", "add", "add", "fail"] });
    const [result] = await dispatcher.dispatch([{ id: "p", name: "run_program", input: { code } }]);
    const made = { end: endOf(result), writes: await takeWrites() };
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    const pending = [];
    const end = await runDirectly(code, (name, given, n) => {
      const call = callDirectly(dispatcher, { id: String(n), name, input: given }, ending);
      pending.push(call);
      return call;
    });
    if (end.threw) ending.abort();
    await Promise.allSettled(pending);
    const direct = { end, writes: await takeWrites() };
    found.calls += pending.length;
    if (end.threw) found.threw += 1;
    const common = end.threw ? Math.min(made.writes.length, direct.writes.length) : Infinity;
    const [one, other] = [made, direct].map((each) => ({ ...each, writes: each.writes.slice(0, common) }));
    if (!isDeepStrictEqual(one, other)) found.differing.push({ code, made, direct });
  }
  return found;
}

async function callDirectly(dispatcher, call, { signal }) {
  const [{ output: value, error }] = await dispatcher.dispatch([call], { signal });
  if (error !== undefined) throw withCode(error.code);
  return value;
}

const withCode = (code) => Object.assign(new Error(code), { code });

/** The program of a turn, with `turn % 4` questions. */
function programOf(turn, most) {
  const questions = turn % 4;
  const random = randomFrom(turn + 1);
  return writeProgram(random, { most: most + questions, kinds: ["read", "put", "note"], questions, hasTies: true });
}

/** Decides a question, so that a mixed-up answer shows. */
function decisionFor(turn, callId) {
  return (turn + Number(callId.split(".")[1])) % 3 === 0 ? "deny" : "allow";
}

/** Takes the program of a turn as far as it goes. Each effect writes a line to the table. */
async function workOn({ table, most }, turn, callStore) {
  const act = (name, behavior) =>
    toolOf(name, "WRITE_EXCLUSIVE", behavior, async ({ n }, { callId, idempotencyKey }) => {
      await setTimeout(Math.random() * 5);
      appendFileSync(table, `${turn} ${callId} ${name} ${idempotencyKey}\n`);
      return { value: valueOf(n) };
    });
  const durable = durableCalls({ store: callStore, leaseSeconds: 0.5 });
  const turns = createDispatcher({
    tools: [
      toolOf("read", "READ_ONLY", {}, async ({ n }) => ({ value: valueOf(n) })),
      act("put", { isIdempotent: "withKey" }),
      act("note", {}),
      act("pay", { requiresPermission: true }),
      fail,
    ],
    extensions: [createPrograms(), durable],
  }).use(durable);
  const turnId = `turn ${turn}`;
  const code = programOf(turn, most);
  let outcome = await turns.run([{ id: "p", name: "run_program", input: { code } }], { turnId });
  while (outcome.status === "waiting") {
    for (const { id, callId } of outcome.questions) {
      await turns.answer(id, { decision: decisionFor(turn, callId) });
    }
    outcome = await turns.resume(turnId);
  }
  return outcome.results[0];
}

/** Names a step of a program, and its file in the folder of deaths. */
const stepOf = ({ turnId, callId, from, to }) =>
  from === undefined ? `${turnId} opened` : [turnId, callId, from, to].join(" ");
const fileOf = (step) => step.replaceAll("/", "~");

const KINDS = ["before", "while", "after"];

/** At each step of a program one process is killed: before the store is asked, while it works, or after it answered. */
function deadly(store, turn, deaths) {
  let step = 0;
  /** The open requests to the store: a death interrupts all of these. */
  const open = new Set();
  const isFirstHere = (name) => {
    try {
      closeSync(openSync(join(deaths, fileOf(name)), "wx"));
      return true;
    } catch (error) {
      if (error.code === "EEXIST") return false;
      throw error;
    }
  };
  const deadlyAt = async (name, make) => {
    const kind = KINDS[(turn + (step += 1)) % 3];
    const dieHere = () => {
      if (!isFirstHere(name)) return;
      for (const other of open) isFirstHere(other);
      process.kill(process.pid, "SIGKILL");
    };
    if (kind === "before") dieHere();
    open.add(name);
    const made = make();
    if (kind === "while") {
      await Promise.race([made, setImmediate().then(() => setImmediate())]);
      dieHere();
    }
    const answer = await made;
    if (kind === "after") dieHere();
    open.delete(name);
    return answer;
  };
  return {
    ...store,
    open: (record) => deadlyAt(stepOf({ turnId: record.turnId }), () => store.open(record)),
    advance: (turnId, callId, from, to, patch) =>
      deadlyAt(stepOf({ turnId, callId, from: from.state ?? from, to }), () =>
        store.advance(turnId, callId, from, to, patch),
      ),
  };
}

function startWork(world, turn) {
  const file = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [file, JSON.stringify({ ...world, turn })], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => {
      if (signal === "SIGKILL" || code === 0) done(signal === "SIGKILL");
      else fail(new Error(`turn ${turn}: a process ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

/**
 * Kills processes at every step of random programs with 0 to 3 questions, on files or on the Postgres at `url`. Returns the
 * numbers of kills and calls, and every promise with how often it was broken.
 */
export async function proveKilled({ programs, most = 6, url, Pool, atOnce = 4 }) {
  const folder = mkdtempSync(join(tmpdir(), "hasp-program-proof-"));
  const world = { table: join(folder, "table"), deaths: join(folder, "deaths"), most };
  writeFileSync(world.table, "");
  mkdirSync(world.deaths);
  if (url === undefined) world.folder = join(folder, "store");
  else world.url = url;
  const found = { kills: 0, calls: 0, questions: 0, lost: 0 };
  const wrong = {
    "effect twice": 0,
    "asked twice": 0,
    "effect without a result": 0,
    "another answer": 0,
    "left open": 0,
    "step without a kill": 0,
  };
  const { store, close } = storeOf(world, Pool);
  try {
    let next = 0;
    const takePrograms = async () => {
      while (next < programs) for (const turn = next++; await startWork(world, turn);) found.kills += 1;
    };
    await Promise.all(Array.from({ length: atOnce }, takePrograms));
    const lines = readFileSync(world.table, "utf8")
      .split("\n")
      .map((line) => line.split(" "));
    for (let turn = 0; turn < programs; turn += 1) {
      const result = await workOn(world, turn, store);
      const countMissed = (records) => {
        const missed = records.filter((record) => !existsSync(join(world.deaths, fileOf(stepOf(record)))));
        wrong["step without a kill"] += missed.length;
      };
      countMissed(await store.records({ turnId: `turn ${turn}` }));
      const direct = await runDirectly(programOf(turn, most), async (name, { n }, count) => {
        const callId = `p.${count}`;
        const records = await store.records({ turnId: `turn ${turn}/${callId}` });
        countMissed(records);
        const own = lines.filter(([of, id]) => of === String(turn) && id === callId);
        const asked = records.filter(({ from, to }) => from !== to && to === "asked").length;
        const isLost = records.some(({ to, code }) => to === "settled" && code === "process-lost");
        const isDenied = name === "pay" && decisionFor(turn, callId) === "deny";
        // With its key, a repeated `put` counts once.
        const effects = name === "put" ? new Set(own.map(([, , , key]) => key)).size : own.length;
        found.calls += 1;
        found.questions += asked;
        if (isLost) found.lost += 1;
        if (effects > 1) wrong["effect twice"] += 1;
        if (asked !== (name === "pay" ? 1 : 0)) wrong["asked twice"] += 1;
        const expected = ["put", "note", "pay"].includes(name) && !isDenied ? 1 : 0;
        if (!isLost && effects !== expected) wrong["effect without a result"] += 1;
        if (isLost) throw withCode("process-lost");
        if (isDenied) throw withCode("denied");
        if (name === "fail") throw withCode("tool-error");
        return { value: valueOf(n) };
      });
      if (!isDeepStrictEqual(endOf(result), direct)) wrong["another answer"] += 1;
      wrong["left open"] += (await store.questions({ isOpen: true, turnId: `turn ${turn}` })).length;
    }
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { ...found, wrong, isClean: Object.values(wrong).every((count) => count === 0) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { turn, deaths, ...world } = JSON.parse(process.argv[2]);
  const Pool = world.url === undefined ? undefined : (await import("pg")).default.Pool;
  const { store } = storeOf(world, Pool);
  await workOn(world, turn, deadly(store, turn, deaths));
  process.exit(0);
}
