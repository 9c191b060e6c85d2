import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildTool, type AnyTool, type DispatcherOptions } from "@hasp/runtime";
import type { CallStore, RunOutcome, StoredTurns } from "@hasp/runtime/call-store";
import type { DurableOptions } from "@hasp/stores";
import { fileCallStore } from "@hasp/stores/files";
import { postgresCallStore } from "@hasp/stores/postgres";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabases, type Databases } from "../ask-for.testing.js";
import { openTurns } from "./open-turns.testing.js";

// Whatever is wrong with the store, the clock or the call: it is refused or it waits. It is never lost and never runs twice.

let root = "";
let server: Databases;
let pool: Pool;
const url = (): string => server.urls.scratch ?? "";
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "hasp-bad-input-"));
  server = await createDatabases();
  pool = new Pool({ connectionString: url() });
  // A connection may still be closing when the server stops.
  pool.on("error", () => undefined);
});
afterAll(async () => {
  await pool.end();
  rmSync(root, { recursive: true, force: true });
});

const newFolder = (): string => join(root, randomUUID());
/** Each names turns of its own, so that one database serves all tests. */
const STORES: readonly (readonly [string, () => CallStore])[] = [
  ["files", () => fileCallStore(newFolder())],
  ["Postgres", () => postgresCallStore(pool)],
];

const calls = [{ id: "1", name: "pay", input: { text: "x" } }];

function payTool(payments: string[], description = "Pays."): AnyTool {
  return buildTool({
    name: "pay",
    description,
    input: {
      type: "object",
      required: ["text"],
      properties: { text: { type: "string" } },
      additionalProperties: false,
    },
    // A busy database that does not tell the labels in time would count as holding both.
    behavior: { isOpenWorld: false },
    execute: (_input, { idempotencyKey }) => {
      payments.push(idempotencyKey);
      return "paid";
    },
  });
}

function turnsOf(
  payments: string[],
  store: CallStore,
  { allowUnseenInput, ...more }: Partial<DispatcherOptions> & Pick<DurableOptions, "allowUnseenInput"> = {},
): StoredTurns {
  const options = { tools: [payTool(payments) as never], hookTimeoutMs: 20_000, ...more };
  return openTurns(options, { store, leaseSeconds: 0.2, allowUnseenInput });
}

/** A store of which one request, the n-th that changes something, goes wrong; what it says it did may be done all the same. */
function faulty(store: CallStore, fault: (make: () => Promise<boolean>) => Promise<boolean>, at: number): CallStore {
  let changes = 0;
  const maybe = (make: () => Promise<boolean>): Promise<boolean> => ((changes += 1) === at ? fault(make) : make());
  return {
    ...store,
    open: (turn) => maybe(() => store.open(turn)),
    advance(turnId, callId, from, to, patch) {
      const make = (): Promise<boolean> => store.advance(turnId, callId, from, to, patch);
      // How often a lease is renewed depends on how busy the machine is.
      return (typeof from === "string" ? from : from.state) === to ? make() : maybe(make);
    },
  };
}

async function answerAll(turns: StoredTurns, outcome: RunOutcome): Promise<void> {
  if (outcome.status !== "waiting") return;
  for (const { id } of outcome.questions) await turns.answer(id, { decision: "allow" });
}

const FAULTS: { readonly [what: string]: (make: () => Promise<boolean>) => Promise<boolean> } = {
  "is down": () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })),
  "is full": () => Promise.reject(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" })),
  "is read-only": () => Promise.reject(Object.assign(new Error("EROFS: read-only file system"), { code: "EROFS" })),
  "is too slow": () => new Promise(() => undefined),
  "breaks off after it stored": (make) => make().then(() => Promise.reject(new Error("connection lost"))),
};

const faults = STORES.flatMap(([name, makeStore]) =>
  Object.entries(FAULTS).map(([what, fault]) => [name, what, makeStore, fault] as const),
);

