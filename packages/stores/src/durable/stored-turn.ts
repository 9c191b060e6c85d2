import type {
  CallLease,
  CallPatch,
  CallRecord,
  CallStatus,
  CallStore,
  RunOutcome,
  TurnRecord,
} from "@hasp/runtime/call-store";
import type { ToolCall } from "@hasp/runtime";
import type { ProgramPast, SettledProgramCall } from "@hasp/runtime/extension";
import { LONGEST_TIMER } from "@hasp/runtime/internal";
import {
  digestDefinition,
  type InputDigests,
  type StoredProgram,
  TimeoutError,
  type ToolEntry,
} from "@hasp/runtime/internal/durable";
import type { DurableOptions } from "./durable-options.js";
import { Leases } from "./lease.js";
import { createNestedTurnId, createTurnRecord, hasCallsOf } from "./turn-record.js";

export interface DurableSettings extends Pick<
  DurableOptions,
  "store" | "mayAnswer" | "allowUnseenInput" | "digestKey"
> {
  readonly questionTtlMs: number;
  readonly externalTtlSeconds: number;
  readonly leaseMs: number;
  /** Limits a request to the store. */
  readonly timeoutMs: number;
  readonly toolDigests: WeakMap<ToolEntry, string>;
  readonly inputDigests: InputDigests;
  /** Adds the labels of settled calls to their conversation, unless it has them. */
  readonly recallLabels: (conversation: string, calls: readonly CallRecord[]) => Promise<void>;
  /** Runs a turn of one call of a program. */
  readonly runNested: (given: {
    readonly record: TurnRecord;
    readonly begin: Begin;
    readonly questionTurnId: string;
    readonly nextOrder: () => number;
    readonly onSettled: (call: CallRecord) => void;
  }) => Promise<RunOutcome>;
}

type Begin = Parameters<StoredProgram["run"]>[2];
type WaitingOutcome = Extract<RunOutcome, { readonly status: "waiting" }>;

interface OpenRequest {
  readonly since: number;
  readonly reject: (error: unknown) => void;
}

export class StoredTurn {
  readonly settings: DurableSettings;
  readonly turnId: string;
  readonly principal: string | undefined;
  readonly conversation: string;
  readonly owner: string;
  /** The turn that people know and hosts resume: for a program's call, the program's turn. */
  readonly questionTurnId: string;
  /** Numbers the calls of a program as they settle. */
  readonly nextOrder: (() => number) | undefined;
  readonly leases: Leases;
  /** The error after which the store can no longer be relied upon. */
  failure: { readonly error: unknown } | undefined;
  readonly #onFailure: Set<() => void> = new Set();
  readonly #requests: Set<OpenRequest> = new Set();
  #timer: unknown;
  #lease: { readonly since: number; readonly lease: CallLease } | undefined;

  constructor(
    settings: DurableSettings,
    turnId: string,
    principal: string | undefined,
    conversation: string,
    {
      questionTurnId = turnId,
      nextOrder,
    }: { readonly questionTurnId?: string; readonly nextOrder?: () => number } = {},
  ) {
    this.settings = settings;
    this.turnId = turnId;
    this.principal = principal;
    this.conversation = conversation;
    this.questionTurnId = questionTurnId;
    this.nextOrder = nextOrder;
    this.owner = crypto.randomUUID();
    this.leases = new Leases(this);
  }

  onFailure(listener: () => void): void {
    if (this.failure === undefined) this.#onFailure.add(listener);
    else listener();
  }

  /** Records that the store has failed elsewhere: in a call of a program of this turn. */
  fail(error: unknown): void {
    this.failure ??= { error };
    for (const listener of this.#onFailure) listener();
    this.#onFailure.clear();
  }

  /** Opens a turn of a call of a program, or reads it. */
  openNested(record: TurnRecord): Promise<TurnRecord | undefined> {
    return this.#request(async (store) => ((await store.open(record)) ? record : store.read(record.turnId)));
  }

  readNested(turnId: string): Promise<TurnRecord | undefined> {
    return this.#request((store) => store.read(turnId));
  }

  read(callId: string): Promise<CallRecord> {
    return this.#request(async (store) => {
      const found = (await store.read(this.turnId))?.calls.find((call) => call.callId === callId);
      if (found === undefined) throw new Error(`the call store no longer has a call of the turn "${this.turnId}"`);
      return found;
    });
  }

  advance(from: CallRecord, to: CallStatus, patch: CallPatch): Promise<boolean> {
    return this.#request((store) => store.advance(from.turnId, from.callId, from, to, patch));
  }

  /** Returns a lease from now on. Calls that begin within one twentieth of it share one. */
  lease(): CallLease {
    const now = Date.now();
    const { leaseMs } = this.settings;
    if (this.#lease === undefined || now < this.#lease.since || now - this.#lease.since >= leaseMs / 20) {
      const until = new Date(now + leaseMs).toISOString();
      this.#lease = { since: now, lease: Object.freeze({ owner: this.owner, until }) };
    }
    return this.#lease.lease;
  }

  toolDigest(entry: ToolEntry): string {
    const { toolDigests } = this.settings;
    let digest = toolDigests.get(entry);
    if (digest === undefined) toolDigests.set(entry, (digest = digestDefinition(entry)));
    return digest;
  }

  /** Starts the timer that renews leases and gives up requests that take too long. */
  open(): void {
    const { leaseMs, timeoutMs } = this.settings;
    this.#timer = setTimeout(
      () => {
        this.#giveUpLate();
        this.leases.renewAll();
        this.open();
      },
      Math.min(LONGEST_TIMER, leaseMs / 3, timeoutMs / 4),
    );
  }

  /** Stops renewing leases, then stops the timer, which meanwhile still gives up late requests. */
  async close(): Promise<void> {
    await this.leases.close();
    clearTimeout(this.#timer);
  }

  #giveUpLate(): void {
    const { timeoutMs } = this.settings;
    const latest = Date.now() - timeoutMs;
    for (const request of this.#requests) if (request.since <= latest) this.#fail(request, new TimeoutError(timeoutMs));
  }

  #request<Value>(make: (store: CallStore) => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const request = { since: Date.now(), reject };
      this.#requests.add(request);
      try {
        make(this.settings.store).then(
          (value) => {
            this.#requests.delete(request);
            resolve(value);
          },
          (error: unknown) => this.#fail(request, error),
        );
      } catch (error) {
        this.#fail(request, error);
      }
    });
  }

  #fail(request: OpenRequest, error: unknown): void {
    this.#requests.delete(request);
    this.fail(error);
    request.reject(error);
  }
}

