import { buildTool, createDispatcher, type Dispatcher } from "@hasp/runtime";
import { postgresCallStore } from "@hasp/runtime/postgres";
import { callStoreConformance } from "@hasp/runtime/testing";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgres, type EmbeddedServer } from "../../tools-spec/src/services/embedded-postgres.js";

let server: EmbeddedServer;
let pool: Pool;
beforeAll(async () => {
  server = await startPostgres();
  pool = new Pool({ connectionString: server.urls.scratch, max: 8 });
  // A connection may still be closing when the server stops.
  pool.on("error", () => undefined);
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

// Before everything else: the tables are not there yet.
test("sets itself up from many processes at once", async () => {
  await Promise.all(Array.from({ length: 8 }, () => postgresCallStore(pool).setUp()));
});

for (const { name, run } of callStoreConformance(() => postgresCallStore(pool))) test(name, run);

test("carries a turn from one process to others: the effect happens once, the question is asked once", async () => {
  let payments = 0;
  const pay = buildTool({
    name: "pay",
    description: "Pays.",
    input: { type: "object", properties: {}, additionalProperties: false },
    execute: () => {
      payments += 1;
      return "paid";
    },
  });
  const inProcess = (): Dispatcher =>
    createDispatcher({ tools: [pay], callStore: postgresCallStore(pool), leaseSeconds: 1 });
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

test("refuses tables of a newer version", async () => {
  await pool.query("update hasp_layout set layout = 2");
  await expect(postgresCallStore(pool).setUp()).rejects.toThrow("has layout 2");
  await pool.query("update hasp_layout set layout = 1");
});
