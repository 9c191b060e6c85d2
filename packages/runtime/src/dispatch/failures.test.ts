import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ToolResult } from "../tool/definition.js";
import type { DispatchEvent } from "./state/dispatcher-types.js";
import { NotExecuted, toolResult } from "../results/tool-result.js";
import {
  createEquippedDispatcher as createDispatcher,
  callsOf,
  deferred,
  never,
  reader,
  sleep,
  writer,
  type Options,
} from "./tools.testing.js";
import { storedResults } from "../extensions/results/stored-results.js";

const text = (result: ToolResult | undefined): string =>
  (result?.content ?? []).map((block) => ("text" in block ? block.text : "")).join("\n");
/** Stops the clock, which then advances only when the test says so. */
const stopClock = (): void => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
};
const within = (seconds: number): { limits: { timeoutSeconds: number } } => ({ limits: { timeoutSeconds: seconds } });

describe("the effect of a failure", () => {
  const fail = (): never => {
    throw new Error("disk full");
  };
  test.each([
    ["a writer that throws", writer("t", fail), "threw", "unknown"],
    ["a reader that throws", reader("t", fail), "threw", "none"],
    [
      "a writer that says it did nothing",
      writer("t", () => {
        throw new NotExecuted("no row matched");
      }),
      "not-executed",
      "none",
    ],
    [
      "a writer that returns an error",
      writer("t", () => toolResult({ content: "no", isError: true })),
      "tool-error",
      "unknown",
    ],
    [
      "a writer that returns an error and knows",
      writer("t", () => toolResult({ content: "no", isError: true, effect: "none" })),
      "tool-error",
      "none",
    ],
    ["a writer whose output is no JSON", writer("t", () => 1n), "invalid-output", "landed"],
    ["a reader whose output is no JSON", reader("t", () => 1n), "invalid-output", "none"],
    ["a writer that rejects with undefined", writer("t", () => Promise.reject(undefined)), "threw", "unknown"],
  ])("a failure reports the effect of %s", async (_name, tool, code, effect) => {
    const [result] = await createDispatcher({ tools: [tool] }).dispatch(callsOf("t"));
    expect(result?.isError).toBe(true);
    expect(result?.error).toMatchObject({ code, effect });
    expect(result?.error?.indeterminate).toBe(effect === "unknown" ? true : undefined);
    expect(text(result).startsWith("Do not repeat this call")).toBe(effect !== "none");
    expect(result?.error?.message.startsWith("Do not repeat this call")).toBe(effect !== "none");
  });
});

