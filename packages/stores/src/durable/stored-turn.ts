import type {
  CallLease,
  CallPatch,
  CallRecord,
  CallStatus,
  CallStore,
  TurnRecord,
  RunOutcome,
} from "@hasp/runtime/call-store";
import { LONGEST_TIMER } from "@hasp/runtime/internal";
import { TimeoutError, digestDefinition, type BeginNested, type ToolEntry } from "@hasp/runtime/internal/durable";
import { Leases } from "./lease.js";

export interface DurableSettings {
  readonly store: CallStore;
  readonly questionTtlMs: number;
  readonly leaseMs: number;
  readonly allowUnseenInput: boolean;
  /** Limits a request to the store. */
  readonly timeoutMs: number;
  readonly toolDigests: WeakMap<ToolEntry, string>;
  /** Adds the labels of settled calls to their conversation, unless it has them. */
  readonly recallLabels: (conversation: string, calls: readonly CallRecord[]) => Promise<void>;
  /** Runs a turn of one call of a program. */
  readonly runNested: (given: {
    readonly record: TurnRecord;
    readonly begin: BeginNested;
    readonly questionTurnId: string;
    readonly nextOrder: () => number;
    readonly onSettled: (call: CallRecord) => void;
  }) => Promise<RunOutcome>;
}

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
