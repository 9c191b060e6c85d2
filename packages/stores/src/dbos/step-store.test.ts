import { expect, test } from "vitest";
import { createDispatcher, type DispatcherOptions, type PermissionRule } from "@hasp/runtime";
import type { TurnRecord } from "@hasp/runtime/call-store";
import { durableCalls } from "../durable/durable-calls.js";
import { callsOf, writer } from "../durable/durable.testing.js";
import { leaveBehind, type MayRun, StepStore } from "./step-store.js";

type Counts = "READ_ONLY" | "WRITE_EXCLUSIVE" | "UNSAFE";

/** The version of the host that runs a step. */
interface Version {
  readonly counts: Counts;
  readonly rules?: readonly PermissionRule[];
  readonly guard?: "allow" | "silent";
}

interface Step {
  readonly turn: TurnRecord | undefined;
  readonly mayRun: MayRun;
  readonly answer?: boolean;
}

const row = (counts: Counts, now: Counts, requiresPermission: boolean): object => ({
  when: () => counts === now,
  class: counts,
  isDestructive: false,
  requiresPermission,
});

/** Runs one step in a process of its own. A call of `counts: "UNSAFE"` may destroy and asks. */
async function runStep({ counts, rules = [], guard }: Version, { turn, mayRun, answer }: Step) {
  const store = new StepStore(undefined);
  const durable = durableCalls({ store });
  const reasons: string[] = [];
  let executions = 0;
  const act = writer("act", () => (executions += 1), {
    concurrency: {
      rules: ["READ_ONLY", "WRITE_EXCLUSIVE"].map((each) => row(each as Counts, counts, guard !== undefined)) as never,
    },
    behavior: { isDestructive: true, requiresPermission: true, isIdempotent: false } as never,
  });
  const options: DispatcherOptions = {
    tools: [act],
    flow: "off",
    extensions: [durable],
    permissions: { rules },
    hooks: { guard: guard === "allow" ? [() => ({ decision: "allow", reason: "a guard allows it" })] : [] },
    onEvent: (event) => void (event.type === "permitted" && reasons.push(event.reason)),
  };
  const turns = createDispatcher(options).use(durable);
  const step = await store.during("t", { turn, mayRun }, async () => {
    if (turn === undefined) await turns.run(callsOf("act"), { turnId: "t" });
    if (answer === true) {
      const [question] = await store.questions({});
      await turns.answer(String(question?.id), { decision: "allow" });
    }
    return turns.resume("t");
  });
  return { ...step, end: step.value.results[0]?.error?.code ?? "ran", executions, reasons };
}

const ASKS: PermissionRule = { tool: "act", decision: "ask" };
const DENIES: PermissionRule = { tool: "act", decision: "deny" };
const ALLOWS: PermissionRule = { tool: "act", decision: "allow" };

test.each<[string, Version, Version, string]>([
  ["as it was", { counts: "WRITE_EXCLUSIVE" }, { counts: "WRITE_EXCLUSIVE" }, "it needs no permission"],
  ["as harmful", { counts: "WRITE_EXCLUSIVE" }, { counts: "UNSAFE" }, "policy-changed"],
  ["asked about", { counts: "WRITE_EXCLUSIVE" }, { counts: "WRITE_EXCLUSIVE", rules: [ASKS] }, "policy-changed"],
  ["denied", { counts: "WRITE_EXCLUSIVE" }, { counts: "WRITE_EXCLUSIVE", rules: [DENIES] }, "policy-changed"],
  ["allowed by a rule", { counts: "WRITE_EXCLUSIVE" }, { counts: "UNSAFE", rules: [ALLOWS] }, "a rule allows it"],
  ["no longer allowed", { counts: "UNSAFE", rules: [ALLOWS] }, { counts: "UNSAFE" }, "policy-changed"],
  [
    "allowed by a guard, whose hook does not run again",
    { counts: "WRITE_EXCLUSIVE", guard: "allow" },
    { counts: "WRITE_EXCLUSIVE", guard: "silent" },
    "a guard allows it",
  ],
  [
    "as harmful, after a guard allowed it",
    { counts: "WRITE_EXCLUSIVE", guard: "allow" },
    { counts: "UNSAFE", guard: "silent" },
    "policy-changed",
  ],
])("a call that nobody was asked about is judged by the process that executes it: %s", async (_now, was, is, end) => {
  const { handedOver } = await runStep(was, { turn: undefined, mayRun: "none" });
  const { reasons, ...step } = await runStep(is, { turn: handedOver, mayRun: "any" });
  expect(step.end === "ran" ? reasons : [step.end]).toEqual([end]);
  expect(step.executions).toBe(step.end === "ran" ? 1 : 0);
  // After a crash, a call that may run only once is not even judged.
  const repeated = await runStep(is, { turn: handedOver && leaveBehind(handedOver), mayRun: "any" });
  expect([repeated.end, repeated.executions]).toEqual(["process-lost", 0]);
});

test.each<[Counts, string]>([
  ["WRITE_EXCLUSIVE", "ran"],
  ["UNSAFE", "tool-changed"],
])("an answered call that is handed over and now counts as %s ends as %s", async (counts, end) => {
  const was: Version = { counts: "WRITE_EXCLUSIVE", guard: "silent" };
  const { handedOver } = await runStep(was, { turn: undefined, mayRun: "none", answer: true });
  const step = await runStep({ counts, guard: "silent" }, { turn: handedOver, mayRun: "any" });
  expect([step.end, step.reasons]).toEqual([end, end === "ran" ? ["a person allowed it"] : []]);
});
