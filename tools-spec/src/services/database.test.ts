import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase, type Database } from "./database.js";

let database: Database;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

const run = (query: string, access: "read" | "scratch" | "application") =>
  database.run({ query, maxRows: 100 }, access);
const users = async () => (await run("SELECT count(*)::int AS n FROM users", "application")).rows[0]?.["n"];

describe("the claims of the SQL tools rest on the database", () => {
  test.each([
    "DELETE FROM users",
    "WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone",
    "SET TRANSACTION READ WRITE",
    "DO $$ BEGIN SET TRANSACTION READ WRITE; DELETE FROM users; END $$",
    "DO $$ BEGIN PERFORM set_config('transaction_read_only', 'off', true); DELETE FROM users; END $$",
    "SELECT 1; DELETE FROM users",
    "CREATE TABLE t (n int)",
  ])("a read refuses %s", async (query) => {
    await expect(run(query, "read")).rejects.toThrow();
    expect(await users()).toBe(4);
  });

  test("ending the transaction gives a read nothing", async () => {
    await run("COMMIT", "read").catch(() => undefined);
    await expect(run("DELETE FROM users", "read")).rejects.toThrow(/read-only/);
    expect(await users()).toBe(4);
  });

  test("what runs in the scratch database cannot reach the application's", async () => {
    await run("CREATE TABLE notes (text text)", "scratch");
    expect(await run("INSERT INTO notes VALUES ('a'), ('b')", "scratch")).toMatchObject({
      affected: 2,
      truncated: false,
    });
    await expect(run("DELETE FROM public.users", "scratch")).rejects.toThrow(/does not exist/);
    await expect(run("DO $$ BEGIN RESET ROLE; DELETE FROM public.users; END $$", "scratch")).rejects.toThrow(
      /does not exist/,
    );
    expect(await users()).toBe(4);
  });
});

test("rows are JSON, and no more than were asked for", async () => {
  const { rows, truncated } = await database.run(
    { query: "SELECT id, joined, 9007199254740993::bigint AS big FROM users ORDER BY id", maxRows: 2 },
    "read",
  );
  expect(truncated).toBe(true);
  expect(rows).toEqual(JSON.parse(JSON.stringify(rows)));
  expect(rows).toMatchObject([{ id: 1, big: "9007199254740993" }, { id: 2 }]);
});