/** Goes on where a run ended with an error, with a store that works by now: the call is settled, and ran once at most. */
async function goOn(store: CallStore, turnId: string, payments: string[]): Promise<void> {
  const healthy = turnsOf(payments, store);
  let outcome = await healthy.run(calls, { turnId });
  await answerAll(healthy, outcome);
  outcome = await healthy.resume(turnId);
  const [result] = outcome.results;
  expect(outcome.status).toBe("settled");
  expect(payments.length).toBeLessThanOrEqual(1);
  // It ran, or it is not known whether it did.
  if (result?.error === undefined) expect(payments).toHaveLength(1);
  else expect([result.error.code, result.error.effect]).toEqual(["process-lost", "unknown"]);
}

describe.concurrent.each(faults)("%s: a store that %s", (_name, _what, makeStore, fault) => {
  // open, asked; allowed; then reserved, settled.
  test.each([1, 2, 3, 4, 5])("at change %i ends the run with its error; later the call is settled once", async (at) => {
    const [store, turnId] = [makeStore(), randomUUID()];
    const payments: string[] = [];
    const broken = turnsOf(payments, faulty(store, fault, at), { hookTimeoutMs: 200 });
    const attempt = async (): Promise<void> => {
      await answerAll(broken, await broken.run(calls, { turnId }));
      await broken.resume(turnId);
    };
    await expect(attempt()).rejects.toThrow(/ECONNREFUSED|ENOSPC|EROFS|took longer|connection lost/);
    if (at < 5) expect(payments).toEqual([]);
    await goOn(store, turnId, payments);
  });
});

describe("a database", () => {
  test("a read-only database ends the run with its error, and runs nothing", async () => {
    const readOnly = new Pool({ connectionString: `${url()}?options=-cdefault_transaction_read_only%3Don` });
    const [turnId, payments]: [string, string[]] = [randomUUID(), []];
    await postgresCallStore(pool).setUp();
    const refused = turnsOf(payments, postgresCallStore(readOnly));
    await expect(refused.run(calls, { turnId })).rejects.toThrow("read-only transaction");
    const healthy = turnsOf(payments, postgresCallStore(pool));
    await answerAll(healthy, await healthy.run(calls, { turnId }));
    await expect(refused.resume(turnId)).rejects.toThrow("read-only transaction");
    expect(payments).toEqual([]);
    await readOnly.end();
    await goOn(postgresCallStore(pool), turnId, payments);
    expect(payments).toHaveLength(1);
  });

  test("a run gives up a locked database; late writes re-run nothing", async () => {
    const [turnId, payments]: [string, string[]] = [randomUUID(), []];
    const store = postgresCallStore(pool);
    const hurried = turnsOf(payments, store, { hookTimeoutMs: 200 });
    await answerAll(hurried, await hurried.run(calls, { turnId }));
    const blocker = new Client({ connectionString: url() });
    await blocker.connect();
    await blocker.query("begin; lock table hasp_calls in exclusive mode");
    await expect(hurried.resume(turnId)).rejects.toThrow("took longer");
    expect(payments).toEqual([]);
    await blocker.query("commit");
    await blocker.end();
    await goOn(store, turnId, payments);
  });
});