describe("timeout", () => {
  test("a timeout settles a reader that ignores its signal, and holds nothing up", async () => {
    const tool = reader("unresponsive", never, within(0.01));
    const [result] = await createDispatcher({ tools: [tool] }).dispatch(callsOf("unresponsive"));
    expect(result?.error).toMatchObject({ phase: "execute", code: "timeout", effect: "none" });
    expect(text(result)).toContain("0.01 s");
  });

  test("a timeout aborts the handler's signal with the reason", async () => {
    let reason: unknown;
    const tool = reader(
      "slow",
      (_input, { signal }: Options) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject((reason = signal.reason)))),
      within(0.01),
    );
    await createDispatcher({ tools: [tool] }).dispatch(callsOf("slow"));
    expect(reason).toMatchObject({ name: "TimeoutError" });
  });

  test("a writer that times out keeps the gate until it settles; its answer does not wait, later calls of the turn do", async () => {
    const log: string[] = [];
    const hold = deferred();
    const slow = writer(
      "slow",
      async () => {
        await hold.promise;
        log.push("slow ended");
      },
      within(0.01),
    );
    const next = writer("next", () => void log.push("next ran"));
    const dispatcher = createDispatcher({ tools: [slow, next] });
    const [first] = await dispatcher.dispatch(callsOf("slow"));
    expect(log).toEqual([]);
    expect(first?.error).toMatchObject({ code: "timeout", effect: "unknown", indeterminate: true });
    const waiting = dispatcher.dispatch(callsOf("next"));
    hold.resolve();
    const [second] = await waiting;
    expect(second?.isError).toBe(false);
    expect(log).toEqual(["slow ended", "next ran"]);
  });

  test("an unresponsive writer blocks writers but not readers until it settles; its late end is an event", async () => {
    const end = deferred();
    const events: DispatchEvent[] = [];
    const tools = [writer("unresponsive", () => end.promise, within(0.01)), writer("next"), reader("look")];
    const dispatcher = createDispatcher({ tools, onEvent: (event) => events.push(event) });
    await dispatcher.dispatch(callsOf("unresponsive"));
    const [look, next] = await dispatcher.dispatch(callsOf("look", "next"));
    expect(look?.isError).toBe(false);
    expect(next?.error).toMatchObject({ code: "earlier-call-still-running", effect: "none" });
    end.resolve();
    await sleep(1);
    expect(events.find((event) => event.type === "settled-late")).toMatchObject({
      callId: "1",
      toolName: "unresponsive",
      outcome: "returned",
    });
    expect((await dispatcher.dispatch(callsOf("next")))[0]?.isError).toBe(false);
  });

  test("the host may declare an unresponsive writer over", async () => {
    const dispatcher = createDispatcher({ tools: [writer("unresponsive", never, within(0.01)), writer("next")] });
    await dispatcher.dispatch([{ id: "lost", name: "unresponsive", input: {} }]);
    expect((await dispatcher.dispatch(callsOf("next")))[0]?.error?.code).toBe("earlier-call-still-running");
    expect(dispatcher.releaseAbandoned("another")).toBe(false);
    expect(dispatcher.releaseAbandoned("lost")).toBe(true);
    expect((await dispatcher.dispatch(callsOf("next")))[0]?.isError).toBe(false);
  });

  test("a writer declared over within its grace period holds nothing up", async () => {
    const dispatcher = createDispatcher({ tools: [writer("unresponsive", never, within(0.01)), writer("next")] });
    await dispatcher.dispatch([{ id: "lost", name: "unresponsive", input: {} }]);
    expect(dispatcher.releaseAbandoned("lost")).toBe(true);
    expect((await dispatcher.dispatch(callsOf("next")))[0]?.isError).toBe(false);
  });

  test("a timeout longer than a timer can hold does not fire at once", async () => {
    const tool = reader(
      "long",
      async () => {
        await sleep(5);
        return "ok";
      },
      within(2 ** 31),
    );
    expect((await createDispatcher({ tools: [tool] }).dispatch(callsOf("long")))[0]?.isError).toBe(false);
  });

  test("a query builder that a handler returns runs its query once, though its time runs out", async () => {
    stopClock();
    const query = vi.fn(() => sleep(3000));
    // It runs its query with each `then`, as those of many database libraries do.
    const insert = writer("insert", () => ({ then: (done: () => void) => void query().then(done) }), within(1));
    const pending = createDispatcher({ tools: [insert] }).dispatch(callsOf("insert"));
    await vi.advanceTimersByTimeAsync(5000);
    expect((await pending)[0]?.error).toMatchObject({ code: "timeout", effect: "unknown" });
    expect(query).toHaveBeenCalledTimes(1);
  });
});

