import pg from "pg";
import { expect, test } from "vitest";
import { startPostgres } from "../../tools-spec/src/services/embedded-postgres.js";
// @ts-expect-error: a script, which `node test/bench/run.js programs` runs at full size.
import { compareWithDirect, proveKilled } from "./program-proof.js";

const compare = compareWithDirect as (options: object) => Promise<{ readonly differing: readonly unknown[] }>;
const prove = proveKilled as (options: object) => Promise<{ readonly kills: number; readonly isClean: boolean }>;

test("a random program returns and changes what the same calls do that are made directly", async () => {
  expect((await compare({ programs: 60, seed: 7 })).differing).toEqual([]);
});

test("a program that is killed at every step on files asks once, acts at most once, and answers the same", async () => {
  expect(await prove({ programs: 3, most: 3 })).toMatchObject({ isClean: true });
});

test("a program that is killed at every step on Postgres does the same", async () => {
  const server = await startPostgres();
  try {
    const row = await prove({ programs: 2, most: 3, url: server.urls.scratch, Pool: pg.Pool });
    expect(row).toMatchObject({ isClean: true });
    expect(row.kills).toBeGreaterThan(5);
  } finally {
    await server.stop();
  }
});
