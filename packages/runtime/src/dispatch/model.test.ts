import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PermissionRequest, ToolCall, ToolResult, AnyTool } from "../tool/definition.js";
import { buildTool } from "../tool/tool.js";
import { expectedTurn, SPELLINGS, type PlannedCall, type PlannedHost } from "./model.testing.js";
import { createPermissions } from "./permissions/create-permissions.js";
import type { LivePermissions, PermissionRule, Permissions } from "./permissions/permission-types.js";
import type { Dispatcher, DispatcherOptions } from "./state/dispatcher-types.js";
import { createEquippedDispatcher as createDispatcher, sleep, type Options } from "./tools.testing.js";

const runs = (usual: number): number => Number(process.env["HASP_FUZZ_RUNS"] ?? usual);

/** A period in which a handler ran; it ends when a reader is told to stop. */
interface Span {
  readonly id: string;
  readonly turn: number;
  readonly index: number;
  readonly isReader: boolean;
  readonly resource: string | undefined;
  readonly start: number;
  readonly startedAt: number;
  end: number;
  endedAt: number;
}

/** In virtual time: a handler that times out settles half a second later, within its grace period. */
const TIMEOUT_SECONDS = 1;
const LATE_MS = 1500;

const TOOLS = ["reader", "writer", "keyed", "shell", "destroyer", "either", "unclassifiable"] as const;
const sometimes = (most: number): fc.Arbitrary<number> => fc.oneof(fc.constant(0), fc.integer({ min: 0, max: most }));
const mostly = <Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...others) });

const plannedCall: fc.Arbitrary<PlannedCall> = fc.record({
  fault: mostly<PlannedCall["fault"]>("none", "unknown", "broken-json", "invalid"),
  tool: fc.oneof(
    { weight: 5, arbitrary: fc.constant("reader" as const) },
    { weight: 4, arbitrary: fc.constant("keyed" as const) },
    fc.constantFrom(...TOOLS),
  ),
  path: fc.constantFrom(...SPELLINGS),
  otherPath: fc.constantFrom(...SPELLINGS),
  mode: fc.constantFrom("read", "write"),
  isTransformed: fc.boolean(),
  requiresPermission: fc.boolean(),
  semantic: mostly<PlannedCall["semantic"]>("holds", "fails"),
  rule: mostly<PlannedCall["rule"]>("none", "allow", "ask", "deny", "throws"),
  permit: mostly<PlannedCall["permit"]>("allow", "ask", "deny"),
  guard: mostly<PlannedCall["guard"]>("none", "block", "allow", "allow-destructive", "ask", "deny"),
  check: fc.constantFrom("allow", "ask", "deny"),
  person: fc.constantFrom("allow", "allow", "deny", "later"),
  semanticMs: sometimes(200),
  hookMs: sometimes(100),
  checkMs: sometimes(300),
  personMs: sometimes(3000),
  executeMs: sometimes(300),
  end: mostly<PlannedCall["end"]>("returns", "throws", "times-out"),
});
const host: fc.Arbitrary<PlannedHost> = fc.record({
  mode: mostly<PlannedHost["mode"]>("ask", "plan", "accept-writes", "unattended"),
  hasCheck: fc.boolean(),
  hasPerson: mostly(true, false),
});
const turns = fc.array(fc.array(plannedCall, { maxLength: 8 }), { minLength: 1, maxLength: 4 });

/** A reader that runs at once. */
const plainCall: PlannedCall = {
  fault: "none",
  tool: "reader",
  path: "a.txt",
  otherPath: "a.txt",
  mode: "read",
  isTransformed: false,
  requiresPermission: false,
  semantic: "holds",
  rule: "none",
  permit: "allow",
  guard: "none",
  check: "allow",
  person: "allow",
  semanticMs: 0,
  hookMs: 0,
  checkMs: 0,
  personMs: 0,
  executeMs: 0,
  end: "returns",
};
const plainHost: PlannedHost = { mode: "ask", hasCheck: false, hasPerson: false };

const input = {
  type: "object",
  required: ["turn", "index"],
  properties: {
    turn: { type: "integer" },
    index: { type: "integer" },
    mode: { enum: ["read", "write"] },
    path: { type: "string" },
  },
  additionalProperties: false,
} as const;

interface Input {
  readonly turn: number;
  readonly index: number;
  readonly mode?: "read" | "write";
  readonly path?: string;
}

