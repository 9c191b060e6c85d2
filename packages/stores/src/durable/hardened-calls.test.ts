import { afterEach, expect, test } from "vitest";
import type { AnyTool, PermissionRule } from "@hasp/runtime";
import type { CallStore } from "@hasp/runtime/call-store";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { callsOf, createHost, type Host, writer } from "./durable.testing.js";

/** Functions that end the calls of processes that look dead, and their turns: an open turn keeps a timer. */
const release: (() => void)[] = [];
const dead: Promise<unknown>[] = [];
afterEach(async () => {
  for (const end of release.splice(0)) end();
  await Promise.allSettled(dead.splice(0));
});

interface World {
  readonly ran: string[];
  /** The class of each call; a call that is `UNSAFE` may destroy. */
  counts: "READ_ONLY" | "WRITE_EXCLUSIVE" | "UNSAFE";
  readonly store: CallStore;
  process(rules?: readonly PermissionRule[]): Host;
  /** Lets the process that runs the call look dead. */
  endLease(): Promise<void>;
}

function worldOf(start: World["counts"], requiresPermission: boolean, hangs = false): World {
  const store = memoryCallStore();
  const world: World = {
    ran: [],
    counts: start,
    store,
    process: (rules = []) =>
      createHost({
        tools: [tool] as readonly AnyTool[] as never,
        callStore: store,
        leaseSeconds: 1,
        permissions: { rules },
      }),
    endLease: async () => {
      const call = (await store.read("t"))?.calls[0];
      if (call === undefined) throw new Error("there is no call");
      const lease = { owner: "dead", until: new Date(0).toISOString() };
      await store.advance("t", call.callId, call, "reserved", { lease });
    },
  };
  const row = (name: World["counts"]): object => ({
    when: () => world.counts === name,
    class: name,
    isDestructive: false,
    requiresPermission,
  });
  const tool = writer(
    "act",
    async () => {
      world.ran.push(world.counts);
      if (hangs && world.ran.length === 1) await new Promise<void>((end) => void release.push(end));
      return "done";
    },
    {
      concurrency: { rules: [row("READ_ONLY"), row("WRITE_EXCLUSIVE")] as never },
      behavior: { isDestructive: true, requiresPermission: true },
    },
  );
  return world;
}

test.each([
  ["READ_ONLY", "UNSAFE", "tool-changed"],
  ["READ_ONLY", "WRITE_EXCLUSIVE", "tool-changed"],
  ["WRITE_EXCLUSIVE", "UNSAFE", "tool-changed"],
  ["UNSAFE", "READ_ONLY", "ran"],
  ["WRITE_EXCLUSIVE", "WRITE_EXCLUSIVE", "ran"],
] as const)("a person's answer about a call that was %s ends, now that it is %s, as %s", async (was, is, end) => {
  const world = worldOf(was, true);
  const outcome = await world.process().run(callsOf("act"), { turnId: "t" });
  const id = outcome.status === "waiting" ? outcome.questions[0]?.id : undefined;
  await world.process().answer(String(id), { decision: "allow" });
  world.counts = is;
  const { results } = await world.process().resume("t");
  expect(results.map(({ error }) => error?.code ?? "ran")).toEqual([end]);
  expect(world.ran).toEqual(end === "ran" ? [is] : []);
});

test.each<[string, readonly PermissionRule[], string | undefined]>([
  ["no rule", [], "policy-changed"],
  ["a rule that allows it", [{ tool: "act", decision: "allow" }], undefined],
])(
  "a question that nobody answered, as a rule allowed its call meanwhile, is no answer after a crash under %s",
  async (_what, rules, code) => {
    const world = worldOf("READ_ONLY", true, true);
    await world.process().run(callsOf("act"), { turnId: "t" });
    dead.push(world.process([{ tool: "act", decision: "allow" }]).resume("t"));
    await expect.poll(() => world.ran).toHaveLength(1);
    await world.endLease();
    const { results } = await world.process(rules).resume("t");
    expect(results.map(({ error }) => error?.code)).toEqual([code]);
    expect(world.ran).toHaveLength(code === undefined ? 2 : 1);
  },
);

test.each([
  [{ reason: "the permissions allow it" }, "policy-changed"],
  [{ reason: "fine" }, undefined],
] as const)("an earlier version's record of %j, decided by `ask`, ends as %s", async (said, code) => {
  const world = worldOf("READ_ONLY", true);
  const outcome = await world.process().run(callsOf("act"), { turnId: "t" });
  const [call] = (await world.store.read("t"))?.calls ?? [];
  await world.store.advance("t", String(call?.callId), "asked", "allowed", { decidedBy: "ask", ...said });
  const { results } = await world.process().resume("t");
  expect([outcome.status, results.map(({ error }) => error?.code)]).toEqual(["waiting", [code]]);
});

test.each<[World["counts"], readonly PermissionRule[], string | undefined, string | undefined]>([
  ["READ_ONLY", [], undefined, undefined],
  ["UNSAFE", [], "process-lost", "unknown"],
  ["READ_ONLY", [{ tool: "act", decision: "ask" }], "policy-changed", "none"],
  ["READ_ONLY", [{ tool: "act", decision: "allow" }], undefined, undefined],
])(
  "a call that a dead process began unasked as a reader, now %s under %j, ends as %s",
  async (is, rules, code, effect) => {
    const world = worldOf("READ_ONLY", false, true);
    dead.push(world.process().run(callsOf("act"), { turnId: "t" }));
    await expect.poll(() => world.ran).toHaveLength(1);
    await world.endLease();
    world.counts = is;
    const { results } = await world.process(rules).resume("t");
    expect(results.map(({ error }) => [error?.code, error?.effect])).toEqual([[code, effect]]);
    expect(world.ran).toHaveLength(code === undefined ? 2 : 1);
  },
);
