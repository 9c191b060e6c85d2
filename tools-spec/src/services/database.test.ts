import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createDatabases, type Databases } from "../../../test/ask-for.testing.js";
import { firstKeyword, openDatabase, readsOnly, type Access, type Database, type Rows } from "./database.js";

let server: Databases;
let database: Database;
beforeAll(async () => {
  server = await createDatabases();
  database = openDatabase(server.urls);
});
afterAll(async () => {
  await database.close();
});

const never = new AbortController().signal;
const run = (query: string, access: Access, maxRows = 100): Promise<Rows> =>
  database.run({ query, maxRows }, { access, signal: never, timeoutSeconds: 20 });
const users = async (): Promise<unknown> => (await run("SELECT count(*)::int AS n FROM users", "read")).rows[0]?.["n"];

describe("the claims of the SQL tools rest on the database", () => {
  test.each([
    "DELETE FROM users",
    "WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone",
    "SELECT * FROM users FOR UPDATE",
    "EXPLAIN ANALYZE DELETE FROM users",
    "SET TRANSACTION READ WRITE",
    "DO $$ BEGIN SET TRANSACTION READ WRITE; DELETE FROM users; END $$",
    "DO $$ BEGIN PERFORM set_config('transaction_read_only', 'off', true); DELETE FROM users; END $$",
    "DO $$ BEGIN COMMIT; DELETE FROM users; END $$",
    "SELECT 1; DELETE FROM users",
    "SELECT 1) ; DELETE FROM users --",
    "CREATE TABLE t (n int)",
    "CREATE TEMP TABLE t AS SELECT 1; DELETE FROM users",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "SELECT pg_read_file('/etc/passwd')",
  ])("a read refuses %s, and says that nothing happened", async (query) => {
    await expect(run(query, "read")).rejects.toMatchObject({ code: "not-executed" });
    expect(await users()).toBe(4);
  });

  test.each([
    "COMMIT",
    "SET default_transaction_read_only = off",
    "SELECT set_config('default_transaction_read_only', 'on', false)",
    "SET search_path = pg_catalog",
    "SELECT pg_advisory_lock(1)",
    "PREPARE users AS SELECT 1",
  ])("no session state outlives a read: %s", async (query) => {
    await run(query, "read").catch(() => undefined);
    await expect(run("DELETE FROM users", "read")).rejects.toThrow(/read-only/);
    const writable = await run(
      "UPDATE users SET plan = plan WHERE id = 1 RETURNING pg_advisory_xact_lock(1)",
      "application",
    );
    expect(writable.affected).toBe(1);
    expect(await users()).toBe(4);
  });

  test("what runs in the scratch database cannot reach the application's", async () => {
    await run("CREATE TABLE notes (text text)", "scratch");
    expect(await run("INSERT INTO notes VALUES ('a'), ('b')", "scratch")).toMatchObject({ affected: 2 });
    await expect(run("DELETE FROM public.users", "scratch")).rejects.toThrow(/does not exist/);
    await expect(run("SET ROLE application", "scratch")).rejects.toThrow(/permission denied/);
    const foreign = server.urls.scratch.replace(/scratch(_\d+)?$/, "application$1");
    const client = new Client({ connectionString: foreign });
    await expect(client.connect()).rejects.toThrow(/permission denied/);
    expect(await users()).toBe(4);
  });

  test("a role that could leave the database is refused", async () => {
    const admin = openDatabase({
      application: server.urls.application.replace(
        /\/\/application:(.*)\/application(?:_\d+)?$/,
        "//postgres:$1/postgres",
      ),
    });
    const options = { access: "read", signal: never, timeoutSeconds: 5 } as const;
    await expect(admin.run({ query: "SELECT 1", maxRows: 1 }, options)).rejects.toThrow(/no superuser/);
    await admin.close();
  });
});

