// A process of the proof: works through stored turns, answers their questions, and is killed somewhere on the way.
import { appendFileSync } from "node:fs";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { fileCallStore } from "@hasp/runtime/node";
import { postgresCallStore } from "@hasp/runtime/postgres";

/** The calls of a turn. */
export const CALLS = ["look", "upsert", "pay", "insert", "look", "pay"].map((name, index) => ({
  id: String(index + 1),
  name,
  input: {},
}));

/** What the person says to the questions of a turn: by turn and call, so that a mixed-up answer shows. */
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

/** The tools: what has an effect tells the service, or writes a line to the table, under its turn, call and key. */
function toolsOf({ service, table, insert }, turn, version) {
  const act = (name, behavior, execute, concurrency) =>
    buildTool({
      name,
      description: `${name} ${name === "pay" ? version : ""}`,
      input: { type: "object", properties: {}, additionalProperties: false },
      behavior: { requiresPermission: false, isDestructive: false, ...behavior },
      ...(concurrency && { concurrency }),
      execute: async (_input, { callId, idempotencyKey }) => {
        await execute([turn, callId, name, idempotencyKey, version].join(" "));
        return name;
      },
    });
  const tell = (line) => fetch(service, { method: "POST", body: line });
  const write = insert ?? (async (line) => appendFileSync(table, `${line}\n`));
  return [
    act("look", { isDestructive: undefined }, async () => undefined, { class: "READ_ONLY" }),
    act("upsert", { isIdempotent: "withKey" }, tell),
    act("pay", { requiresPermission: true }, tell),
    act("insert", {}, write),
  ];
}

/** Takes one turn as far as it goes. */
export async function workOn(world, turn, callStore) {
  const dispatcher = (version) =>
    createDispatcher({ tools: toolsOf(world, turn, version), callStore, leaseSeconds: 0.5, resultStore: false });
  const turnId = `turn ${turn}`;
  let outcome = await dispatcher("first").run(CALLS, { turnId });
  while (outcome.status === "waiting") {
    for (const { id, callId } of outcome.questions) {
      await dispatcher("first").answer(id, { decision: decisionFor(turn, callId) });
    }
    outcome = await dispatcher(changesTool(turn) ? "second" : "first").resume(turnId);
  }
  return outcome;
}

/** A store that kills the process before or after its n-th transition: `place` is 2n or 2n + 1. */
function deadly(store, place) {
  let transitions = 0;
  const die = () => process.kill(process.pid, "SIGKILL");
  return {
    ...store,
    async advance(turnId, callId, from, to, patch) {
      const number = (from.state ?? from) === to ? -1 : transitions++;
      if (number * 2 === place) die();
      const won = await store.advance(turnId, callId, from, to, patch);
      if (number * 2 + 1 === place) die();
      return won;
    },
  };
}

if (process.argv[2] === "work") {
  const { turns, place, afterMs, ...world } = JSON.parse(process.argv[3]);
  const Pool = world.url === undefined ? undefined : (await import("pg")).default.Pool;
  const { store, pool } = storeOf(world, Pool);
  if (pool !== undefined) world.insert = (line) => pool.query("insert into effects values ($1)", [line]);
  if (afterMs !== undefined) setTimeout(() => process.kill(process.pid, "SIGKILL"), afterMs);
  for (const turn of turns) {
    // The database may be down for a moment: then the turn is taken up again, by this process or another.
    for (let attempt = 0; attempt < 60; attempt += 1) {
      try {
        await workOn(world, turn, place === undefined ? store : deadly(store, place));
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }
  process.exit(0);
}
