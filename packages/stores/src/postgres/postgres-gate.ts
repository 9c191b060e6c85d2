import { createGate, type Gate, type GateMode, type Release } from "@hasp/runtime";
import { sha256 } from "@hasp/base/json";
import { type PostgresPool, queryRows } from "./postgres-pool.js";

/** A connection that belongs to its user until released, like a `PoolClient` of `pg`. */
interface PostgresConnection extends PostgresPool {
  release(destroy?: boolean): void;
  on?(event: "error", listener: (error: Error) => void): unknown;
}

interface PostgresConnections {
  connect(): PromiseLike<PostgresConnection>;
}

/** The time for which consecutive readers share one lock, after which a waiting process has its turn. */
const LONGEST_SHARED_MS = 500;

const LOCK_SHARED = "select pg_advisory_lock_shared($1)";
/** Locks the gate, then the lock of late calls, unless a late call has it. */
const LOCK_BOTH =
  "with gate as materialized (select pg_advisory_lock($1)) select pg_try_advisory_lock($2) as has_both from gate";
const UNLOCK_ALL = "select pg_advisory_unlock_all()";
/** Gives up the lock of late calls before the gate's: the next holder of the gate asks for both at once. */
const UNLOCK_BOTH =
  "with late as materialized (select pg_advisory_unlock($1)) select pg_advisory_unlock_all() from late";

/**
 * Creates a gate for all processes that name it on one database: readers share it and any other call holds it alone.
 * It is an advisory lock, which Postgres releases when the connection ends. A process holds one connection of `pool`
 * while it holds the gate or waits for it, and another while a call outlives its time limit, so the pool needs more than
 * two connections for each gate. A running call continues if the connection is lost, without the lock. The gate ignores
 * resources: a call that outlives its limit keeps out all writers, of all processes. `releaseAbandoned` knows only the
 * calls of its own process.
 */
export function postgresGate(pool: PostgresConnections, name: string): Gate {
  if (typeof name !== "string" || name === "") throw new TypeError("postgresGate needs a name.");
  const local = createGate();
  const lock = new AdvisoryLock(pool, name);
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
    abandon(callId, resource) {
      const call = local.abandon(callId, resource);
      lock.keepUntil(call.ended);
      return call;
    },
    releaseAbandoned: local.releaseAbandoned,
    abandonedCall: () => local.abandonedCall() ?? lock.abandonedElsewhere,
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
  readonly #keyOfLate: string;
  readonly #heard: WeakSet<PostgresConnection> = new WeakSet();
  #shared: SharedLock | undefined;
  /** The late calls of the present holder. */
  #late: Promise<void>[] = [];
  /** Resolves once the locks of the late calls that have ended are given up. */
  #returning: Promise<unknown> = Promise.resolve();
  /** Set if a late call was running when the present holder entered. */
  abandonedElsewhere: string | undefined;

  constructor(pool: PostgresConnections, name: string) {
    this.#pool = pool;
    this.#key = keyOf(`hasp gate ${name}`);
    this.#keyOfLate = keyOf(`hasp abandoned ${name}`);
  }

  /** Keeps writers of other processes out until a late call of the present holder has ended. */
  keepUntil(ended: Promise<void>): void {
    this.#late.push(ended);
    void ended.then(() => (this.#late = this.#late.filter((each) => each !== ended)));
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
    let hasBoth = false;
    try {
      if (mode === "shared") await connection.query(LOCK_SHARED, [this.#key]);
      else {
        // By now, a call of this process that has just ended counts as ended.
        await this.#returning;
        const [row] = await queryRows(connection, LOCK_BOTH, [this.#key, this.#keyOfLate]);
        hasBoth = row?.["has_both"] === true;
        this.abandonedElsewhere = hasBoth ? undefined : "of another process";
      }
    } catch (error) {
      connection.release(true);
      throw error;
    }
    const giveUp = async (): Promise<void> => {
      try {
        await (hasBoth ? connection.query(UNLOCK_BOTH, [this.#keyOfLate]) : connection.query(UNLOCK_ALL));
        connection.release();
      } catch {
        connection.release(true);
      }
    };
    return async () => {
      const late = mode === "exclusive" ? this.#late : [];
      if (late.length === 0) return giveUp();
      this.#late = [];
      void Promise.all(late).then(() => {
        this.#returning = Promise.all([this.#returning, giveUp()]);
      });
      try {
        await connection.query("select pg_advisory_unlock($1)", [this.#key]);
      } catch {
        // The lock ended with the connection.
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

/** Returns the 64 bits that identify a lock in Postgres. */
function keyOf(name: string): string {
  return BigInt.asIntN(64, BigInt(`0x${sha256(name).slice(0, 16)}`)).toString();
}