/** A question or a check: the call it was about, and when it was open. */
interface Inquiry {
  readonly id: string;
  readonly start: number;
  end: number;
}

/** A dispatcher whose tools, hooks, checks and person follow the plan, and a log of events. */
interface World {
  readonly dispatcher: Dispatcher;
  readonly permissions: LivePermissions;
  readonly spans: Span[];
  readonly questions: Inquiry[];
  readonly checks: Inquiry[];
  run(turn: number, options?: { readonly signal?: AbortSignal }): Promise<readonly ToolResult[]>;
}

interface Watch {
  /** Called when a handler starts and when a person is asked. */
  readonly onStart?: (id: string, tool: string, isReader: boolean) => void;
  readonly onQuestion?: (request: PermissionRequest) => void;
}

function worldOf(
  plan: readonly (readonly PlannedCall[])[],
  { mode, hasCheck, hasPerson }: PlannedHost,
  {
    maxConcurrency,
    maxOpenQuestions,
  }: Pick<DispatcherOptions, "maxConcurrency"> & Pick<Permissions, "maxOpenQuestions">,
  watch: Watch = {},
): World {
  const spans: Span[] = [];
  const questions: Inquiry[] = [];
  const checks: Inquiry[] = [];
  let ticks = 0;
  // Strictly increasing, so that later notes have later times.
  const clock = (): number => (ticks += 1);
  const planned = (value: unknown): PlannedCall => {
    const { turn, index } = value as Input;
    const call = plan[turn]?.[index];
    if (call === undefined) throw new Error("an unplanned call");
    return call;
  };
  /** Returns the value itself, not a promise, if the plan leaves no time. */
  const after = <Value>(ms: number, value: () => Value): Value | Promise<Value> =>
    ms === 0 ? value() : sleep(ms).then(value);

  function execute(value: Input, { signal, class: callClass, callId }: Options): string | Promise<string> {
    const { turn, index } = value;
    const call = planned(value);
    const isReader = callClass === "READ_ONLY";
    if (call.tool === "either") expect(value.mode === "read").toBe(isReader);
    watch.onStart?.(callId, call.tool, isReader);
    const span: Span = {
      id: callId,
      turn,
      index,
      isReader,
      resource: call.tool === "keyed" ? value.path : undefined,
      start: clock(),
      startedAt: Date.now(),
      end: Infinity,
      endedAt: Infinity,
    };
    spans.push(span);
    const over = (): void => {
      if (span.end !== Infinity) return;
      span.end = clock();
      span.endedAt = Date.now();
    };
    if (isReader) signal.addEventListener("abort", over);
    const finish = (): string => {
      over();
      if (call.end === "throws") throw new Error("planned");
      return "ok";
    };
    return after(call.end === "times-out" ? LATE_MS : call.executeMs, finish);
  }
  const throws = (): never => {
    throw new Error("a rule that throws");
  };
  const tool = (name: (typeof TOOLS)[number], concurrency: object, behavior: object = {}): AnyTool =>
    buildTool<Input>({
      name,
      description: "d",
      input,
      concurrency,
      behavior: {
        requiresPermission: { when: (value) => planned(value).requiresPermission },
        isDestructive: false,
        isOpenWorld: false,
        ...behavior,
      },
      limits: { timeoutSeconds: TIMEOUT_SECONDS },
      validate: [
        (value) => {
          const { semantic, semanticMs } = planned(value);
          return after(semanticMs, () => (semantic === "holds" ? true : "it fails"));
        },
      ],
      permit: (request) => planned(request.input).permit,
      execute,
    });
  const tools = [
    tool("reader", { class: "READ_ONLY" }, { isDestructive: undefined }),
    tool("writer", { class: "WRITE_EXCLUSIVE" }),
    tool("keyed", { class: "WRITE_EXCLUSIVE", key: "path(input.path)" }),
    tool("shell", {}),
    tool("destroyer", { class: "WRITE_EXCLUSIVE" }, { isDestructive: true }),
    tool("either", { rules: [{ when: (value: Input) => value.mode === "read", class: "READ_ONLY" }] }),
    tool("unclassifiable", { rules: [{ when: throws, class: "READ_ONLY" }] }),
  ];
  const rule = (name: string, decision: PlannedCall["rule"]): PermissionRule => ({
    tool: name,
    when: ((value: Input) => {
      const { rule: wanted } = planned(value);
      if (wanted === "throws") throw new Error("a rule that throws");
      return wanted === decision;
    }) as never,
    decision: decision as "allow",
  });
  /** Records the start and end of an inquiry. */
  const inquire = <Value>(
    list: Inquiry[],
    { callId, signal }: PermissionRequest,
    ms: number,
    value: Value,
  ): Value | Promise<Value> => {
    const inquiry: Inquiry = { id: callId, start: clock(), end: Infinity };
    list.push(inquiry);
    const over = (): void => {
      if (inquiry.end === Infinity) inquiry.end = clock();
    };
    signal.addEventListener("abort", over);
    return after(ms, () => {
      over();
      return value;
    });
  };
  const permissions = createPermissions({
    mode,
    maxOpenQuestions,
    rules: [rule("*", "deny"), rule("*", "ask"), ...TOOLS.map((name) => rule(name, "allow"))],
    ...(hasCheck && {
      check: (request: PermissionRequest) => {
        const { check, checkMs } = planned(request.input);
        return inquire(checks, request, checkMs, check);
      },
    }),
    ...(hasPerson && {
      ask: (request: PermissionRequest) => {
        watch.onQuestion?.(request);
        const { person, personMs } = planned(request.input);
        return inquire(questions, request, personMs, person);
      },
    }),
  });
  const dispatcher = createDispatcher({
    tools,
    permissions,
    hooks: {
      transform: ({ input: value, toolName }) => {
        const { turn, index, mode: sent } = value as Input;
        if (toolName === "keyed" && planned(value).isTransformed) {
          return { input: { turn, index, path: planned(value).otherPath } };
        }
        if (toolName !== "either" || !planned(value).isTransformed) return undefined;
        return { input: { turn, index, mode: sent === "read" ? "write" : "read" } };
      },
      guard: ({ input: value }) => {
        const { guard, hookMs } = planned(value);
        return after(hookMs, () => {
          if (guard === "none") return undefined;
          if (guard === "block") return { block: "planned" };
          if (guard === "allow-destructive") {
            return { decision: "allow", reason: "planned", destructive: true } as const;
          }
          return { decision: guard, reason: "planned" } as const;
        });
      },
      post: () => undefined,
    },
    maxConcurrency,
  });
  return {
    dispatcher,
    permissions,
    spans,
    questions,
    checks,
    run: (turn, turnOptions) =>
      dispatcher.dispatch(
        (plan[turn] ?? []).map((call, index) => toCall(call, turn, index)),
        turnOptions,
      ),
  };
}

