import type { CallPatch, CallRecord, CallStatus, CallStore, ExpectedCall, TurnRecord } from "../calls/call-store.js";
import { memoryCallStore } from "../calls/memory-call-store.js";
import type { DispatchEvent } from "../dispatch/state/dispatcher-types.js";

/** Ends a step before it runs a call that may run only once: DBOS must first record that the call is about to run. */
export class AboutToRun extends Error {
  readonly turn: TurnRecord;

  constructor(turn: TurnRecord) {
    super("The call is about to run.");
    this.turn = turn;
  }
}

interface StepTurn {
  readonly store: CallStore;
  readonly mayRun: boolean;
}

/** Keeps turns for as long as a step lasts; DBOS keeps what a step answers. Its turns have one call each. */
export class StepStore implements CallStore {
  readonly #turns: Map<string, StepTurn> = new Map();
  /** Ids of calls that continue in another step, so that their `settled` event only ends a step. */
  readonly #goingOn: Set<string> = new Set();

  /** Has a turn until `step` ends. With `mayRun`, a call that may run only once does. */
  async during<Value>(
    turnId: string,
    { turn, mayRun }: { readonly turn: TurnRecord | undefined; readonly mayRun: boolean },
    step: () => Promise<Value>,
  ): Promise<Value> {
    if (this.#turns.has(turnId)) throw new Error(`The turn "${turnId}" runs in this process already.`);
    const store = memoryCallStore();
    this.#turns.set(turnId, { store, mayRun });
    try {
      if (turn !== undefined) await store.open(turn);
      return await step();
    } finally {
      this.#turns.delete(turnId);
    }
  }

  async setUp(): Promise<void> {}

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
    const { store, mayRun } = this.#of(turnId);
    const waits = to === "reserved" && patch.repeatable === "no" && !mayRun;
    // What was permitted is kept, so that it runs next without its hooks.
    if (!waits) return store.advance(turnId, callId, from, to, patch);
    if (!(await store.advance(turnId, callId, from, "allowed", { ...patch, lease: null }))) return false;
    this.#goingOn.add(callId);
    throw new AboutToRun((await store.read(turnId)) as TurnRecord);
  }

  async questions(filter: Parameters<CallStore["questions"]>[0]): ReturnType<CallStore["questions"]> {
    const found = await Promise.all([...this.#turns.values()].map(({ store }) => store.questions(filter)));
    return found.flat();
  }

  async records(): ReturnType<CallStore["records"]> {
    return [];
  }

  /** Whether an event is the end of a step, and not of its call. */
  isEndOfStep({ type, callId }: DispatchEvent): boolean {
    return type === "settled" && this.#goingOn.delete(callId);
  }

  #of(turnId: string): StepTurn {
    const turn = this.#turns.get(turnId);
    if (turn === undefined) throw new Error(`The turn "${turnId}" does not run in this process.`);
    return turn;
  }
}

/** A turn whose call was started by a run that has ended. */
export function leftBehind(turn: TurnRecord): TurnRecord {
  const lease = { owner: "a run that ended", until: turn.openedAt };
  return { ...turn, calls: turn.calls.map((call): CallRecord => ({ ...call, state: "reserved", lease })) };
}
