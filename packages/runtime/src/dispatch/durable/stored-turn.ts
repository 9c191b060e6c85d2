import { sha256 } from "../../json/sha256.js";
import type { CallPatch, CallRecord, CallStatus, CallStore } from "../../calls/call-store.js";
import { withTimeout } from "../scheduling/with-timeout.js";
import { definitionDigest } from "../permissions/definition-digest.js";
import type { ToolEntry } from "../state/tool-snapshot.js";

/** What a dispatcher needs to keep its turns. */
export interface DurableSettings {
  readonly store: CallStore;
  readonly principal: string | undefined;
  readonly questionTtlMs: number;
  readonly leaseMs: number;
  /** The most milliseconds of a request to the store. */
  readonly timeoutMs: number;
  readonly toolDigests: WeakMap<ToolEntry, string>;
}

/** One run of a stored turn: the requests that its calls make of the store, and the leases that they hold. */
export class StoredTurn {
  readonly settings: DurableSettings;
  readonly turnId: string;
  readonly principal: string | undefined;
  /** Names this run in leases. */
  readonly owner: string;
  /** Why the store can no longer be relied upon. */
  failure: { readonly error: unknown } | undefined;
  readonly #onFailure: Set<() => void> = new Set();

  constructor(settings: DurableSettings, turnId: string, principal: string | undefined) {
    this.settings = settings;
    this.turnId = turnId;
    this.principal = principal;
    this.owner = sha256([turnId, Date.now(), Math.random(), Math.random()].join(" ")).slice(0, 32);
  }

  /** Calls a listener once, when the store fails. */
  onFailure(listener: () => void): void {
    if (this.failure === undefined) this.#onFailure.add(listener);
    else listener();
  }

  read(callId: string): Promise<CallRecord> {
    return this.#request(async ({ store }) => {
      const found = (await store.read(this.turnId))?.calls.find((call) => call.callId === callId);
      if (found === undefined) throw new Error(`the call store no longer has a call of the turn "${this.turnId}"`);
      return found;
    });
  }

  advance(from: CallRecord, to: CallStatus, patch: CallPatch): Promise<boolean> {
    return this.#request(({ store }) => store.advance(this.turnId, from.callId, from, to, patch));
  }

  lease(): CallRecord["lease"] & object {
    return { owner: this.owner, until: new Date(Date.now() + this.settings.leaseMs).toISOString() };
  }

  toolDigest(entry: ToolEntry): string {
    const { toolDigests } = this.settings;
    let digest = toolDigests.get(entry);
    if (digest === undefined) toolDigests.set(entry, (digest = definitionDigest(entry)));
    return digest;
  }

  async #request<Value>(make: (settings: DurableSettings) => Promise<Value>): Promise<Value> {
    try {
      return await withTimeout(make(this.settings), { milliseconds: this.settings.timeoutMs });
    } catch (error) {
      this.failure ??= { error };
      for (const listener of this.#onFailure) listener();
      this.#onFailure.clear();
      throw error;
    }
  }
}
