import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ToolCall, ToolResult } from "../tool/definition.js";
import { buildTool, type AnyTool } from "../tool/tool.js";
import { createDispatcher } from "./dispatcher.js";
import { expectedTurn, type PlannedCall } from "./model.testing.js";
import { sleep, type Options } from "./tools.testing.js";

/** A span of time in which a handler ran; a reader that was told to stop no longer counts. */
interface Span {
  readonly turn: number;
  readonly index: number;
  readonly isReader: boolean;
  readonly start: number;
  end: number;
}

/** In virtual time: a handler that runs out of its time settles half a second later, within its grace. */
const TIMEOUT_SECONDS = 1;
const LATE_MS = 1500;

const plannedCall: fc.Arbitrary<PlannedCall> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("reader" as const) },
    { weight: 3, arbitrary: fc.constantFrom("writer" as const, "either" as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        "rule-throws" as const,
        "unknown" as const,
        "broken-json" as const,
        "invalid" as const,
        "denied" as const,
        "blocked" as const,
      ),
    },
  ),
  mode: fc.constantFrom("read", "write"),
  isTransformed: fc.boolean(),
  ms: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
  end: fc.oneof(
    { weight: 6, arbitrary: fc.constant("returns" as const) },
    { weight: 2, arbitrary: fc.constant("throws" as const) },
    { weight: 1, arbitrary: fc.constant("times-out" as const) },
  ),
});

const turns = fc.array(fc.array(plannedCall, { maxLength: 8 }), { minLength: 1, maxLength: 4 });

const input = {
  type: "object",
  required: ["turn", "index"],
  properties: { turn: { type: "integer" }, index: { type: "integer" }, mode: { enum: ["read", "write"] } },
  additionalProperties: false,
} as const;

interface Input {
  readonly turn: number;
  readonly index: number;
  readonly mode?: "read" | "write";
}

/** One tool a kind, all doing what the plan says and noting when. */
function toolsFor(plan: readonly (readonly PlannedCall[])[], spans: Span[], clock: () => number): AnyTool[] {
  /** Answers at once, not by a promise, where the plan leaves no time. */
  function execute({ turn, index, mode }: Input, { signal, class: callClass }: Options): string | Promise<string> {
    const planned = plan[turn]?.[index];
    if (planned === undefined) throw new Error("an unplanned call ran");
    if (planned.kind === "either") expect(mode === "read").toBe(callClass === "READ_ONLY");
    const isReader = callClass === "READ_ONLY";
    const span: Span = { turn, index, isReader, start: clock(), end: Infinity };
    spans.push(span);
    const over = (): void => {
      if (span.end === Infinity) span.end = clock();
    };
    if (isReader) signal.addEventListener("abort", over);
    const finish = (): string => {
      over();
      if (planned.end === "throws") throw new Error("planned");
      return "ok";
    };
    if (planned.end === "times-out") return sleep(LATE_MS).then(finish);
    return planned.ms === 0 ? finish() : sleep(planned.ms).then(finish);
  }
  const tool = (name: string, concurrency: object, behavior: object = {}): AnyTool =>
    buildTool<Input>({
      name,
      description: "d",
      input,
      concurrency,
      behavior: { requiresPermission: false, isDestructive: false, ...behavior },
      limits: { timeoutSeconds: TIMEOUT_SECONDS },
      execute,
    });
  const throws = (): never => {
    throw new Error("a rule that throws");
  };
  return [
    tool("reader", { class: "READ_ONLY" }),
    tool("writer", {}),
    tool("either", { rules: [{ when: ({ mode }: Input) => mode === "read", class: "READ_ONLY" }] }),
    tool("rule-throws", { rules: [{ when: throws, class: "READ_ONLY" }] }),
    tool("denied", { class: "READ_ONLY" }, { requiresPermission: true }),
    tool("blocked", { class: "READ_ONLY" }),
  ];
}

function toCall(planned: PlannedCall, turn: number, index: number): ToolCall {
  const id = `${turn}/${index}`;
  const { kind, mode } = planned;
  if (kind === "broken-json") return { id, name: "reader", input: '{"turn":' };
  if (kind === "invalid") return { id, name: "reader", input: { turn, index: "first" } };
  // A rule that throws gives the strict answer, which destroys: the host allows it by name.
  return { id, name: kind, input: kind === "either" ? JSON.stringify({ turn, index, mode }) : { turn, index } };
}

function dispatcherFor(
  plan: readonly (readonly PlannedCall[])[],
  spans: Span[],
  maxConcurrency: number,
  clock: () => number,
): ReturnType<typeof createDispatcher> {
  return createDispatcher({
    tools: toolsFor(plan, spans, clock),
    maxConcurrency,
    permissions: { rules: [{ tool: "rule-throws", decision: "allow" }] },
    hooks: {
      transform: ({ input: value, toolName }) => {
        const { turn, index, mode } = value as Input;
        if (toolName !== "either" || plan[turn]?.[index]?.isTransformed !== true) return undefined;
        return { input: { turn, index, mode: mode === "read" ? "write" : "read" } };
      },
      // Sometimes a promise, sometimes at once: a reader that joins others takes one way or the other.
      guard: ({ toolName, callId }) => {
        if (toolName === "blocked") return Promise.resolve({ block: "planned" });
        return callId.endsWith("2") ? Promise.resolve(undefined) : undefined;
      },
      post: () => undefined,
    },
  });
}

/** The results of turns, with every timer run as soon as nothing else is left to do. */
async function inVirtualTime<Value>(pending: readonly Promise<Value>[]): Promise<Value[]> {
  const all = Promise.all(pending);
  await vi.runAllTimersAsync();
  return all;
}

