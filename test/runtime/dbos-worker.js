// A worker of `dbos.long.test.ts` in a process of its own: it takes turns from the queue until it is killed.
import { DBOS } from "@dbos-inc/dbos-sdk";
import { buildTool } from "@hasp/runtime";
import { Pool } from "pg";
import { dbosTurns } from "@hasp/stores/dbos";
import { postgresCallStore } from "@hasp/stores/postgres";
import { informationFlow } from "@hasp/runtime/flow";

const [url, executorID] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 4 });
const tools = toolsOf(pool);
dbosTurns(
  { tools, flow: "ask", extensions: [informationFlow] },
  { queue: "turns", labelStore: postgresCallStore(pool) },
);
dbosTurns(
  { tools, flow: "ask", extensions: [informationFlow] },
  { name: "spread turn", queue: "turns", callQueue: "calls" },
);
DBOS.setConfig({
  name: "hasp-test",
  systemDatabaseUrl: url,
  applicationVersion: "1",
  executorID,
  logLevel: "error",
});
await DBOS.launch();
process.send?.("ready");

/** Tools whose effects are rows of a table: what ran twice has two rows. */
function toolsOf(pool) {
  const input = {
    type: "object",
    properties: {
      order: { type: "string" },
      hangs: { type: "boolean", description: "The first time." },
      ms: { type: "integer" },
    },
    additionalProperties: false,
  };
  const execute = async ({ order = "", hangs = false, ms = 0 }, { idempotencyKey }) => {
    await pool.query("insert into effects (order_id, key, worker) values ($1, $2, $3)", [
      order,
      idempotencyKey,
      executorID,
    ]);
    if (ms > 0) await new Promise((resume) => setTimeout(resume, ms));
    const { rows } = await pool.query("select from effects where key = $1", [idempotencyKey]);
    if (hangs && rows.length === 1) await new Promise(() => undefined);
    return `paid ${order}`;
  };
  const clean = { requiresPermission: false, returnsUntrusted: false, returnsPrivate: false, isOpenWorld: false };
  const claiming = (name, claims) =>
    tool(name, {
      concurrency: { class: "READ_ONLY" },
      behavior: { ...clean, ...claims },
      execute: () => "done",
    });
  const tool = (name, parts) => buildTool({ name, description: "Does it.", input, execute, ...parts });
  const external = (name, requiresPermission) =>
    buildTool({
      name,
      description: "Asks for a date.",
      input: { type: "object", properties: { title: { type: "string" } }, additionalProperties: false },
      output: { type: "string", format: "date" },
      behavior: { requiresPermission, isDestructive: false, isOpenWorld: false },
      external: true,
    });
  return [
    tool("pay", { behavior: { isOpenWorld: false } }),
    tool("pay_unasked", { behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false } }),
    tool("pay_again", {
      behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false, isIdempotent: "withKey" },
    }),
    claiming("fetch", { returnsUntrusted: true }),
    claiming("find", { returnsPrivate: true }),
    claiming("send", { isOpenWorld: true }),
    external("choose_date", false),
    external("choose_asked", true),
    tool("look", {
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isOpenWorld: false },
      execute: () => "seen",
    }),
  ];
}
