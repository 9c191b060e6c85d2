import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  buildTool,
  createDispatcher,
  memoryCallStore,
  type AnyTool,
  type CallStore,
  type Dispatcher,
  type DispatcherOptions,
  type RunOutcome,
} from "@hasp/runtime";
import { fileCallStore } from "@hasp/runtime/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// Whatever is wrong with the store, the clock or the call: it is refused or it waits. It is never lost and never runs twice.

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "hasp-bad-input-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

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
    execute: (_input, { idempotencyKey }) => {
      payments.push(idempotencyKey);
      return "paid";
    },
  });
}

function dispatcherOf(payments: string[], callStore: CallStore, more: Partial<DispatcherOptions> = {}): Dispatcher {
  return createDispatcher({
    tools: [payTool(payments) as never],
    callStore,
    leaseSeconds: 0.2,
    hookTimeoutMs: 20_000,
    ...more,
  });
}

/** A store of which one request, the n-th that changes something, goes wrong; what it says it did may be done all the same. */
function faulty(store: CallStore, fault: (make: () => Promise<boolean>) => Promise<boolean>, at: number): CallStore {
  let changes = 0;
  const maybe = (make: () => Promise<boolean>): Promise<boolean> => ((changes += 1) === at ? fault(make) : make());
  return {
    ...store,
    open: (turn) => maybe(() => store.open(turn)),
    advance: (...transition) => maybe(() => store.advance(...transition)),
  };
}

async function answerAll(dispatcher: Dispatcher, outcome: RunOutcome): Promise<void> {
  if (outcome.status !== "waiting") return;
  for (const { id } of outcome.questions) await dispatcher.answer(id, { decision: "allow" });
}

const FAULTS: { readonly [what: string]: (make: () => Promise<boolean>) => Promise<boolean> } = {
  "is down": () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })),
  "is full": () => Promise.reject(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" })),
  "is read-only": () => Promise.reject(Object.assign(new Error("EROFS: read-only file system"), { code: "EROFS" })),
  "is too slow": () => new Promise(() => undefined),
  "breaks off after it stored": (make) => make().then(() => Promise.reject(new Error("connection lost"))),
};

describe.each(Object.entries(FAULTS))("a store that %s", (_what, fault) => {
  // open, asked; then reserved, settled.
  test.each([1, 2, 3, 4])("at change %i ends the run with its error; later the call is settled once", async (at) => {
    const store = memoryCallStore();
    const payments: string[] = [];
    const broken = dispatcherOf(payments, faulty(store, fault, at), { hookTimeoutMs: 200 });
    const attempt = async (): Promise<void> => {
      await answerAll(broken, await broken.run(calls, { turnId: "t" }));
      await broken.resume("t");
    };
    await expect(attempt()).rejects.toThrow(/ECONNREFUSED|ENOSPC|EROFS|took longer|connection lost/);
    const before = payments.length;
    const healthy = dispatcherOf(payments, store);
    let outcome = await healthy.run(calls, { turnId: "t" });
    await answerAll(healthy, outcome);
    outcome = await healthy.resume("t");
    const [result] = outcome.results;
    expect(outcome.status).toBe("settled");
    expect(payments.length).toBeLessThanOrEqual(1);
    // It ran, or it is not known whether it did.
    if (result?.error === undefined) expect(payments).toHaveLength(1);
    else expect([result.error.code, result.error.effect]).toEqual(["process-lost", "unknown"]);
    if (before === 1 && at === 4) expect(payments).toHaveLength(1);
  });
});