function toCall({ fault, tool, mode, path }: PlannedCall, turn: number, index: number): ToolCall {
  const id = `${turn}/${index}`;
  if (fault === "broken-json") return { id, name: tool, input: '{"turn":' };
  if (fault === "invalid") return { id, name: tool, input: { turn, index: "first" } };
  if (fault === "unknown") return { id, name: "no_such_tool", input: {} };
  if (tool === "keyed") return { id, name: tool, input: { turn, index, path } };
  return { id, name: tool, input: tool === "either" ? JSON.stringify({ turn, index, mode }) : { turn, index } };
}

/** Returns the results of turns, running every timer as soon as nothing else is left to do. */
async function inVirtualTime<Value>(pending: readonly Promise<Value>[]): Promise<Value[]> {
  const all = Promise.all(pending);
  await vi.runAllTimersAsync();
  return all;
}

function expectNoUnsafeOverlap(spans: readonly Span[]): void {
  for (const one of spans) {
    for (const other of spans) {
      if (one === other || (one.isReader && other.isReader) || writeDifferentFiles(one, other)) continue;
      expect(one.end < other.start || other.end < one.start, JSON.stringify([one, other])).toBe(true);
    }
  }
}

/** Compares spellings by what their files are called, without the code under test. */
function writeDifferentFiles({ resource: one = "" }: Span, { resource: other = "" }: Span): boolean {
  const [left, right] = [one, other].map((path) => /[abc]\.txt$/iu.exec(path)?.[0].toLowerCase());
  return left !== undefined && right !== undefined && left !== right;
}

function mostAtOnce(spans: readonly { readonly start: number; readonly end: number }[]): number {
  return Math.max(
    0,
    ...spans.map((span) => spans.filter((other) => other.start <= span.start && span.start < other.end).length),
  );
}

const eventSubject = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