test("rows are JSON, no more than were asked for, and counted in the database", async () => {
  const { rows, total } = await run(
    "SELECT n, 9007199254740993 AS big, date '2024-03-01' AS day FROM generate_series(1, 54321) n",
    "read",
    2,
  );
  expect(rows).toEqual([
    { n: 1, big: "9007199254740993", day: "2024-03-01" },
    { n: 2, big: "9007199254740993", day: "2024-03-01" },
  ]);
  expect(total).toBe(54321);
  expect(await run("EXPLAIN SELECT 1", "read", 1)).toMatchObject({
    total: 1,
    rows: [{ "QUERY PLAN": expect.any(String) }],
  });
  expect(await run("-- the plan\nWITH one AS (SELECT 1 AS n) SELECT * FROM one -- end", "read")).toMatchObject({
    rows: [{ n: 1 }],
  });
});

test("the rows that a change returns are limited too", async () => {
  await run("CREATE TABLE numbers (n int)", "scratch");
  const inserted = await run("INSERT INTO numbers SELECT generate_series(1, 3000) RETURNING n", "scratch", 2);
  expect(inserted).toEqual({ rows: [{ n: 1 }, { n: 2 }], total: 3000, affected: 3000 });
});

describe("a statement that takes too long", () => {
  test("ends at its time limit, inside the database", async () => {
    const slow = database.run(
      { query: "SELECT pg_sleep(30)", maxRows: 1 },
      { access: "read", signal: never, timeoutSeconds: 0.3 },
    );
    await expect(slow).rejects.toMatchObject({
      code: "not-executed",
      message: expect.stringContaining("statement timeout"),
    });
  });

  test("is cancelled in the database when the call is aborted", async () => {
    const stop = new AbortController();
    const slow = database.run(
      { query: "INSERT INTO users SELECT 9, 'late', pg_sleep(30)::text, now()", maxRows: 1 },
      { access: "application", signal: stop.signal, timeoutSeconds: 30 },
    );
    const running = async () =>
      (
        await run(
          "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()",
          "read",
        )
      ).rows;
    slow.catch(() => undefined);
    await vi.waitUntil(async () => JSON.stringify(await running()) === '[{"n":1}]', 10_000);
    stop.abort();
    await expect(slow).rejects.toMatchObject({
      code: "not-executed",
      message: expect.stringContaining("user request"),
    });
    expect(await running()).toEqual([{ n: 0 }]);
    expect(await users()).toBe(4);
  });
});

describe("errors say what happened", () => {
  test("a constraint that fails at commit kept nothing", async () => {
    await run("CREATE TABLE late (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)", "scratch");
    const twice = run("INSERT INTO late VALUES (1), (1)", "scratch");
    await expect(twice).rejects.toMatchObject({ code: "not-executed", message: expect.stringContaining("23505") });
  });

  test("a lock that is not available may be free later", async () => {
    const holder = new Client({ connectionString: server.urls.application });
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM users FOR UPDATE");
    try {
      const blocked = run("SELECT FROM users FOR UPDATE NOWAIT", "application");
      await expect(blocked).rejects.toMatchObject({ code: "not-executed", retryable: true });
    } finally {
      await holder.end();
    }
  });

  test("a server that is not there ran nothing", async () => {
    const absent = openDatabase({ application: "postgres://nobody@127.0.0.1:9/none" });
    const options = { access: "application", signal: never, timeoutSeconds: 5 } as const;
    const answer = absent.run({ query: "SELECT 1", maxRows: 1 }, options);
    await expect(answer).rejects.toMatchObject({ code: "not-executed", retryable: true });
    await absent.close();
  });
});

test.each([
  ["select 1", "SELECT"],
  ["-- why\n /* a * b */ ((Values (1)))", "VALUES"],
  ["/* /* */ SELECT */ DELETE FROM users", ""],
  ["/* open", ""],
  ["", ""],
])("the first keyword of %j is %j", (query, keyword) => {
  expect(firstKeyword(query)).toBe(keyword);
});

test("only statements that read pass the keyword check", () => {
  expect(readsOnly({ query: "WITH a AS (SELECT 1) SELECT * FROM a" })).toBe(true);
  expect(readsOnly({ query: "DELETE FROM users" })).toMatch(/not with DELETE/);
  expect(readsOnly({ query: "1" })).toMatch(/not with "1"/);
});