describe("what is wrong with a call, a clock or a folder", () => {
  const turnIn = async (
    more: Partial<DispatcherOptions> = {},
  ): Promise<{ readonly store: CallStore; readonly payments: string[]; readonly id: string }> => {
    const [store, payments]: [CallStore, string[]] = [memoryCallStore(), []];
    const waiting = await dispatcherOf(payments, store, more).run(calls, { turnId: "t" });
    return { store, payments, id: (waiting.status === "waiting" && waiting.questions[0]?.id) || "" };
  };

  test("a vanished tool, or another of its name, refuses an allowed call", async () => {
    for (const tools of [[], [payTool([], "Pays double.")]]) {
      const { store, payments, id } = await turnIn();
      await dispatcherOf(payments, store).answer(id, { decision: "allow" });
      const { results } = await dispatcherOf(payments, store, { tools: tools as never }).resume("t");
      expect(results[0]?.error?.code).toBe("tool-changed");
      expect(payments).toEqual([]);
    }
  });

  test("a turn id that was used is a conflict, and the waiting call stays as it is", async () => {
    const { store, payments, id } = await turnIn();
    const other = [{ id: "1", name: "pay", input: { text: "y" } }];
    await expect(dispatcherOf(payments, store).run(other, { turnId: "t" })).rejects.toThrow("other calls");
    await dispatcherOf(payments, store).answer(id, { decision: "allow" });
    await dispatcherOf(payments, store).resume("t");
    expect(payments).toHaveLength(1);
  });

  test.each([
    ["back", -3_600_000, "waiting"],
    ["forward, past the question's time", 8 * 86_400_000, "settled"],
  ] as const)("a clock that jumps %s never runs a call twice", async (_where, jump, status) => {
    const { store, payments, id } = await turnIn();
    const { now } = Date;
    try {
      Date.now = () => now() + jump;
      const resumed = await dispatcherOf(payments, store).resume("t");
      expect(resumed.status).toBe(status);
      const answered = await dispatcherOf(payments, store).answer(id, { decision: "allow" });
      expect(answered.accepted).toBe(status === "waiting");
      const [first, second] = [
        await dispatcherOf(payments, store).resume("t"),
        await dispatcherOf(payments, store).resume("t"),
      ];
      expect(second).toEqual(first);
      expect(payments.length).toBe(status === "waiting" ? 1 : 0);
    } finally {
      Date.now = now;
    }
  });

  test("an input of ten megabytes waits, runs once and is forgotten", async () => {
    const folder = join(root, "large");
    const payments: string[] = [];
    const large = [{ id: "1", name: "pay", input: { text: "0123456789".repeat(1_000_000) } }];
    const waiting = await dispatcherOf(payments, fileCallStore(folder)).run(large, {
      turnId: "t",
    });
    await answerAll(dispatcherOf(payments, fileCallStore(folder)), waiting);
    const settled = await dispatcherOf(payments, fileCallStore(folder)).resume("t");
    expect(settled.results[0]?.isError).toBe(false);
    expect(payments).toHaveLength(1);
    const [journal = ""] = readdirSync(join(folder, "turns"));
    expect(readFileSync(join(folder, "turns", journal), "utf8")).not.toContain("0123456789");
  });

  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "a folder that is read-only refuses",
    async () => {
      const folder = join(root, "read-only");
      const payments: string[] = [];
      await dispatcherOf(payments, fileCallStore(folder)).run(calls, { turnId: "t" });
      chmodSync(join(folder, "turns"), 0o500);
      await expect(dispatcherOf(payments, fileCallStore(folder)).run(calls, { turnId: "u" })).rejects.toThrow("EACCES");
      expect(payments).toEqual([]);
    },
  );

  test("a journal that was edited by hand refuses", async () => {
    const folder = join(root, "edited");
    const payments: string[] = [];
    await dispatcherOf(payments, fileCallStore(folder)).run(calls, { turnId: "t" });
    const [name = ""] = readdirSync(join(folder, "turns"));
    const journal = join(folder, "turns", name);
    writeFileSync(journal, readFileSync(journal, "utf8").replace('"to":"asked"', '"to":"allowed"'));
    await expect(dispatcherOf(payments, fileCallStore(folder)).resume("t")).rejects.toMatchObject({
      code: "damaged-store",
    });
    expect(payments).toEqual([]);
  });
});