/** Asserts the invariants of every world. */
function expectSound({ spans, questions, checks }: World, cap: number, maxOpenQuestions: number): void {
  expectNoUnsafeOverlap(spans);
  expect(mostAtOnce(spans)).toBeLessThanOrEqual(cap);
  expect(mostAtOnce(questions), "open questions").toBeLessThanOrEqual(maxOpenQuestions);
  expect(mostAtOnce(checks), "checks at once").toBeLessThanOrEqual(cap);
  for (const list of [spans, questions, checks]) {
    expect(new Set(eventSubject(list)).size, "nothing twice").toBe(list.length);
  }
}

describe("in virtual time", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const cap = fc.integer({ min: 1, max: 4 });
  const openQuestions = fc.integer({ min: 1, max: 3 });

  test("several turns at once do what the reference model says", async () => {
    await fc.assert(
      fc.asyncProperty(turns, host, cap, openQuestions, async (plan, planned, maxConcurrency, maxOpenQuestions) => {
        const world = worldOf(plan, planned, { maxConcurrency, maxOpenQuestions });
        const all = await inVirtualTime(plan.map((_calls, turn) => world.run(turn)));

        plan.forEach((calls, turn) => {
          const expected = expectedTurn(calls, planned);
          const those = (isMeant: (call: (typeof expected)[number]) => boolean): string[] =>
            expected.flatMap((call, index) => (isMeant(call) ? [`${turn}/${index}`] : []));
          const ofTurn = (list: readonly { readonly id: string }[]): string[] =>
            eventSubject(list).filter((id) => id.startsWith(`${turn}/`));
          expect((all[turn] ?? []).map(({ callId, error }) => [callId, error?.code])).toEqual(
            expected.map(({ code }, index) => [`${turn}/${index}`, code]),
          );
          expect(ofTurn(world.spans).toSorted()).toEqual(those(({ runs }) => runs));
          expect(ofTurn(world.checks).toSorted()).toEqual(those(({ isChecked }) => isChecked));
          expect(ofTurn(world.questions), "questions are asked in call order").toEqual(those(({ isAsked }) => isAsked));
          const own = world.spans.filter((span) => span.turn === turn);
          for (const span of own) {
            expect(span.isReader).toBe(expected[span.index]?.isReader);
            for (const other of own) {
              const [mine, theirs] = [expected[span.index]?.batch ?? 0, expected[other.index]?.batch ?? 0];
              // A call that times out ends before its handler, which holds only its own file.
              if (calls[span.index]?.end === "times-out" && writeDifferentFiles(span, other)) continue;
              if (mine < theirs) expect(span.end, "batches run in order").toBeLessThan(other.start);
            }
          }
        });
        expectSound(world, maxConcurrency, maxOpenQuestions);
        const results = new Map(all.flat().map((result) => [result.callId, result]));
        for (const span of world.spans) {
          const result = results.get(span.id);
          // For the dispatcher, a call that timed out ended before its handler did.
          if (result?.error?.code === "timeout") continue;
          const others = world.spans.filter((other) => other !== span);
          const overlaps = others.some(
            (other) =>
              other.startedAt < span.endedAt &&
              span.startedAt < other.endedAt &&
              results.get(other.id)?.error?.code !== "timeout",
          );
          const touches = others.some((other) => other.startedAt <= span.endedAt && span.startedAt <= other.endedAt);
          if (overlaps) expect(result?.wasConcurrent, span.id).toBe(true);
          if (!touches) expect(result?.wasConcurrent, span.id).toBe(false);
        }
      }),
      { numRuns: runs(40) },
    );
  });

  test("no reader waits for the question of another call", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plannedCall, { minLength: 1, maxLength: 8 }), host, async (calls, planned) => {
        const readers = calls.map((call): PlannedCall => ({ ...call, tool: "reader", fault: "none" }));
        const starts = async (personMs: number): Promise<ReadonlyMap<string, number>> => {
          const plan = [readers.map((call) => ({ ...call, personMs }))];
          const world = worldOf(plan, planned, { maxConcurrency: 10 });
          const begun = Date.now();
          await inVirtualTime([world.run(0)]);
          return new Map(world.spans.map((span) => [span.id, span.startedAt - begun]));
        };
        const [quick, slow] = [await starts(0), await starts(1_000_000)];
        expectedTurn(readers, planned).forEach(({ runs, isAsked }, index) => {
          if (runs && !isAsked) expect(slow.get(`0/${index}`)).toBe(quick.get(`0/${index}`));
        });
      }),
      { numRuns: runs(30) },
    );
  });

  const change = fc.record({
    afterMs: fc.integer({ min: 0, max: 2000 }),
    kind: fc.constantFrom("deny", "allow", "revoke", "mode", "mode"),
    tool: fc.constantFrom(...TOOLS),
    mode: fc.constantFrom("plan", "ask", "accept-writes", "unattended"),
  });
  const ends = fc.option(fc.record({ afterMs: fc.integer({ min: 0, max: 3000 }), isInterrupt: fc.boolean() }));

  test("nothing starts and nobody is asked against the permissions of that moment, whatever changes while calls run", async () => {
    await fc.assert(
      fc.asyncProperty(
        turns,
        host,
        cap,
        openQuestions,
        fc.array(change, { maxLength: 6 }),
        ends,
        async (plan, planned, maxConcurrency, maxOpenQuestions, changes, end) => {
          const holds = (tool: string, isReader: boolean): void => {
            const { permissions } = world;
            expect(
              permissions.list().filter((standing) => standing.decision === "deny" && standing.tool === tool),
            ).toEqual([]);
            if (permissions.mode === "plan") expect(isReader).toBe(true);
          };
          const world: World = worldOf(
            plan,
            planned,
            { maxConcurrency, maxOpenQuestions },
            {
              onStart: (_id, tool, isReader) => holds(tool, isReader),
              onQuestion: (request) => {
                holds(request.toolName, request.class === "READ_ONLY");
                expect(world.permissions.mode).not.toBe("unattended");
                const { turn, index } = request.input as Input;
                const call = plan[turn]?.[index];
                expect(call?.semantic).toBe("holds");
                expect(["deny", "throws"]).not.toContain(call?.rule);
                expect(["block", "deny"]).not.toContain(call?.guard);
                expect(call?.permit).not.toBe("deny");
                const isDecided = call?.guard === "ask" || call?.permit === "ask" || call?.rule === "ask";
                if (planned.hasCheck && !isDecided) expect(call?.check).toBe("ask");
              },
            },
          );
          const controller = new AbortController();
          const pending = plan.map((_calls, turn) => world.run(turn, { signal: controller.signal }));
          for (const { afterMs, kind, tool, mode } of changes) {
            setTimeout(() => {
              const { permissions } = world;
              if (kind === "deny") permissions.deny(tool);
              else if (kind === "allow") permissions.allow({ tool }, { until: "session", reason: "r", by: "b" });
              else if (kind === "mode") permissions.mode = mode;
              else permissions.revoke(permissions.list()[0]?.id ?? "");
            }, afterMs);
          }
          if (end !== null) {
            setTimeout(() => (end.isInterrupt ? world.dispatcher.interrupt() : controller.abort()), end.afterMs);
          }
          const all = await inVirtualTime(pending);

          all.forEach((results, turn) => {
            expect(results.map((result) => result.callId)).toEqual(
              (plan[turn] ?? []).map((_call, index) => `${turn}/${index}`),
            );
            for (const [index, result] of results.entries()) {
              const ran = world.spans.some((span) => span.turn === turn && span.index === index);
              if (!ran) expect(result).toMatchObject({ isError: true, durationMs: 0, error: { effect: "none" } });
              if (!result.isError) expect(ran).toBe(true);
            }
          });
          expectSound(world, maxConcurrency, maxOpenQuestions);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test("a turn fed call by call, with pauses, answers like one that is dispatched", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(plannedCall, { maxLength: 8 }),
        host,
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 8 }),
        async (calls, planned, pauses) => {
          const world = worldOf([calls], planned, { maxConcurrency: 3 });
          const turn = world.dispatcher.openTurn();
          for (const [index, call] of calls.entries()) {
            turn.push(toCall(call, 0, index));
            if ((pauses[index] ?? 0) > 0) await vi.advanceTimersByTimeAsync(pauses[index] ?? 0);
          }
          const [results = []] = await inVirtualTime<readonly ToolResult[]>([turn.end()]);
          expect(results.map(({ callId, error }) => [callId, error?.code])).toEqual(
            expectedTurn(calls, planned).map(({ code }, index) => [`0/${index}`, code]),
          );
          expectSound(world, 3, 1);
        },
      ),
      { numRuns: runs(40) },
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
    ...plainCall,
    tool: index % 10 === 0 ? "writer" : "reader",
    end: kinds[index % 2] ?? "returns",
  }));
  const dispatcher = worldOf([calls], plainHost, { maxConcurrency: 10 }).dispatcher;
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
