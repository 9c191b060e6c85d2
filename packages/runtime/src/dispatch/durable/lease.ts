import type { CallRecord } from "../../calls/call-store.js";
import { delay } from "./delay.js";
import type { StoredTurn } from "./stored-turn.js";

/** Renews the lease of a reserved call until it is stopped, so that a slow call is not taken for a dead one. */
export class Heartbeat {
  readonly #turn: StoredTurn;
  #record: CallRecord;
  #isOver = false;
  #timer: unknown;
  #renewing: Promise<void> | undefined;

  constructor(turn: StoredTurn, record: CallRecord) {
    this.#turn = turn;
    this.#record = record;
    this.#schedule();
  }

  /** Ends it. Resolves with the call as this run last knew it. */
  async stop(): Promise<CallRecord> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#renewing;
    return this.#record;
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#renewing = this.#renew().then(
        () => void (this.#isOver || this.#schedule()),
        // The turn was told; what was executed is stored all the same, if it can be.
        () => undefined,
      );
    }, this.#turn.settings.leaseMs / 3);
  }

  async #renew(): Promise<void> {
    const lease = this.#turn.lease();
    const { version } = this.#record;
    if (await this.#turn.advance(this.#record, "reserved", { lease })) {
      this.#record = { ...this.#record, lease, version: version + 1 };
    } else {
      // Somebody took this run for dead.
      this.#isOver = true;
    }
  }
}

/** Waits while another run holds a call. Answers with the call once it is settled, or the lease has run out. */
export async function waitForOwner(turn: StoredTurn, record: CallRecord): Promise<CallRecord> {
  let now = record;
  while (now.state === "reserved" && isHeld(now) && now.lease?.owner !== turn.owner) {
    await delay(Math.min(1000, Math.max(10, turn.settings.leaseMs / 10)));
    now = await turn.read(record.callId);
  }
  return now;
}

function isHeld({ lease }: CallRecord): boolean {
  return lease !== undefined && new Date(lease.until).getTime() > Date.now();
}
