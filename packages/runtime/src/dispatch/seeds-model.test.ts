import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { buildTool } from "../tool/tool.js";
import type { ToolResult } from "../tool/definition.js";
import { seedTurn, type SeedCall, type SeedEnd } from "./seeds-model.testing.js";
import { createEquippedDispatcher as createDispatcher, sleep } from "./tools.testing.js";

// Where `seeds-model.testing.ts` speaks, the dispatcher agrees with it. Left out, because hasp deliberately differs:
// - One description permits after the hooks, so that a call that both refuse would name the hook. Rules come first, and a
//   person last, so that nobody is asked about a call that something else refuses.
// - One runs all safe calls of a turn before all others, and returns results in that order. hasp keeps the order of the
//   calls, as the others do: a reader never overtakes a writer.
// - One lets a read-only tool run beside a writer if all others of the turn are safe as they arrive. Here batches decide.
// - One runs post-hooks of calls that were refused. Here they see executions only, since a refused call has no result.
// - One lets a hook that throws end the whole turn. Here it ends its call, and every call has a result.
// - Two defaults are mild there: a tool that says nothing of itself is not destructive, and is permitted. Here it is both
//   destructive and in need of permission.

const mostly = (usual: boolean): fc.Arbitrary<boolean> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(!usual) });
const call: fc.Arbitrary<SeedCall> = fc.record({
  isKnown: mostly(true),
  fitsSchema: mostly(true),
  safety: fc.constantFrom("safe", "safe", "safe", "unsafe", "throws"),
  fitsMeaning: mostly(true),
  isPermitted: mostly(true),
  isBlocked: mostly(false),
  fails: mostly(false),
});

interface Input {
  readonly index: number;
}

/** The period in which a handler ran, in virtual milliseconds. */
interface Span {
  readonly start: number;
  end: number;
}

/** Runs a turn of the planned calls, each of them for 100 ms. */
async function run(
  calls: readonly SeedCall[],
  maxConcurrency: number,
): Promise<{ readonly results: readonly ToolResult[]; readonly spans: ReadonlyMap<number, Span> }> {
  const spans = new Map<number, Span>();
  const planned = (input: unknown): SeedCall => {
    const found = calls[(input as Input).index];
    if (found === undefined) throw new Error("an unplanned call");
    return found;
  };
  const tool = buildTool<Input>({
    name: "work",
    description: "Works.",
    input: { type: "object", required: ["index"], properties: { index: { type: "integer" } } },
    concurrency: {
      rules: [
        {
          when: (input) => {
            const { safety } = planned(input);
            if (safety === "throws") throw new Error("no answer");
            return safety === "safe";
          },
          class: "READ_ONLY",
        },
      ],
    },
    behavior: { isOpenWorld: false },
    validate: [(input) => planned(input).fitsMeaning || "it has no meaning"],
    execute: async ({ index }) => {
      const span = { start: Date.now(), end: Infinity };
      spans.set(index, span);
      await sleep(100);
      span.end = Date.now();
      if (planned({ index }).fails) throw new Error("it fails");
      return "done";
    },
  });
  const dispatcher = createDispatcher({
    tools: [tool],
    maxConcurrency,
    permissions: {
      rules: [
        { tool: "*", when: (input: unknown) => !planned(input).isPermitted, decision: "deny" },
        { tool: "work", decision: "allow" },
      ],
    },
    hooks: { guard: ({ input }) => (planned(input).isBlocked ? { block: "planned" } : undefined) },
  });
  const running = dispatcher.dispatch(
    calls.map(({ isKnown, fitsSchema }, index) => ({
      id: String(index),
      name: isKnown ? "work" : "no_such_tool",
      input: fitsSchema ? { index } : { index: "first" },
    })),
  );
  await vi.runAllTimersAsync();
  return { results: await running, spans };
}

describe("what the descriptions that hasp began with decide", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("the dispatcher agrees with the older descriptions: results in order, phases, batches and their cap", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 10 }), fc.integer({ min: 1, max: 4 }), async (calls, cap) => {
        const { batches, ends } = seedTurn(calls);
        const { results, spans } = await run(calls, cap);
        expect(results.map(({ callId }) => callId)).toEqual(calls.map((_call, index) => String(index)));
        expect(
          results.map(({ error }): SeedEnd | undefined => (error?.phase as SeedEnd | undefined) ?? "done"),
        ).toEqual(ends);
        const expected = [...ends.keys()].filter((index) => ends[index] === "execute" || ends[index] === "done");
        expect([...spans.keys()].toSorted((a, b) => a - b)).toEqual(expected);

        // Batches run one after the other; within one, as many calls at once as the cap allows.
        let from = Math.min(...[...spans.values()].map(({ start }) => start));
        for (const batch of batches) {
          const ran = batch.flatMap((index) => spans.get(index) ?? []);
          ran.forEach(({ start }, place) => expect(start).toBe(from + 100 * Math.floor(place / cap)));
          from = Math.max(from, ...ran.map(({ end }) => end));
        }
      }),
    );
  });

  test("the dispatcher splits the example of the descriptions as they do: two searches, a write, two searches", () => {
    const safe: SeedCall = {
      isKnown: true,
      fitsSchema: true,
      safety: "safe",
      fitsMeaning: true,
      isPermitted: true,
      isBlocked: false,
      fails: false,
    };
    const turn = [safe, safe, { ...safe, safety: "unsafe" as const }, safe, safe];
    expect(seedTurn(turn).batches).toEqual([[0, 1], [2], [3, 4]]);
  });
});