describe("retries", () => {
  const flaky = (failures: number, retryable = true): (() => string) & { attempts: number } => {
    const run = Object.assign(
      () => {
        run.attempts += 1;
        if (run.attempts <= failures) throw Object.assign(new Error("busy"), { retryable });
        return "ok";
      },
      { attempts: 0 },
    );
    return run;
  };
  const retryDelayMs = (): number => 0;
  const limits = { maxRetries: 2 };

  test("retries happen for a reader whose error asks for them, up to the limit", async () => {
    const [two, three] = [flaky(2), flaky(3)];
    const dispatcher = createDispatcher({
      tools: [reader("two", two, { limits }), reader("three", three, { limits })],
      retryDelayMs,
    });
    const results = await dispatcher.dispatch(callsOf("two", "three"));
    expect(results.map((result) => result.isError)).toEqual([false, true]);
    expect([two.attempts, three.attempts]).toEqual([3, 3]);
  });

  test.each([
    ["an error that does not say so", reader("t", flaky(1, false), { limits })],
    ["a call that may not be repeated", writer("t", flaky(1), { limits })],
    ["a tool that allows none", reader("t", flaky(1))],
  ])("retries do not happen for %s", async (_name, tool) => {
    const [result] = await createDispatcher({ tools: [tool], retryDelayMs }).dispatch(callsOf("t"));
    expect(result?.isError).toBe(true);
  });

  test("retries of an idempotent call share a key that no other call has", async () => {
    const keys: string[] = [];
    let attempts = 0;
    const tool = writer(
      "pay",
      (_input, { idempotencyKey }: Options) => {
        keys.push(idempotencyKey);
        if ((attempts += 1) % 2 === 1) throw Object.assign(new Error("busy"), { retryable: true });
      },
      { behavior: { isIdempotent: "withKey" }, limits },
    );
    const dispatcher = createDispatcher({ tools: [tool], retryDelayMs });
    await dispatcher.dispatch(callsOf("pay"));
    await dispatcher.dispatch(callsOf("pay"));
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).toBe(keys[3]);
    expect(new Set(keys).size).toBe(2);
  });

  test("a retry does not hide that an earlier attempt may have landed", async () => {
    let attempts = 0;
    const tool = writer(
      "t",
      () => {
        if ((attempts += 1) === 1) throw Object.assign(new Error("lost the answer"), { retryable: true });
        throw new NotExecuted("refused");
      },
      { behavior: { isIdempotent: true }, limits },
    );
    const [result] = await createDispatcher({ tools: [tool], retryDelayMs }).dispatch(callsOf("t"));
    expect(result?.error).toMatchObject({ code: "not-executed", effect: "unknown" });
  });

  test("a retry starts only after the attempt that timed out has ended", async () => {
    let live = 0;
    let most = 0;
    let attempts = 0;
    const tool = writer(
      "slow",
      async () => {
        most = Math.max(most, (live += 1));
        attempts += 1;
        await sleep(attempts === 1 ? 40 : 1);
        live -= 1;
        return "ok";
      },
      { behavior: { isIdempotent: true }, limits: { maxRetries: 1, timeoutSeconds: 0.02 } },
    );
    const [result] = await createDispatcher({ tools: [tool], retryDelayMs }).dispatch(callsOf("slow"));
    expect(result?.isError).toBe(false);
    expect([attempts, most]).toEqual([2, 1]);
  });

  test("each attempt gets the original input, whatever the previous one did to it", async () => {
    const seen: unknown[] = [];
    let attempts = 0;
    const tool = reader(
      "t",
      (input) => {
        seen.push({ ...input });
        input["at"] = "changed";
        if ((attempts += 1) === 1) throw Object.assign(new Error("busy"), { retryable: true });
      },
      { limits },
    );
    await createDispatcher({ tools: [tool], retryDelayMs }).dispatch(callsOf(["t", { at: "first" }]));
    expect(seen).toEqual([{ at: "first" }, { at: "first" }]);
  });
});