/** The calls of a program, each a stored turn of its own, with the results of earlier runs. */
export class StoredCalls implements StoredProgram {
  /** True if an earlier run has begun the program. */
  isRepeated = false;
  isSuspended = false;
  mayHaveWritten = false;
  readonly #turn: StoredTurn;
  readonly #callId: string;
  readonly #waiting: Map<TurnRecord, WaitingOutcome> = new Map();
  readonly #settledCalls: CallRecord[] = [];
  #past: readonly TurnRecord[] = [];
  #settled = 0;

  constructor(turn: StoredTurn, callId: string) {
    this.#turn = turn;
    this.#callId = callId;
  }

  /** The calls of a program that waits. */
  get waiting(): readonly WaitingOutcome[] {
    return this.isSuspended ? [...this.#waiting.values()] : [];
  }

  async load(): Promise<ProgramPast> {
    const past: TurnRecord[] = [];
    while (this.isRepeated) {
      const turn = await this.#read(past.length + 1);
      if (turn === undefined) break;
      past.push(turn);
    }
    this.#past = past;
    const calls = past.flatMap((turn) => turn.calls);
    this.mayHaveWritten = calls.some(({ repeatable = "reads" }) => repeatable !== "reads");
    const order = calls.flatMap((call) => call.order ?? []).toSorted((a, b) => a - b);
    this.#settled = order.at(-1) ?? 0;
    return { calls: past.length, order };
  }

  isSame(n: number, call: ToolCall): boolean {
    const earlier = this.#past[n - 1];
    return earlier === undefined || this.#hasCallsOf(earlier, this.#recordOf(n, call));
  }

  async run(n: number, call: ToolCall, begin: Begin): Promise<SettledProgramCall | undefined> {
    const made = this.#recordOf(n, call);
    try {
      const record = this.#past[n - 1] ?? (await this.#turn.openNested(made));
      if (record === undefined || !this.#hasCallsOf(record, made) || record.principal !== made.principal) {
        throw new Error(`The call store has another call as ${made.turnId}.`);
      }
      return await this.#drive(record, begin);
    } catch (error) {
      this.#turn.fail(error);
      throw error;
    }
  }

  suspend(): void {
    this.isSuspended = true;
  }

  async close(begin: Begin): Promise<void> {
    if (this.isSuspended || this.#turn.failure !== undefined) return;
    for (const record of this.#waiting.keys()) await this.#drive(record, begin).catch(() => undefined);
  }

  /** Removes the results of a settled program's calls, the first call's last. */
  async forget(): Promise<void> {
    if (this.#settledCalls.length === 0) await this.#findForgotten();
    const first = this.#turnIdOf(1);
    const isFirst = ({ turnId }: CallRecord): boolean => turnId === first;
    const calls = this.#settledCalls.splice(0);
    for (const some of [calls.filter((call) => !isFirst(call)), calls.filter(isFirst)]) {
      await Promise.all(some.map((call) => this.#turn.advance(call, call.state, { result: null })));
    }
  }

  /** Finds the results that a process left behind when it died after settling the program. */
  async #findForgotten(): Promise<void> {
    const first = await this.#read(1);
    if (first?.calls[0]?.result === undefined) return;
    this.isRepeated = true;
    await this.load();
    this.#settledCalls.push(...this.#past.flatMap(({ calls }) => calls));
  }

  /** Reads the turn of a call. One of another principal, which a host may have opened by this id, is none. */
  async #read(n: number): Promise<TurnRecord | undefined> {
    const turn = await this.#turn.readNested(this.#turnIdOf(n));
    return turn?.principal === this.#turn.principal ? turn : undefined;
  }

  async #drive(record: TurnRecord, begin: Begin): Promise<SettledProgramCall | undefined> {
    let order = record.calls[0]?.order;
    const outcome = await this.#turn.settings.runNested({
      record,
      begin,
      questionTurnId: this.#turn.questionTurnId,
      nextOrder: () => (order = this.#settled += 1),
      onSettled: (call) => this.#settledCalls.push(call),
    });
    const [result] = outcome.results;
    if (outcome.status === "waiting") this.#waiting.set(record, outcome);
    return result && { result, order: order ?? (this.#settled += 1) };
  }

  #recordOf(n: number, call: ToolCall): TurnRecord {
    const { principal, conversation, settings } = this.#turn;
    const { digestKey } = settings;
    return createTurnRecord(this.#turnIdOf(n), [call], { principal, conversation, digestKey });
  }

  #hasCallsOf(stored: TurnRecord, made: TurnRecord): boolean {
    return hasCallsOf(stored, made, this.#turn.settings.digestKey);
  }

  #turnIdOf(n: number): string {
    return createNestedTurnId(this.#turn.turnId, `${this.#callId}.${n}`);
  }
}
