import { beforeAll, afterAll, describe, expect, test } from "vitest";
import { startPostgres, type EmbeddedServer } from "../../tools-spec/src/services/embedded-postgres.js";
// @ts-expect-error: a script, which `node` runs at full size.
import { prove } from "./kill-proof.js";

// The proof at its full size is `node test/durable/kill-proof.js`; its table is in measured.json.

interface Row {
  readonly kills: number;
  readonly crashes: number;
  readonly isClean: boolean;
}
const proveRow = prove as (row: object) => Promise<Row>;

describe("processes that are killed with SIGKILL leave every effect single, every call answered and every label kept", () => {
  let server: EmbeddedServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("on Postgres: at each transition of a turn, and with Postgres killed as well", async () => {
    const at = await proveRow({ server, name: "places", turns: 1, processes: 1 });
    expect(at).toMatchObject({ isClean: true });
    const crashed = await proveRow({ server, name: "crashes", turns: 2, processes: 2, kills: 3, crashes: true });
    expect(crashed).toMatchObject({ isClean: true });
    expect(crashed.crashes).toBeGreaterThanOrEqual(1);
  });
});
