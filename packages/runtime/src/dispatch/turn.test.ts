import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ToolCall, ToolResult } from "../tool/definition.js";
import {
  createEquippedDispatcher as createDispatcher,
  callsOf,
  deferred,
  reader,
  sleep,
  writer,
} from "./tools.testing.js";

/** Readers and writers that log when they run. */
function notingTools(): { readonly log: string[]; readonly tools: ReturnType<typeof reader>[] } {
  const log: string[] = [];
  const run = async ({ as, ms = 3 }: { as?: unknown; ms?: unknown }): Promise<string> => {
    log.push(`+${String(as)}`);
    await sleep(Number(ms));
    log.push(`-${String(as)}`);
    return String(as);
  };
  return { log, tools: [reader("read", run), writer("write", run)] };
}

const r = (as: string): [string, unknown] => ["read", { as }];
const w = (as: string): [string, unknown] => ["write", { as }];
const ids = (results: readonly ToolResult[]): string[] => results.map((result) => result.callId);

describe("batches", () => {
  test("readers share a batch, each writer runs alone, and batches never merge across it", async () => {
    const { log, tools } = notingTools();
    const results = await createDispatcher({ tools }).dispatch(callsOf(r("a"), r("b"), w("c"), w("d"), r("e"), r("f")));
    expect(log).toEqual(["+a", "+b", "-a", "-b", "+c", "-c", "+d", "-d", "+e", "+f", "-e", "-f"]);
    expect(results.map((result) => result.wasConcurrent)).toEqual([true, true, false, false, true, true]);
    expect(ids(results)).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  test("results come in call order, whatever finishes first", async () => {
    const { tools } = notingTools();
    const results = await createDispatcher({ tools }).dispatch(
      callsOf(["read", { as: "slow", ms: 20 }], ["read", { as: "fast", ms: 1 }]),
    );
    expect(results.map((result) => result.content[0])).toEqual([
      { type: "text", text: "slow" },
      { type: "text", text: "fast" },
    ]);
  });

  test("a call that cannot be parsed separates the readers around it", async () => {
    const { log, tools } = notingTools();
    const results = await createDispatcher({ tools }).dispatch([
      ...callsOf(r("a")),
      { id: "x", name: "read", input: "{broken" },
      { id: "y", name: "read", input: { as: "b" } },
    ]);
    expect(log).toEqual(["+a", "-a", "+b", "-b"]);
    expect(results[1]?.error).toMatchObject({ phase: "decode", code: "invalid-json", effect: "none" });
    expect(results.map((result) => result.wasConcurrent)).toEqual([false, false, false]);
  });

  test("a turn of one call is not concurrent; a turn of none has no results", async () => {
    const { tools } = notingTools();
    const dispatcher = createDispatcher({ tools });
    expect((await dispatcher.dispatch(callsOf(r("a"))))[0]?.wasConcurrent).toBe(false);
    expect(await dispatcher.dispatch([])).toEqual([]);
  });

  test("a reader that a hook turns into a writer leaves its batch and runs alone, in its place", async () => {
    const log: string[] = [];
    const tool = writer(
      "file",
      async ({ as }) => {
        log.push(`+${String(as)}`);
        await sleep(2);
        log.push(`-${String(as)}`);
      },
      { concurrency: { rules: [{ when: (input) => input["mode"] === "read", class: "READ_ONLY" }] } },
    );
    const dispatcher = createDispatcher({
      tools: [tool],
      hooks: {
        transform: ({ input }) =>
          (input as { as: string }).as === "b" ? { input: { as: "b", mode: "write" } } : undefined,
      },
    });
    const results = await dispatcher.dispatch(
      ["a", "b", "c", "d"].map((as): ToolCall => ({ id: as, name: "file", input: { as, mode: "read" } })),
    );
    expect(log).toEqual(["+a", "-a", "+b", "-b", "+c", "+d", "-c", "-d"]);
    expect(results.map((result) => result.wasConcurrent)).toEqual([false, false, true, true]);
  });

  test("a writer that a hook turns into a reader still runs alone", async () => {
    const { log, tools } = notingTools();
    const file = writer(
      "file",
      async () => {
        log.push("+file");
        await sleep(1);
        log.push("-file");
      },
      { concurrency: { rules: [{ when: (input) => input["mode"] === "read", class: "READ_ONLY" }] } },
    );
    const dispatcher = createDispatcher({
      tools: [...tools, file],
      hooks: { transform: ({ toolName }) => (toolName === "file" ? { input: { mode: "read" } } : undefined) },
    });
    await dispatcher.dispatch(callsOf(r("a"), ["file", { mode: "write" }], r("b")));
    expect(log).toEqual(["+a", "-a", "+file", "-file", "+b", "-b"]);
  });
});

describe("the cap", () => {
  test.each([
    ["ten by default", {}, 10],
    ["the option", { maxConcurrency: 3 }, 3],
    ["the environment", { env: { HASP_MAX_CONCURRENCY: "4" } }, 4],
    ["the option before the environment", { maxConcurrency: 2, env: { HASP_MAX_CONCURRENCY: "4" } }, 2],
    ["ten for an empty variable", { env: { HASP_MAX_CONCURRENCY: "" } }, 10],
    ["one for nonsense in the environment", { env: { HASP_MAX_CONCURRENCY: "-3" } }, 1],
    ["one for zero", { env: { HASP_MAX_CONCURRENCY: "0" } }, 1],
  ])("the cap is %s", async (_name, options, cap) => {
    let live = 0;
    let most = 0;
    const tool = reader("read", async () => {
      most = Math.max(most, (live += 1));
      await sleep(1);
      live -= 1;
    });
    await createDispatcher({ tools: [tool], ...options }).dispatch(
      callsOf(...Array.from({ length: 25 }, () => "read")),
    );
    expect(most).toBe(cap);
  });

  test("the cap holds over all turns of a dispatcher", async () => {
    let live = 0;
    let most = 0;
    const tool = reader("read", async () => {
      most = Math.max(most, (live += 1));
      await sleep(1);
      live -= 1;
    });
    const dispatcher = createDispatcher({ tools: [tool], maxConcurrency: 3 });
    await Promise.all(Array.from({ length: 5 }, () => dispatcher.dispatch(callsOf("read", "read", "read", "read"))));
    expect(most).toBe(3);
  });
});

describe("the gate over all turns", () => {
  test("no turn's writer runs beside a call of another turn", async () => {
    const { log, tools } = notingTools();
    const dispatcher = createDispatcher({ tools });
    const turns = [dispatcher.dispatch(callsOf(["read", { as: "a1", ms: 20 }], ["read", { as: "a2", ms: 20 }]))];
    await sleep(2);
    turns.push(dispatcher.dispatch(callsOf(w("b"))));
    await sleep(2);
    turns.push(dispatcher.dispatch(callsOf(r("c"))));
    await Promise.all(turns);
    expect(log, "first come, first served: a later reader waits behind the writer").toEqual([
      "+a1",
      "+a2",
      "-a1",
      "-a2",
      "+b",
      "-b",
      "+c",
      "-c",
    ]);
  });

  test("one gate serves all dispatchers that receive it", async () => {
    const { log, tools } = notingTools();
    const one = createDispatcher({ tools });
    const two = createDispatcher({ tools, gate: one.gate });
    await Promise.all([one.dispatch(callsOf(w("a"))), two.dispatch(callsOf(w("b")))]);
    expect(log).toEqual(["+a", "-a", "+b", "-b"]);
  });

  test("an open question of one turn blocks no other turn", async () => {
    const { log, tools } = notingTools();
    const answer = deferred<"allow">();
    const asks = writer("asks", () => void log.push("asked"), { behavior: { requiresPermission: true } });
    const dispatcher = createDispatcher({
      tools: [...tools, asks],
      permissions: { ask: () => answer.promise },
    });
    const waiting = dispatcher.dispatch(callsOf("asks"));
    await dispatcher.dispatch(callsOf(w("other")));
    expect(log).toEqual(["+other", "-other"]);
    answer.resolve("allow");
    await waiting;
    expect(log).toEqual(["+other", "-other", "asked"]);
  });

  test("three hundred edits of one file, in 300 turns at once, lose none", async () => {
    let file = 0;
    const edit = writer("edit", async () => {
      const before = file;
      await sleep(0);
      file = before + 1;
    });
    const dispatcher = createDispatcher({ tools: [edit] });
    await Promise.all(Array.from({ length: 300 }, () => dispatcher.dispatch(callsOf("edit", "edit"))));
    expect(file).toBe(600);
  });
});

describe("a turn that is fed call by call", () => {
  test("an open turn starts readers at once, and lets later readers join them", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { log, tools } = notingTools();
    const turn = createDispatcher({ tools }).openTurn();
    turn.push({ id: "1", name: "read", input: { as: "a", ms: 30 } });
    await vi.advanceTimersByTimeAsync(5);
    turn.push({ id: "2", name: "read", input: { as: "b", ms: 1 } });
    await vi.advanceTimersByTimeAsync(10);
    expect(log).toEqual(["+a", "+b", "-b"]);
    turn.push({ id: "3", name: "write", input: { as: "c" } });
    turn.push({ id: "4", name: "read", input: { as: "d" } });
    const end = turn.end();
    await vi.advanceTimersByTimeAsync(30);
    const results = await end;
    expect(log).toEqual(["+a", "+b", "-b", "-a", "+c", "-c", "+d", "-d"]);
    expect(ids(results)).toEqual(["1", "2", "3", "4"]);
    expect(results.map((result) => result.wasConcurrent)).toEqual([true, true, false, false]);
  });

  test("neither the gate nor another reader waits for a question about a reader", async () => {
    const { log, tools } = notingTools();
    const answer = deferred<"allow">();
    const asks = reader("asks", () => void log.push("asked"), { behavior: { requiresPermission: true } });
    const dispatcher = createDispatcher({
      tools: [...tools, asks],
      permissions: { ask: () => answer.promise },
    });
    const turn = dispatcher.openTurn();
    turn.push({ id: "1", name: "read", input: { as: "a", ms: 5 } });
    await sleep(1);
    turn.push({ id: "2", name: "asks", input: {} });
    turn.push({ id: "3", name: "read", input: { as: "b" } });
    await dispatcher.dispatch(callsOf(w("other")));
    expect(log.slice(0, 4).toSorted()).toEqual(["+a", "+b", "-a", "-b"]);
    expect(log.slice(4)).toEqual(["+other", "-other"]);
    answer.resolve("allow");
    expect(ids(await turn.end())).toEqual(["1", "2", "3"]);
    expect(log.slice(4)).toEqual(["+other", "-other", "asked"]);
  });

  test("an open turn gives the same results however often it is ended, and accepts no call afterwards", async () => {
    const { tools } = notingTools();
    const turn = createDispatcher({ tools }).openTurn();
    turn.push({ id: "1", name: "read", input: { as: "a" } });
    expect(await turn.end()).toBe(await turn.end());
    expect(() => turn.push({ id: "2", name: "read", input: {} })).toThrow(/open a new one/);
  });
});

test("the calls of a thousand-call turn are all answered, in order", async () => {
  const { tools } = notingTools();
  const calls = Array.from({ length: 1000 }, (_, index): ToolCall => ({
    id: `c${index}`,
    name: index % 7 === 0 ? "write" : "read",
    input: { as: index, ms: 0 },
  }));
  expect(ids(await createDispatcher({ tools }).dispatch(calls))).toEqual(calls.map((call) => call.id));
});