describe("abort", () => {
  test("an abort before anything runs answers every call unrun", async () => {
    const run = vi.fn();
    const results = await createDispatcher({ tools: [reader("a", run), writer("b", run)] }).dispatch(
      callsOf("a", "b", "a"),
      { signal: AbortSignal.abort() },
    );
    expect(run).not.toHaveBeenCalled();
    expect(results.map((result) => result.error?.code)).toEqual(["aborted", "aborted", "aborted"]);
    expect(results.map((result) => result.error?.effect)).toEqual(["none", "none", "none"]);
  });

  test("an abort reaches a running call, which may still answer; the rest is not run", async () => {
    const controller = new AbortController();
    const polite = writer(
      "polite",
      (_input, { signal }: Options) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve("half done"))),
    );
    const turn = createDispatcher({ tools: [polite] }).dispatch(callsOf("polite", "polite"), {
      signal: controller.signal,
    });
    await sleep(5);
    controller.abort();
    const [first, second] = await turn;
    expect(first).toMatchObject({ isError: false, content: [{ text: "half done" }] });
    expect(second?.error).toMatchObject({ code: "aborted", effect: "none" });
  });

  test("an abort answers an unresponsive call after one second, with an unknown effect", async () => {
    stopClock();
    const controller = new AbortController();
    const dispatcher = createDispatcher({ tools: [writer("unresponsive", never), writer("next")] });
    const answered = vi.fn();
    const turn = dispatcher.dispatch(callsOf("unresponsive"), { signal: controller.signal });
    void turn.then(answered);
    await vi.advanceTimersByTimeAsync(5);
    controller.abort();
    await vi.advanceTimersByTimeAsync(999);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(answered).toHaveBeenCalled();
    const [result] = await turn;
    expect(result?.error).toMatchObject({ code: "aborted", effect: "unknown" });
    const next = dispatcher.dispatch(callsOf("next"));
    await vi.advanceTimersByTimeAsync(1000);
    expect((await next)[0]?.error?.code).toBe("earlier-call-still-running");
  });

  test("an abort ends the wait of a hook, a check, a question and the gate at once", async () => {
    stopClock();
    const controller = new AbortController();
    const hold = deferred();
    const dispatcher = createDispatcher({ tools: [writer("hold", () => hold.promise), writer("next")] });
    const holding = dispatcher.dispatch(callsOf("hold"));
    await vi.advanceTimersByTimeAsync(1);
    const waitings = [
      dispatcher.dispatch(callsOf("next"), { signal: controller.signal }),
      createDispatcher({ tools: [reader("t")], hooks: { guard: never } }).dispatch(callsOf("t"), {
        signal: controller.signal,
      }),
      createDispatcher({ tools: [reader("t", () => "ok", { validate: [never] })] }).dispatch(callsOf("t"), {
        signal: controller.signal,
      }),
      createDispatcher({
        tools: [writer("t", () => "ok", { behavior: { requiresPermission: true } })],
        permissions: { ask: never },
      }).dispatch(callsOf("t"), { signal: controller.signal }),
    ];
    await vi.advanceTimersByTimeAsync(1);
    controller.abort();
    // The clock stands still: they get no grace period of a second, as a running handler would.
    const results = (await Promise.all(waitings)).flat();
    expect(results.map((result) => result.error)).toEqual(
      results.map(() => expect.objectContaining({ code: "aborted", effect: "none" })),
    );
    hold.resolve();
    await holding;
  });

  test("an abort ends a back-off at once", async () => {
    const controller = new AbortController();
    const tool = reader(
      "t",
      () => {
        throw Object.assign(new Error("busy"), { retryable: true });
      },
      { limits: { maxRetries: 5 } },
    );
    const turn = createDispatcher({ tools: [tool], retryDelayMs: () => 60_000 }).dispatch(callsOf("t"), {
      signal: controller.signal,
    });
    await sleep(5);
    controller.abort();
    expect((await turn)[0]?.error?.code).toBe("threw");
  });
});