describe.each(STORES)("%s: what is wrong with a call or a clock", (_name, makeStore) => {
  const turnIn = async (): Promise<{
    readonly store: CallStore;
    readonly payments: string[];
    readonly turnId: string;
    readonly id: string;
  }> => {
    const [store, turnId, payments]: [CallStore, string, string[]] = [makeStore(), randomUUID(), []];
    const waiting = await turnsOf(payments, store).run(calls, { turnId });
    return { store, payments, turnId, id: (waiting.status === "waiting" && waiting.questions[0]?.id) || "" };
  };

  test("a vanished tool, or another of its name, refuses an allowed call", async () => {
    for (const tools of [[], [payTool([], "Pays double.")]]) {
      const { store, payments, turnId, id } = await turnIn();
      await turnsOf(payments, store).answer(id, { decision: "allow" });
      const { results } = await turnsOf(payments, store, { tools: tools as never }).resume(turnId);
      expect(results[0]?.error?.code).toBe("tool-changed");
      expect(payments).toEqual([]);
    }
  });

  test("a turn id that was used is a conflict, and the waiting call stays as it is", async () => {
    const { store, payments, turnId, id } = await turnIn();
    const other = [{ id: "1", name: "pay", input: { text: "y" } }];
    await expect(turnsOf(payments, store).run(other, { turnId })).rejects.toThrow("other calls");
    await turnsOf(payments, store).answer(id, { decision: "allow" });
    await turnsOf(payments, store).resume(turnId);
    expect(payments).toHaveLength(1);
  });

  test.each([
    ["back", -3_600_000, "waiting"],
    ["forward, past the question's time", 8 * 86_400_000, "settled"],
  ] as const)("a clock that jumps %s never runs a call twice", async (_where, jump, status) => {
    const { store, payments, turnId, id } = await turnIn();
    const { now } = Date;
    try {
      Date.now = () => now() + jump;
      const resumed = await turnsOf(payments, store).resume(turnId);
      expect(resumed.status).toBe(status);
      const answered = await turnsOf(payments, store).answer(id, { decision: "allow" });
      expect(answered.accepted).toBe(status === "waiting");
      const [first, second] = [
        await turnsOf(payments, store).resume(turnId),
        await turnsOf(payments, store).resume(turnId),
      ];
      expect(second).toEqual(first);
      expect(payments.length).toBe(status === "waiting" ? 1 : 0);
    } finally {
      Date.now = now;
    }
  });

  test("an input of ten megabytes waits, runs once and is forgotten", async () => {
    const [store, turnId, payments]: [CallStore, string, string[]] = [makeStore(), randomUUID(), []];
    const large = [{ id: "1", name: "pay", input: { text: "0123456789".repeat(1_000_000) } }];
    const waiting = await turnsOf(payments, store).run(large, { turnId });
    await answerAll(turnsOf(payments, store), waiting);
    expect((await turnsOf(payments, store).resume(turnId)).status).toBe("waiting");
    // A host that shows such an input itself says so.
    await answerAll(turnsOf(payments, store, { allowUnseenInput: true }), waiting);
    const settled = await turnsOf(payments, store).resume(turnId);
    expect(settled.results[0]?.isError).toBe(false);
    expect(payments).toHaveLength(1);
    expect(JSON.stringify([await store.read(turnId), await store.records({ turnId })])).not.toContain("0123456789");
  });
});

describe("a folder", () => {
  const turnIn = async (folder: string): Promise<string[]> => {
    const payments: string[] = [];
    await turnsOf(payments, fileCallStore(folder)).run(calls, { turnId: "t" });
    return payments;
  };

  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "a read-only folder refuses the turn",
    async () => {
      const folder = newFolder();
      const payments = await turnIn(folder);
      chmodSync(join(folder, "turns"), 0o500);
      await expect(turnsOf(payments, fileCallStore(folder)).run(calls, { turnId: "u" })).rejects.toThrow("EACCES");
      expect(payments).toEqual([]);
    },
  );

  test("with a journal that was edited by hand refuses", async () => {
    const folder = newFolder();
    const payments = await turnIn(folder);
    const [name = ""] = readdirSync(join(folder, "turns"));
    const journal = join(folder, "turns", name);
    writeFileSync(journal, readFileSync(journal, "utf8").replace('"to":"asked"', '"to":"allowed"'));
    await expect(turnsOf(payments, fileCallStore(folder)).resume("t")).rejects.toMatchObject({
      code: "damaged-store",
    });
    expect(payments).toEqual([]);
  });
});
