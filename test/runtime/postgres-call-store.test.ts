import { resolve } from "node:path";
import { buildTool, createDispatcher, type Dispatcher } from "@hasp/runtime";
import { postgresCallStore } from "@hasp/runtime/postgres";
import { callStoreConformance } from "@hasp/runtime/testing";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hasp, type Run } from "../cli/command-line.js";
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

test("the command line lists and answers its questions, and prints no address", async () => {
  const ask = buildTool({
    name: "ask_first",
    description: "Asks.",
    input: { type: "object", properties: {}, additionalProperties: false },
    execute: () => "done",
  });
  const host = createDispatcher({ tools: [ask], callStore: postgresCallStore(pool) });
  await host.run([{ id: "1", name: "ask_first", input: {} }], { turnId: "from the command line" });
  const folder = resolve(import.meta.dirname, "..");
  const environment = { DATABASE_URL: server.urls.scratch ?? "", OTHER_URL: server.urls.application };
  const run = (...words: readonly string[]): Promise<Run> =>
    hasp(folder, [...words, "--store", "postgres=DATABASE_URL"], environment);
  const listed = await run("pending", "--tool", "ask_first");
  expect([listed.code, listed.out]).toEqual([0, expect.stringContaining("ask_first")]);
  const [id = ""] = /^[0-9a-f]{8,}/mu.exec(listed.out) ?? [];
  const answered = await run("answer", id, "--deny", "--reason", "not today");
  expect(answered.code).toBe(0);
  expect((await run("audit", "--turn", "from the command line")).out).toContain('"to":"denied"');
  const empty = await hasp(folder, ["pending", "--store", "postgres=OTHER_URL"], environment);
  expect([empty.code, empty.out]).toEqual([2, expect.stringContaining("The database of OTHER_URL has no call store.")]);
  expect(listed.out + listed.error + answered.out + answered.error).not.toContain("postgres://");
});
