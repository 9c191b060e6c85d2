import { isStructured } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";
import { messageOf, findSecrets } from "@hasp/runtime/internal";
import {
  isClient,
  isPgClient,
  isPool,
  type DriverResult,
  type PgDriverClient,
  type SqlClient,
  type SqlPool,
  type PooledSqlClient,
  readDatabaseUrl,
  openPool,
  type OwnPool,
} from "./clients.js";
import { createRollbackError } from "./errors.js";
import { PgSession, StatementFacts } from "./pg-session.js";
import { PlainSession, toJsonRows } from "./plain-session.js";
import { createAnswer, refuseStopped, type SqlAnswer, type Statement, type Session } from "./statement.js";

/** Settings of {@link sqlConnection}: its name, and one of `client`, `url` and `run`. */
export type SqlConnectionOptions<Context> = { readonly name: string } & (
  | {
      /** Returns the pool or the client in the host's context. */
      readonly client: (context: Context) => SqlPool | SqlClient;
    }
  | {
      /** The variable with the `postgres://` URL. The first call opens a pool of `pg`, which must be installed. */
      readonly url: { readonly env: string };
    }
  | {
      /** Answers statements in place of a database, for tests. */
      readonly run: (text: string, values: readonly unknown[]) => PromiseLike<DriverResult>;
    }
);

interface SqlRunOptions<Context> {
  readonly context: Context;
  /** Cancels the statement in the database. */
  readonly signal: AbortSignal;
}

/** A database that handlers share. */
export interface SqlConnection<Context = unknown> {
  readonly name: string;
  /** Runs one statement in its own transaction. Rejects with `NotExecuted` if the database certainly kept nothing. */
  run(statement: Statement, options: SqlRunOptions<Context>): Promise<SqlAnswer>;
  /** The parts of its URL to keep out of results. */
  readonly secrets: readonly string[];
  /** Ends the pool that the connection itself has opened. A later call opens another. */
  close(): Promise<void>;
}

export function sqlConnection<Context = unknown>(options: SqlConnectionOptions<Context>): SqlConnection<Context> {
  const { name } = options;
  const facts = new StatementFacts();
  const queues = new WeakMap<object, Promise<unknown>>();
  let own: Promise<OwnPool> | undefined;
  let secrets: readonly string[] = [];

  const memberOf = async (context: Context): Promise<unknown> => {
    if ("client" in options) {
      try {
        return await options.client(context);
      } catch (error) {
        throw new NotExecuted(`the host provided no database for ${name}: ${messageOf(error)}`, { cause: error });
      }
    }
    if (!("url" in options)) return undefined;
    if (own === undefined) {
      const url = readDatabaseUrl(name, options.url.env);
      secrets = findSecrets(url, [process?.env["PGPASSWORD"]]);
      own = openPool(name, url, options.url.env);
    }
    try {
      return await own;
    } catch (error) {
      own = undefined;
      throw error;
    }
  };

  const sessionOf = (client: SqlClient, isLeased = true): PgSession | PlainSession =>
    isPgClient(client)
      ? new PgSession(client as unknown as PgDriverClient, name, facts, isLeased)
      : new PlainSession(client, name, isLeased);

  async function onClient(client: SqlClient, statement: Statement, signal: AbortSignal): Promise<SqlAnswer> {
    const earlier = queues.get(client) ?? Promise.resolve();
    const running = earlier.then(() => {
      refuseStopped(signal);
      return sessionOf(client, false).run(statement, signal);
    });
    queues.set(
      client,
      running.catch(() => undefined),
    );
    return await running;
  }

  return {
    name,
    get secrets() {
      return secrets;
    },
    async run(statement, { context, signal }) {
      refuseStopped(signal);
      if ("run" in options) return await answered(name, options.run, statement);
      const member = await memberOf(context);
      if (isStructured(member)) {
        if (isPool(member)) return await onLease(member, statement, { name, signal, sessionOf });
        if (isClient(member)) return await onClient(member, statement, signal);
      }
      throw new NotExecuted(
        `the context has no database for ${name}: the host must provide a pool, or a client with \`query(text, values)\``,
      );
    },
    async close() {
      const pool = await own?.catch(() => undefined);
      own = undefined;
      await pool?.end();
    },
  };
}

/** Runs a replacement of the database. An error with a code counts as the database's. */
async function answered(
  name: string,
  run: (text: string, values: readonly unknown[]) => PromiseLike<DriverResult>,
  { text, values, maxRows }: Statement,
): Promise<SqlAnswer> {
  let result: DriverResult;
  try {
    result = await run(text, values);
  } catch (error) {
    throw typeof Object(error).code === "string" ? createRollbackError(name, error) : error;
  }
  if (typeof result !== "object") throw new TypeError(`\`run\` of ${name} must return { rows, rowCount }`);
  const rows = toJsonRows(result);
  return createAnswer(rows, maxRows, result.rowCount ?? undefined);
}

/** The time for a cancelled statement to end before its connection is closed. */
const CANCEL_MS = 400;

/** The time for a commit, which cannot be cancelled, to end. */
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

/** Runs a statement; the pool closes a connection whose state may have changed. An abort cancels the statement. */
async function onLease(pool: SqlPool, statement: Statement, options: LeaseOptions): Promise<SqlAnswer> {
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
      (error: unknown) => reject(createRollbackError(name, error)),
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
  const emitter = client as Partial<ErrorEmitter>;
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
    session.run(statement, signal).finally(end).then(resolve, reject);
  });
}

interface ErrorEmitter {
  on(event: "error", listener: () => void): void;
  removeListener(event: "error", listener: () => void): void;
}

function ignore(): void {}

/** Asks the database, over another connection, to cancel a connection's statement. */
async function cancel(pool: SqlPool, client: PooledSqlClient): Promise<void> {
  const { processID } = client as Partial<PgDriverClient>;
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