describe("abort of what comes around a call", () => {
  test.each<[string, object]>([
    ["a post-hook without end", { hooks: { post: never } }],
    ["a result store without end", { extensions: [storedResults({ put: never })] }],
    ["a refresh without end", { refreshTools: never }],
  ])("an abort gives up %s after the grace period", async (_name, options) => {
    stopClock();
    const controller = new AbortController();
    const tool = reader("t", () => "x".repeat(500), { limits: { maxResultSizeChars: 100 } });
    const turn = createDispatcher({ tools: [tool], ...options }).dispatch(callsOf("t"), { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(5);
    controller.abort();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await turn).toHaveLength(1);
  });
});

describe("interrupt", () => {
  test("an interrupt resolves when the `block` tools have finished, and waits for no `cancel` tool", async () => {
    const ends: string[] = [];
    const work = (name: string, milliseconds: number, interruptBehavior: "block" | "cancel") =>
      reader(name, () => sleep(milliseconds).then(() => ends.push(name)), { behavior: { interruptBehavior } });
    const dispatcher = createDispatcher({
      tools: [work("short", 10, "block"), work("long", 30, "block"), work("deaf", 200, "cancel")],
    });
    const turn = dispatcher.dispatch(callsOf("short", "long", "deaf"));
    await sleep(2);
    await dispatcher.interrupt();
    expect(ends).toEqual(["short", "long"]);
    await turn;
    await expect(dispatcher.interrupt()).resolves.toBeUndefined();
  });

  test("an interrupt resolves when the time of a hung `block` tool is up", async () => {
    const dispatcher = createDispatcher({ tools: [reader("hung", never, { limits: { timeoutSeconds: 0.02 } })] });
    const turn = dispatcher.dispatch(callsOf("hung"));
    await sleep(2);
    await dispatcher.interrupt();
    expect((await turn)[0]?.error?.code).toBe("timeout");
  });

  test.each(["cancel", "block"] as const)("a start event of a `%s` tool says so", async (interruptBehavior) => {
    const seen: unknown[] = [];
    const tools = [reader("look", () => "ok", { behavior: { interruptBehavior } })];
    const onEvent = (event: DispatchEvent): unknown => event.type === "started" && seen.push(event.interruptBehavior);
    await createDispatcher({ tools, onEvent }).dispatch(callsOf("look"));
    expect(seen).toEqual([interruptBehavior]);
  });

  test("an interrupt by a handler keeps the readers beside it from starting", async () => {
    const run = vi.fn();
    const stop = reader("stop", () => dispatcher.interrupt());
    const dispatcher = createDispatcher({ tools: [stop, reader("look", run)] });
    const results = await dispatcher.dispatch(callsOf("stop", "look"));
    expect(results.map((result) => result.error?.code)).toEqual([undefined, "interrupted"]);
    expect(run).not.toHaveBeenCalled();
  });

  test.each(["cancel", "block"] as const)(
    "an interrupt by a listener of a `%s` tool's start keeps its handler from being called",
    async (interruptBehavior) => {
      const run = vi.fn();
      const dispatcher = createDispatcher({
        tools: [writer("write", run, { behavior: { interruptBehavior } })],
        onEvent(event): void {
          if (event.type === "started") dispatcher.interrupt("Not that one.");
        },
      });
      const results = await dispatcher.dispatch(callsOf("write", "write"));
      expect(run).not.toHaveBeenCalled();
      expect(results.map(({ error }) => [error?.code, error?.effect])).toEqual([
        ["not-executed", "none"],
        ["interrupted", "none"],
      ]);
      expect(text(results[0])).toContain("Not that one.");
    },
  );

  test("an interrupt stops running `cancel` tools, lets `block` tools finish, answers the rest unrun and frees the next turn", async () => {
    const cancellable = reader(
      "cancellable",
      (_input, { signal }: Options) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
      { behavior: { interruptBehavior: "cancel" } },
    );
    const blocking = reader("blocking", async () => {
      await sleep(20);
      return "finished";
    });
    const dispatcher = createDispatcher({ tools: [cancellable, blocking, writer("later")] });
    const turn = dispatcher.dispatch(callsOf("cancellable", "blocking", "later"));
    await sleep(5);
    dispatcher.interrupt("Stop that.");
    const results = await turn;
    expect(results.map((result) => result.error?.code)).toEqual(["interrupted", undefined, "interrupted"]);
    expect(text(results[0])).toContain("Stop that.");
    expect(results[2]?.error?.effect).toBe("none");
    expect((await dispatcher.dispatch(callsOf("later")))[0]?.isError).toBe(false);
  });
});

describe("siblings", () => {
  const slow = reader(
    "slow",
    (_input, { signal }: Options) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => resolve("done"), 150);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          reject(signal.reason as Error);
        });
      }),
  );
  const declared = { behavior: { abortsSiblingsOnError: true } };

  test("siblings are stopped by a throw of a tool that declares it; queued ones are not run, later batches are", async () => {
    const session = new AbortController();
    const bad = reader(
      "bad",
      async () => {
        await sleep(2);
        throw new Error("no");
      },
      declared,
    );
    const dispatcher = createDispatcher({ tools: [slow, bad, reader("fine"), writer("later")], maxConcurrency: 2 });
    const results = await dispatcher.dispatch(callsOf("slow", "bad", "fine", "later"), { signal: session.signal });
    expect(results.map((result) => result.error?.code)).toEqual([
      "sibling-failed",
      "threw",
      "sibling-failed",
      undefined,
    ]);
    expect(session.signal.aborted).toBe(false);
  });

  test("siblings are stopped by the timeout of a tool that declares it", async () => {
    const bad = reader("bad", never, { ...declared, ...within(0.005) });
    const results = await createDispatcher({ tools: [slow, bad] }).dispatch(callsOf("slow", "bad"));
    expect(results.map((result) => result.error?.code)).toEqual(["sibling-failed", "timeout"]);
  });

  test.each([
    ["a returned error", reader("bad", () => toolResult({ content: "exit 1", isError: true }), declared)],
    [
      "a throw of a tool that does not declare it",
      reader("bad", () => {
        throw new Error("no");
      }),
    ],
    [
      "an input that is refused",
      reader("bad", () => "ok", {
        ...declared,
        input: { type: "object", properties: {}, required: ["x"], additionalProperties: true },
      }),
    ],
  ])("siblings are not stopped by %s", async (_name, bad) => {
    const results = await createDispatcher({ tools: [slow, bad] }).dispatch(callsOf("slow", "bad", "slow"));
    expect(results.map((result) => result.isError)).toEqual([false, true, false]);
  });
});

