import type { ToolResult } from "@hasp/runtime";
import { memoryCallStore } from "../calls/memory-call-store.js";
import type { CallPatch, CallStatus, CallStore, ExpectedCall, LabelEntry, TurnRecord } from "@hasp/runtime/call-store";

/** The calls that a step may run: only repeatable ones, any, or none. */
export type MayRun = "repeatable" | "any" | "none";

interface StepTurn {
  readonly store: CallStore;
  readonly mayRun: MayRun;
  handedOver: TurnRecord | undefined;
}

interface StepEnd<Value> {
  readonly value: Value;
  readonly turn: TurnRecord | undefined;
  readonly handedOver: TurnRecord | undefined;
}

/** Keeps turns for as long as a step lasts; DBOS keeps the result of a step. Its turns have one call each. */
export class StepStore implements CallStore {
  readonly #turns: Map<string, StepTurn> = new Map();
  readonly #labels: CallStore | undefined;

  /** `labels` keeps the labels of conversations. Without it, both count in each. */
  constructor(labels: CallStore | undefined) {
    this.#labels = labels;
  }

  async during<Value>(
    turnId: string,
    { turn, mayRun }: { readonly turn: TurnRecord | undefined; readonly mayRun: MayRun },
    step: () => Promise<Value>,
  ): Promise<StepEnd<Value>> {
    if (this.#turns.has(turnId)) throw new Error(`The turn "${turnId}" is already running in this process.`);
    const stepTurn: StepTurn = { store: memoryCallStore(), mayRun, handedOver: undefined };
    this.#turns.set(turnId, stepTurn);
    try {
      if (turn !== undefined) await stepTurn.store.open(turn);
      const value = await step();
      return { value, turn: await stepTurn.store.read(turnId), handedOver: stepTurn.handedOver };
    } finally {
      this.#turns.delete(turnId);
    }
  }

  async setUp(): Promise<void> {
    await this.#labels?.setUp();
  }

  async addLabels(conversation: string, entries: readonly LabelEntry[]): Promise<void> {
    await this.#labels?.addLabels?.(conversation, entries);
  }

  async labels(conversation: string): Promise<readonly LabelEntry[]> {
    const labels = await this.#labels?.labels?.(conversation);
    if (labels === undefined) throw new Error("dbosTurns has no `labelStore`, so both labels count.");
    return labels;
  }

  async forget(conversation: string): Promise<void> {
    await this.#labels?.forget?.(conversation);
  }

  open(turn: TurnRecord): Promise<boolean> {
    return this.#of(turn.turnId).store.open(turn);
  }

  async read(turnId: string): Promise<TurnRecord | undefined> {
    return this.#turns.get(turnId)?.store.read(turnId);
  }

  async advance(
    turnId: string,
    callId: string,
    from: ExpectedCall,
    to: CallStatus,
    patch: CallPatch,
  ): Promise<boolean> {
    const stepTurn = this.#of(turnId);
    const { store, mayRun } = stepTurn;
    const isElsewhere = patch.awaited !== undefined;
    const isHere = mayRun === "any" || isElsewhere || (mayRun === "repeatable" && patch.repeatable !== "no");
    if (to !== "reserved" || isHere) return store.advance(turnId, callId, from, to, patch);
    // The permission is kept: the call runs next, without its hooks; this step's dispatcher neither runs nor reports
    // it.
    if (!(await store.advance(turnId, callId, from, "allowed", { ...patch, lease: null }))) return false;
    stepTurn.handedOver = await store.read(turnId);
    await store.advance(turnId, callId, "allowed", "settled", { result: elsewhere(callId) });
    return false;
  }

  async questions(filter: Parameters<CallStore["questions"]>[0]): ReturnType<CallStore["questions"]> {
    const found = await Promise.all([...this.#turns.values()].map(({ store }) => store.questions(filter)));
    return found.flat();
  }

  async records(): ReturnType<CallStore["records"]> {
    return [];
  }

  #of(turnId: string): StepTurn {
    const turn = this.#turns.get(turnId);
    if (turn === undefined) throw new Error(`The turn "${turnId}" does not run in this process.`);
    return turn;
  }
}

function elsewhere(callId: string): ToolResult {
  return { callId, toolName: "", isError: false, content: [], durationMs: 0, wasConcurrent: false };
}

/** Returns a turn as if the run that started its call had ended. */
export function leaveBehind(turn: TurnRecord): TurnRecord {
  const lease = { owner: "a run that ended", until: turn.openedAt };
  return { ...turn, calls: turn.calls.map((call) => ({ ...call, state: "reserved", lease })) };
}
