import { createGate, type Gate, type GateMode, type Release } from "@hasp/runtime";
import { sha256 } from "@hasp/base/json";
import type { PostgresPool } from "./postgres-pool.js";

/** A connection that belongs to its user until released, like a `PoolClient` of `pg`. */
export interface PostgresConnection extends PostgresPool {
  release(destroy?: boolean): void;
  on?(event: "error", listener: (error: Error) => void): unknown;
}

export interface PostgresConnections {
  connect(): PromiseLike<PostgresConnection>;
}

/** The time for which consecutive readers share one lock, after which a waiting process has its turn. */
const LONGEST_SHARED_MS = 500;

const LOCK = { shared: "select pg_advisory_lock_shared($1)", exclusive: "select pg_advisory_lock($1)" } as const;

/**
 * Creates a gate for all processes that name it on one database: readers share it and any other call holds it alone.
 * It is an advisory lock, which Postgres releases when the connection ends. A process holds one connection of `pool`
 * while it holds the gate or waits for it, so the pool needs more connections than gates. A running call continues if
 * the connection is lost, without the lock.
 */
export function postgresGate(pool: PostgresConnections, name: string): Gate {
  if (typeof name !== "string" || name === "") throw new TypeError("postgresGate needs a name.");
  const local = createGate();
  const lock = new AdvisoryLock(pool, keyOf(name));
  return {
    enter(mode) {
      const ticket = local.enter(mode);
      let isWithdrawn = false;
      const granted = ticket.granted.then((leave) => (isWithdrawn ? leave : enterDatabase(lock, mode, leave)));
      // After a withdrawal, nobody listens.
      granted.catch(() => undefined);
      return {
        granted,
        withdraw() {
          isWithdrawn = true;
          ticket.withdraw();
          granted.then(
            (release) => release(),
            () => undefined,
          );
        },
      };
    },
    abandon: local.abandon,
    releaseAbandoned: local.releaseAbandoned,
    abandonedCall: local.abandonedCall,
  };
}

async function enterDatabase(lock: AdvisoryLock, mode: GateMode, leave: Release): Promise<Release> {
  try {
    const unlock = await lock.take(mode);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      void unlock().then(leave);
    };
  } catch (error) {
    leave();
    throw error;
  }
}

/** The lock of one process. The local gate ensures that its holders are readers together, or one writer. */
class AdvisoryLock {
  readonly #pool: PostgresConnections;
  readonly #key: string;
  readonly #heard: WeakSet<PostgresConnection> = new WeakSet();
  #shared: SharedLock | undefined;

  constructor(pool: PostgresConnections, key: string) {
    this.#pool = pool;
    this.#key = key;
  }

  async take(mode: GateMode): Promise<() => Promise<void>> {
    if (mode === "exclusive") return this.#lock(mode);
    let shared = this.#shared;
    while (shared !== undefined && Date.now() >= shared.closesAt) {
      // The last of its readers lets others in before it is taken again.
      await shared.ended;
      shared = this.#shared;
    }
    if (shared === undefined) {
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      shared = { unlock: this.#lock(mode), ended, end, readers: 0, closesAt: Date.now() + LONGEST_SHARED_MS };
      this.#shared = shared;
    }
    shared.readers += 1;
    try {
      await shared.unlock;
    } catch (error) {
      await this.#leave(shared);
      throw error;
    }
    return () => this.#leave(shared);
  }

  async #leave(shared: SharedLock): Promise<void> {
    shared.readers -= 1;
    if (shared.readers > 0) return;
    this.#shared = undefined;
    await shared.unlock.then(
      (unlock) => unlock(),
      () => undefined,
    );
    shared.end();
  }

  async #lock(mode: GateMode): Promise<() => Promise<void>> {
    const connection = await this.#pool.connect();
    // Without a listener, the loss of a connection would end the process.
    if (!this.#heard.has(connection)) connection.on?.("error", () => undefined);
    this.#heard.add(connection);
    try {
      await connection.query(LOCK[mode], [this.#key]);
    } catch (error) {
      connection.release(true);
      throw error;
    }
    return async () => {
      try {
        await connection.query("select pg_advisory_unlock_all()");
        connection.release();
      } catch {
        connection.release(true);
      }
    };
  }
}

interface SharedLock {
  readonly unlock: Promise<() => Promise<void>>;
  readonly ended: Promise<void>;
  readonly end: () => void;
  readonly closesAt: number;
  readers: number;
}

/** Returns the 64 bits that identify the lock in Postgres. */
function keyOf(name: string): string {
  return BigInt.asIntN(64, BigInt(`0x${sha256(`hasp gate ${name}`).slice(0, 16)}`)).toString();
}
