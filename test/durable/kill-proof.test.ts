import { beforeAll, afterAll, describe, expect, test } from "vitest";
import { startPostgres, type EmbeddedServer } from "../../tools-spec/src/services/embedded-postgres.js";
// @ts-expect-error: a script, which `node` runs at full size.
import { prove } from "./kill-proof.js";

// The proof at its full size is `node test/durable/kill-proof.js`; its table stands in docs/durable-calls.md.

type Row = Parameters<typeof clean>[0];
const proveRow = prove as (row: object) => Promise<{ readonly killed: number } & Row>;

/** What must never be. That a call settles as unknown is what a kill may cost. */
function clean(found: {
  readonly twice: number;
  readonly lost: number;
  readonly misapplied: number;
  readonly askedTwice: number;
  readonly outlived: number;
}): void {
  const { twice, lost, misapplied, askedTwice, outlived } = found;
  expect({ twice, lost, misapplied, askedTwice, outlived }).toEqual({
    twice: 0,
    lost: 0,
    misapplied: 0,
    askedTwice: 0,
    outlived: 0,
  });
}

describe("processes that are killed with SIGKILL leave every effect single, every call answered", () => {
  let server: EmbeddedServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("on files: four processes at random moments", async () => {
    const found = await proveRow({ turns: 5, processes: 4, kills: 6, seed: 1 });
    expect(found.killed).toBeGreaterThanOrEqual(1);
    clean(found);
  });

  test("on Postgres: at transitions, and with Postgres killed as well", async () => {
    const at = await proveRow({ server, name: "places", turns: 5, processes: 1 });
    expect(at.killed).toBe(5);
    clean(at);
    clean(await proveRow({ server, name: "crashes", turns: 5, processes: 2, kills: 3, crashes: 1, seed: 2 }));
  });
});
