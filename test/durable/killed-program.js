// A process of the proof: works through a stored turn, answers its questions, and is killed somewhere on the way.
import { randomUUID } from "node:crypto";
import { appendFileSync, closeSync, openSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { durableCalls } from "@hasp/stores";
import { fileCallStore } from "@hasp/stores/files";
import { postgresCallStore } from "@hasp/stores/postgres";
import { informationFlow } from "@hasp/runtime/flow";

/** The calls of a turn. Somebody else executes the last one. */
export const CALLS = ["upsert", "pay", "insert", "pay", "choose"].map((name, index) => ({
  id: String(index + 1),
  name,
  input: {},
}));

/** Decides a question by turn and call, so that a mixed-up answer shows. */
export function decisionFor(turn, callId) {
  return (turn + Number(callId)) % 3 === 0 ? "deny" : "allow";
}

/** In some turns the tool changes between question and answer: whatever the person said, the new tool must not run. */
export function changesTool(turn) {
  return turn % 5 === 4;
}

export function storeOf({ folder, url }, Pool) {
  if (folder !== undefined) return { store: fileCallStore(folder), close: async () => undefined };
  const pool = new Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 5000 });
  pool.on("error", () => undefined);
  return { store: postgresCallStore(pool), pool, close: () => pool.end() };
}

/**
 * The tools: what has an effect tells the service, or writes a line to the table, under its turn, call and key. The first
 * call of a turn brings in what an outsider may have written, the third what is private, and payments leave the house.
 */
function toolsOf({ service, table, insert }, turn, version) {
  const facts = (name, behavior) => ({
    name,
    description: `${name} ${name === "pay" ? version : ""}`,
    input: { type: "object", properties: {}, additionalProperties: false },
    behavior: { requiresPermission: false, isDestructive: false, ...CLEAN, ...behavior },
  });
  const act = (name, behavior, execute) =>
    buildTool({
      ...facts(name, behavior),
      execute: async (_input, { callId, idempotencyKey }) => {
        // Long enough that a process is killed in the middle of it now and then.
        await setTimeout(Math.random() * 10);
        await execute([turn, callId, name, idempotencyKey, version].join(" "));
        await setTimeout(Math.random() * 10);
        return name;
      },
    });
  const tell = (line) => tellService(service, line);
  const write = insert ?? (async (line) => appendFileSync(table, `${line}\n`));
  return [
    act("upsert", { isIdempotent: "withKey", returnsUntrusted: true }, tell),
    act("pay", { requiresPermission: true, isOpenWorld: true }, tell),
    act("insert", { returnsPrivate: true }, write),
    buildTool({ ...facts("choose", {}), output: { type: "string" }, external: true }),
  ];
}

/** Tells the service a line. `fetch` would take most of a process's time to start. */
function tellService(service, line) {
  return new Promise((told, fail) => {
    const request = httpRequest(service, { method: "POST", agent: false }, (response) =>
      response.resume().on("end", told),
    );
    request.on("error", fail).end(line);
  });
}

const CLEAN = { returnsUntrusted: false, returnsPrivate: false, isOpenWorld: false };

/** Takes one turn as far as it goes. Each is a conversation of its own. */
export async function workOn(world, turn, callStore) {
  const durable = durableCalls({ store: callStore, leaseSeconds: 0.5 });
  const turns = (version) =>
    createDispatcher({
      tools: toolsOf(world, turn, version),
      flow: "ask",
      extensions: [informationFlow, durable],
    }).use(durable);
  const turnId = `turn ${turn}`;
  let outcome = await turns("first").run(CALLS, { turnId, conversation: turnId });
  while (outcome.status === "waiting") {
    for (const { id, callId } of outcome.questions) {
      await turns("first").answer(id, { decision: decisionFor(turn, callId) });
    }
    for (const { id, callId, toolName } of outcome.externals ?? []) {
      const output = randomUUID();
      const { accepted } = await turns("first").complete(id, { output });
      if (accepted) await tellService(world.service, [turn, callId, toolName, output].join(" "));
    }
    outcome = await turns(changesTool(turn) ? "second" : "first").resume(turnId);
  }
  return outcome;
}

/** The name of a transition in a folder of deaths. */
export function deathAt(turn, callId, from, to) {
  return [turn, callId, from ?? "none", to].join(" ");
}

const KINDS = ["before", "while", "after"];
/** Transitions that follow each other differ in their digit, so that 81 turns have every combination of kinds. */
const DIGIT = { reserved: 0, settled: 1, asked: 2, allowed: 3, denied: 3, expired: 3, proposed: 3, labelled: 2 };

/** At each transition of a turn one process is killed: before the store is asked, while it works, or after it answered. */
function deadly(store, turn, deaths) {
  const diesAs = (callId, to) => KINDS[(Math.floor(turn / 3 ** DIGIT[to]) + Number(callId)) % 3];
  /** The open requests to the store: a death interrupts all of these. */
  const open = new Set();
  const isFirstHere = (name) => {
    try {
      closeSync(openSync(join(deaths, name), "wx"));
      return true;
    } catch (error) {
      if (error.code === "EEXIST") return false;
      throw error;
    }
  };
  const deadlyAt = async (callId, from, to, make) => {
    const kind = diesAs(callId, to);
    const name = deathAt(turn, callId, from, to);
    const dieHere = () => {
      if (!isFirstHere(name)) return;
      for (const other of open) isFirstHere(other);
      process.kill(process.pid, "SIGKILL");
    };
    if (kind === "before") dieHere();
    open.add(name);
    const made = make();
    if (kind === "while") {
      // By then a file is written and not flushed, or a statement is sent.
      await Promise.race([made, setImmediate().then(() => setImmediate())]);
      dieHere();
    }
    const won = await made;
    if (kind === "after" && won) dieHere();
    open.delete(name);
    return won;
  };
  return {
    ...store,
    open: (record) => deadlyAt("0", undefined, "proposed", () => store.open(record)),
    advance: (turnId, callId, from, to, patch) =>
      deadlyAt(callId, from.state ?? from, to, () => store.advance(turnId, callId, from, to, patch)),
    addLabels: (conversation, entries) =>
      deadlyAt(entries[0].callId, "reserved", "labelled", async () => {
        await store.addLabels(conversation, entries);
        return true;
      }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { turn, deaths, ...world } = JSON.parse(process.argv[3]);
  const Pool = world.url === undefined ? undefined : (await import("pg")).default.Pool;
  const { store, pool } = storeOf(world, Pool);
  if (pool !== undefined) world.insert = (line) => pool.query("insert into effects values ($1)", [line]);
  const callStore = deaths === undefined ? store : deadly(store, turn, deaths);
  process.stdout.write("begins\n");
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      await workOn(world, turn, callStore);
      break;
    } catch (error) {
      // The database may be down for a moment: then the turn is taken up again.
      if (pool === undefined || Date.now() > deadline) throw error;
      await setTimeout(100);
    }
  }
  process.exit(0);
}
