import type { CallLease, CallPatch, CallRecord, CallStatus } from "@hasp/runtime/call-store";

/** The part of a stored turn by which its leases are renewed. */
interface LeasingTurn {
  readonly owner: string;
  readonly settings: { readonly leaseMs: number };
  lease(): CallLease;
  read(callId: string): Promise<CallRecord>;
  advance(from: CallRecord, to: CallStatus, patch: CallPatch): Promise<boolean>;
}

export interface HeldCall {
  record: CallRecord;
  renewing: Promise<void> | undefined;
}

/** The leases of one run, renewed with its turn, so that a slow call does not look like a dead one. */
export class Leases {
  readonly #turn: LeasingTurn;
  readonly #held: Set<HeldCall> = new Set();

  constructor(turn: LeasingTurn) {
    this.#turn = turn;
  }

  hold(record: CallRecord): HeldCall {
    const held: HeldCall = { record, renewing: undefined };
    this.#held.add(held);
    return held;
  }

  letGo(held: HeldCall): Promise<void> | undefined {
    this.#held.delete(held);
    return held.renewing;
  }

  async close(): Promise<void> {
    for (const held of this.#held) await this.letGo(held);
  }

  renewAll(): void {
    for (const held of this.#held) {
      // Store the result anyway if possible: the turn already knows that the store fails.
      held.renewing ??= this.#renew(held)
        .catch(() => void this.#held.delete(held))
        .then(() => {
          held.renewing = undefined;
        });
    }
  }

  async #renew(held: HeldCall): Promise<void> {
    const lease = this.#turn.lease();
    const { record } = held;
    if (await this.#turn.advance(record, "reserved", { lease })) {
      held.record = { ...record, lease, version: record.version + 1 };
    } else {
      // Another run took this one for dead.
      this.#held.delete(held);
    }
  }
}

/** Waits while another run holds a call. Returns the call once it is settled or the lease has expired. */
export async function waitForOwner(turn: LeasingTurn, record: CallRecord): Promise<CallRecord> {
  let now = record;
  while (isHeldByOther(now, turn)) {
    await delay(Math.min(1000, Math.max(10, turn.settings.leaseMs / 10)));
    now = await turn.read(record.callId);
  }
  return now;
}

/** True if another run executes a call, as far as its lease tells. */
export function isHeldByOther({ state, lease }: CallRecord, { owner }: Pick<LeasingTurn, "owner">): boolean {
  return (
    state === "reserved" && lease !== undefined && lease.owner !== owner && new Date(lease.until).getTime() > Date.now()
  );
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
