import { describe, expect, test } from "vitest";
// @ts-expect-error: a script, which `node` runs at full size.
import { prove } from "./kill-proof.js";

// The proof at its full size is `node test/durable/kill-proof.js`; its table is in measured.json.

const proveRow = prove as (row: object) => Promise<{ readonly isClean: boolean }>;

describe("processes that are killed with SIGKILL leave every effect single, every call answered and every label kept", () => {
  test("on files: at each transition of a turn, and four processes at random moments", async () => {
    expect(await proveRow({ turns: 1, processes: 1 })).toMatchObject({ isClean: true });
    expect(await proveRow({ turns: 2, processes: 4, kills: 4 })).toMatchObject({ isClean: true });
  });
});
