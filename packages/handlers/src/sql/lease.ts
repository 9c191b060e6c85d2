import { messageOf } from "../../../runtime/src/results/text.js";
import { NotExecuted } from "@hasp/runtime";
import type { PgClient, PooledSqlClient, SqlClient, SqlPool } from "./clients.js";
import { rolledBack } from "./errors.js";
import type { Session, SqlAnswer, Statement } from "./statement.js";

/** The time for a cancelled statement to end before its connection is closed. */
const CANCEL_MS = 400;

/** The same for a commit, which cannot be cancelled. */
const COMMIT_MS = 5000;

interface LeaseOptions {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly sessionOf: (client: SqlClient) => Session;
}

/** The current reaction to an abort: one listener serves the whole call. */
interface Stop {
  action: (() => void) | undefined;
}

/**
 * Runs a statement on a connection of its own. An abort cancels the statement in the database. The pool closes a
 * connection whose state may have changed.
 */
export async function onLease(pool: SqlPool, statement: Statement, options: LeaseOptions): Promise<SqlAnswer> {
  const { signal } = options;
  const stop: Stop = { action: undefined };
  const onAbort = (): void => stop.action?.();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const client = await connect(pool, stop, options);
    return await run(pool, client, statement, stop, options);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function connect(pool: SqlPool, stop: Stop, { name, signal }: LeaseOptions): Promise<PooledSqlClient> {
  return new Promise((resolve, reject) => {
    const connecting = pool.connect();
    stop.action = () => {
      // A connection that is still being opened goes back to the pool.
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      reject(new NotExecuted(`it was stopped while it waited for a connection: ${messageOf(signal.reason)}`));
    };
    connecting.then(
      (client) => {
        if (!signal.aborted) resolve(client);
      },
      (error: unknown) => reject(rolledBack(name, error)),
    );
  });
}

function run(
  pool: SqlPool,
  client: PooledSqlClient,
  statement: Statement,
  stop: Stop,
  { signal, sessionOf }: LeaseOptions,
): Promise<SqlAnswer> {
  const session = sessionOf(client);
  const emitter = client as Partial<Emitter>;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReleased = false;
  const release = (destroy: boolean): void => {
    if (isReleased) return;
    isReleased = true;
    emitter.removeListener?.("error", ignore);
    client.release(destroy);
  };
  // A lost connection also rejects the query that is running.
  emitter.on?.("error", ignore);
  return new Promise((resolve, reject) => {
    const closeIn = (milliseconds: number): void => {
      timer = setTimeout(() => {
        if (session.isCommitting && milliseconds !== COMMIT_MS) return closeIn(COMMIT_MS);
        release(true);
        if (session.isCommitting) reject(new Error("the connection was closed while the change was being committed"));
        else reject(new NotExecuted(`it was stopped and rolled back: ${messageOf(signal.reason)}`));
      }, milliseconds);
    };
    stop.action = () => {
      if (!session.isCommitting) void cancel(pool, client);
      closeIn(session.isCommitting ? COMMIT_MS : CANCEL_MS);
    };
    const end = (): void => {
      stop.action = undefined;
      clearTimeout(timer);
      // A late cancellation could hit the next statement.
      release(!session.isClean || signal.aborted);
    };
    session.run(statement, signal).then(
      (answer) => {
        end();
        resolve(answer);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
  });
}

interface Emitter {
  on(event: "error", listener: () => void): void;
  removeListener(event: "error", listener: () => void): void;
}

function ignore(): void {}

/** Asks the database, over another connection, to cancel a connection's statement. */
async function cancel(pool: SqlPool, client: PooledSqlClient): Promise<void> {
  const { processID } = client as Partial<PgClient>;
  if (typeof processID !== "number") return;
  try {
    const other = await pool.connect();
    try {
      await other.query("SELECT pg_cancel_backend($1)", [processID]);
    } finally {
      other.release();
    }
  } catch {
    // Its connection is closed instead.
  }
}
