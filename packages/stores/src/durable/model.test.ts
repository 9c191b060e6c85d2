import { describe, expect, test } from "vitest";
import type { CallStore, RunOutcome } from "@hasp/runtime/call-store";
import { type ToolDefinition, buildTool, type AnyTool } from "@hasp/runtime";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { createHost as createDispatcher, anyObject, sleep, type Host } from "./durable.testing.js";
import { crashPlaces, expectedLife, type PlannedLife } from "./model.testing.js";

const LEASE_SECONDS = 0.2;

const plans = (["reads", "with-key", "no"] as const).flatMap((kind) =>
  [false, true].flatMap((isAsked) =>
    (isAsked ? (["allow", "deny", "expires"] as const) : (["allow"] as const)).flatMap((answer) =>
      (["nothing", "tool", "policy"] as const).flatMap((change) => {
        const life = { kind, isAsked, answer, change };
        return crashPlaces(life).map((crash): PlannedLife => ({ ...life, crash }));
      }),
    ),
  ),
);

/** A store that hangs, with everything that waits for it, from the crash until `bury` is called. */
function crashing(
  store: CallStore,
  crash: PlannedLife["crash"],
): CallStore & { readonly crashed: Promise<void>; readonly bury: () => void } {
  let transitions = 0;
  let isDead = false;
  let die = (): void => undefined;
  const crashed = new Promise<void>((resolve) => (die = resolve));
  let bury = (): void => undefined;
  const never = new Promise<never>((_resolve, reject) => {
    bury = () => reject(new Error("the process is dead"));
  });
  never.catch(() => undefined);
  const living = async <Value>(make: () => Promise<Value>): Promise<Value> => (isDead ? never : make());
  return {
    crashed,
    bury,
    setUp: () => store.setUp(),
    open: (turn) => living(() => store.open(turn)),
    read: (turnId) => living(() => store.read(turnId)),
    questions: (filter) => living(() => store.questions(filter)),
    records: (filter) => living(() => store.records(filter)),
    async advance(turnId, callId, from, to, patch) {
      if (isDead) return never;
      const isNext = (typeof from === "string" ? from : from.state) !== to && transitions++ === crash?.at;
      if (!isNext) return store.advance(turnId, callId, from, to, patch);
      isDead = true;
      if (crash.isStored) await store.advance(turnId, callId, from, to, patch);
      die();
      return never;
    },
  };
}

async function live(plan: PlannedLife): Promise<ReturnType<typeof expectedLife>> {
  const store = memoryCallStore();
  let executions = 0;
  const keys = new Set<string>();
  const toolOf = (description: string): AnyTool =>
    buildTool({
      name: "act",
      description,
      input: anyObject,
      concurrency: { class: plan.kind === "reads" ? "READ_ONLY" : "WRITE_EXCLUSIVE" },
      behavior: {
        requiresPermission: plan.isAsked,
        isDestructive: false,
        ...(plan.kind !== "reads" && { isIdempotent: plan.kind === "with-key" ? "withKey" : false }),
      } as ToolDefinition["behavior"] & object,
      execute: (_input, { idempotencyKey }) => {
        executions += 1;
        keys.add(idempotencyKey);
        return "done";
      },
    });
  const dispatcherOf = (callStore: CallStore, tool: AnyTool, isDenied: boolean): Host =>
    createDispatcher({
      tools: [tool as never],
      callStore,
      leaseSeconds: LEASE_SECONDS,
      questionTtlSeconds: plan.answer === "expires" ? 0.05 : 1000,
      hookTimeoutMs: 2 ** 31,
      permissions: { rules: isDenied ? [{ tool: "act", decision: "deny", reason: "no longer" }] : [] },
    });
  const calls = [{ id: "1", name: "act", input: { a: 1 } }];

  const doomed = crashing(store, plan.crash);
  const first = dispatcherOf(doomed, toolOf("Acts."), false);
  await Promise.race([first.run(calls, { turnId: "t" }), doomed.crashed]);

  const changed = plan.change === "tool" ? "Acts otherwise." : "Acts.";
  const second = dispatcherOf(store, toolOf(changed), plan.change === "policy");
  const answer = async (): Promise<void> => {
    const questions = await store.questions({ isOpen: true });
    if (plan.answer === "expires") return sleep(60);
    for (const { id } of questions) {
      expect(await second.answer(id, { decision: plan.answer })).toEqual({ accepted: true });
    }
  };
  await answer();
  let outcome: RunOutcome = await second.resume("t");
  if (outcome.status === "waiting") {
    await answer();
    outcome = await second.resume("t");
  }
  expect(outcome.status).toBe("settled");
  // A settled turn always gives the same answer.
  expect(await second.resume("t")).toEqual(outcome);
  expect(await second.run(calls, { turnId: "t" })).toEqual(outcome);
  expect(keys.size).toBeLessThanOrEqual(1);
  const [result] = outcome.results;
  const records = await store.records({ turnId: "t" });
  // Its timers would outlive the test.
  doomed.bury();
  return {
    states: records.map(({ to }) => to),
    executions,
    questions: (await store.questions({ turnId: "t" })).length,
    code: result?.error?.code,
    effect: result?.error?.effect as "none",
  };
}

describe("a stored call, killed at every transition, ends as the reference says", () => {
  test.concurrent.each(plans.map((plan) => [JSON.stringify(plan), plan] as const))(
    "a stored call, killed at every transition, ends as the reference says: %s",
    async (_name, plan) => {
      expect(await live(plan)).toEqual(expectedLife(plan));
    },
  );
});