/** Monotonic, and never twice the same: what is noted later is later. */
function createClock(): () => number {
  let ticks = 0;
  return () => (ticks += 1);
}

function expectNoUnsafeOverlap(spans: readonly Span[]): void {
  for (const one of spans) {
    for (const other of spans) {
      if (one === other || (one.isReader && other.isReader)) continue;
      expect(one.end < other.start || other.end < one.start, JSON.stringify([one, other])).toBe(true);
    }
  }
}

function mostAtOnce(spans: readonly Span[]): number {
  return Math.max(
    0,
    ...spans.map((span) => spans.filter((other) => other.start <= span.start && span.start < other.end).length),
  );
}

describe("in virtual time", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("several turns at once do what the reference model says", async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.integer({ min: 1, max: 4 }), async (plan, cap) => {
        const spans: Span[] = [];
        const dispatcher = dispatcherFor(plan, spans, cap, createClock());
        const all = await inVirtualTime(
          plan.map((calls, turn) => dispatcher.dispatch(calls.map((call, index) => toCall(call, turn, index)))),
        );

        plan.forEach((calls, turn) => {
          const expected = expectedTurn(calls);
          const results = all[turn] ?? [];
          expect(
            results.map(({ callId, error, wasConcurrent }) => ({ callId, code: error?.code, wasConcurrent })),
          ).toEqual(
            expected.map(({ code, wasConcurrent }, index) => ({ callId: `${turn}/${index}`, code, wasConcurrent })),
          );
          const own = spans.filter((span) => span.turn === turn);
          expect(own.map((span) => span.index).toSorted((a, b) => a - b)).toEqual(
            expected.flatMap(({ runs }, index) => (runs ? [index] : [])),
          );
          for (const span of own) {
            expect(span.isReader).toBe(expected[span.index]?.isReader);
            for (const other of own) {
              const [mine, theirs] = [expected[span.index]?.batch ?? 0, expected[other.index]?.batch ?? 0];
              if (mine < theirs) expect(span.end, "batches run in order").toBeLessThan(other.start);
            }
          }
        });
        expectNoUnsafeOverlap(spans);
        expect(mostAtOnce(spans)).toBeLessThanOrEqual(cap);
      }),
      { numRuns: 300 },
    );
  });

  test("whenever a turn is aborted or interrupted, every call is answered once, in order, and nothing unsafe overlaps", async () => {
    await fc.assert(
      fc.asyncProperty(
        turns,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 3000 }),
        fc.boolean(),
        async (plan, cap, afterMs, interrupts) => {
          const spans: Span[] = [];
          const controller = new AbortController();
          const dispatcher = dispatcherFor(plan, spans, cap, createClock());
          const pending = plan.map((calls, turn) =>
            dispatcher.dispatch(
              calls.map((call, index) => toCall(call, turn, index)),
              { signal: controller.signal },
            ),
          );
          await vi.advanceTimersByTimeAsync(afterMs);
          if (interrupts) dispatcher.interrupt();
          else controller.abort();
          const all = await inVirtualTime(pending);

          all.forEach((results, turn) => {
            expect(results.map((result) => result.callId)).toEqual(
              (plan[turn] ?? []).map((_call, index) => `${turn}/${index}`),
            );
            for (const [index, result] of results.entries()) {
              const ran = spans.some((span) => span.turn === turn && span.index === index);
              if (!ran) expect(result.durationMs).toBe(0);
              if (!ran && result.isError) expect(result.error?.effect).toBe("none");
              if (!result.isError) expect(ran).toBe(true);
            }
          });
          expect(new Set(spans.map((span) => `${span.turn}/${span.index}`)).size, "nothing runs twice").toBe(
            spans.length,
          );
          expectNoUnsafeOverlap(spans);
          expect(mostAtOnce(spans)).toBeLessThanOrEqual(cap);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("a turn fed call by call, with pauses, answers like one that is dispatched", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(plannedCall, { maxLength: 8 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 8 }),
        async (calls, pauses) => {
          const spans: Span[] = [];
          const turn = dispatcherFor([calls], spans, 3, createClock()).openTurn();
          for (const [index, call] of calls.entries()) {
            turn.push(toCall(call, 0, index));
            if ((pauses[index] ?? 0) > 0) await vi.advanceTimersByTimeAsync(pauses[index] ?? 0);
          }
          const [results = []] = await inVirtualTime<readonly ToolResult[]>([turn.end()]);
          expect(results.map(({ callId, error }) => [callId, error?.code])).toEqual(
            expectedTurn(calls).map(({ code }, index) => [`0/${index}`, code]),
          );
          expectNoUnsafeOverlap(spans);
          expect(mostAtOnce(spans)).toBeLessThanOrEqual(3);
        },
      ),
      { numRuns: 200 },
    );
  });
});

test("ten thousand calls leave no rejection unhandled and no listener behind", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    listeners += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
    listeners -= 1;
    remove(...args);
  };
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  const kinds = ["returns", "throws"] as const;
  const calls = Array.from({ length: 100 }, (_, index): PlannedCall => ({
    kind: index % 10 === 0 ? "writer" : "reader",
    mode: "read",
    isTransformed: false,
    ms: 0,
    end: kinds[index % 2] ?? "returns",
  }));
  const dispatcher = dispatcherFor([calls], [], 10, createClock());
  for (let turn = 0; turn < 100; turn++) {
    const results = await dispatcher.dispatch(
      calls.map((call, index) => toCall(call, 0, index)),
      { signal },
    );
    expect(results).toHaveLength(100);
  }
  await sleep(5);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
  expect(listeners).toBe(0);
});