describe("nested calls", () => {
  test("nested calls run inside the hold of their handler: no deadlock, and no stranger in between", async () => {
    const log: string[] = [];
    const outer = writer("outer", async (_input, { dispatch }: Options) => {
      log.push("+outer");
      const results = await dispatch(callsOf("inner", "inner"));
      log.push("-outer");
      return results.map((result) => result.isError);
    });
    const inner = writer("inner", async () => {
      log.push("+inner");
      await sleep(3);
      log.push("-inner");
    });
    const stranger = writer("stranger", () => void log.push("stranger"));
    const dispatcher = createDispatcher({ tools: [outer, inner, stranger] });
    const [[result]] = await Promise.all([
      dispatcher.dispatch(callsOf("outer")),
      dispatcher.dispatch(callsOf("stranger")),
    ]);
    expect(result?.output).toEqual([false, false]);
    expect(log).toEqual(["+outer", "+inner", "-inner", "+inner", "-inner", "-outer", "stranger"]);
  });

  test("nested calls of a reader must be readers; others are answered unrun", async () => {
    const write = vi.fn();
    const outer = reader("outer", async (_input, { dispatch }: Options) =>
      (await dispatch(callsOf("look", "write"))).map((result) => result.error?.code ?? "ok"),
    );
    const [result] = await createDispatcher({ tools: [outer, reader("look"), writer("write", write)] }).dispatch(
      callsOf("outer"),
    );
    expect(result?.output).toEqual(["ok", "nested-call-not-read-only"]);
    expect(write).not.toHaveBeenCalled();
  });

  test("readers above the cap that all nest do not wait for each other forever", async () => {
    const outer = reader(
      "outer",
      async (_input, { dispatch }: Options) => (await dispatch(callsOf("look")))[0]?.isError,
    );
    const results = await createDispatcher({ tools: [outer, reader("look")], maxConcurrency: 2 }).dispatch(
      callsOf("outer", "outer", "outer", "outer"),
    );
    expect(results.map((result) => result.output)).toEqual([false, false, false, false]);
  });

  test("nested calls that a handler leaves behind are stopped, and hold the gate until they end", async () => {
    const log: string[] = [];
    const inner = writer(
      "inner",
      (_input, { signal }: Options) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () =>
            setTimeout(() => {
              log.push("inner ended");
              reject(new Error("stopped"));
            }, 20),
          ),
        ),
    );
    const outer = writer("outer", async (_input, { dispatch }: Options) => {
      void dispatch(callsOf("inner"));
      await sleep(5);
      return "left";
    });
    const next = writer("next", () => void log.push("next"));
    const dispatcher = createDispatcher({ tools: [inner, outer, next] });
    await dispatcher.dispatch(callsOf("outer", "next"));
    expect(log).toEqual(["inner ended", "next"]);
  });

  test("nested calls after the handler has settled are answered unrun", async () => {
    const late = deferred<readonly ToolResult[]>();
    const run = vi.fn();
    const outer = writer("outer", (_input, { dispatch }: Options) => {
      setTimeout(() => void dispatch(callsOf("look")).then(late.resolve), 5);
    });
    await createDispatcher({ tools: [outer, reader("look", run)] }).dispatch(callsOf("outer"));
    expect((await late.promise)[0]?.error).toMatchObject({ code: "handler-settled", effect: "none" });
    expect(run).not.toHaveBeenCalled();
  });

  test("nested calls that a handler leaves at once have ended before the next call", async () => {
    const log: string[] = [];
    const outer = writer("outer", (_input, { dispatch }: Options) => {
      const given = callsOf("look");
      void dispatch(given).then((results) => log.push(...results.map(({ error }) => String(error?.code))));
      given.length = 0;
      return "left";
    });
    const tools = [outer, reader("look", () => void log.push("look")), writer("next", () => void log.push("next"))];
    const results = await createDispatcher({ tools }).dispatch(callsOf("outer", "next"));
    expect(results.map(({ isError }) => isError)).toEqual([false, false]);
    expect(log).toEqual(["look", "undefined", "next"]);
  });

  test("nested calls end somewhere, even in a tool that calls itself", async () => {
    const self = writer(
      "self",
      async (_input, { dispatch }: Options) => (await dispatch(callsOf("self")))[0]?.error?.code ?? "ok",
    );
    const [result] = await createDispatcher({ tools: [self] }).dispatch(callsOf("self"));
    expect(result?.isError).toBe(false);
  });
});
