import { NotExecuted } from "@hasp/runtime";
import type { ToolMetadata } from "@hasp/runtime/codegen/v1";
import { Client, DatabaseError, Pool, Query, types, type CustomTypesConfig, type FieldDef, type PoolClient } from "pg";

/** A placeholder value. */
export type Parameter = string | number | boolean | null;

/** A cell as a JSON value. */
export type JsonCell = null | boolean | number | string | readonly JsonCell[] | { readonly [key: string]: JsonCell };

/** The first rows of a result as JSON, and how many there are. */
export interface Rows {
  readonly rows: readonly { readonly [column: string]: JsonCell }[];
  readonly total: number;
  /** Rows that the statement changed. */
  readonly affected?: number;
}

export interface Statement {
  readonly query: string;
  readonly parameters?: readonly Parameter[] | undefined;
  /** Most rows to return. */
  readonly maxRows: number;
}

/** The rights of a statement: to read, to write to the scratch database only, or all. The database enforces them. */
export type Access = "read" | "scratch" | "application";

export interface RunOptions {
  readonly access: Access;
  /** The database cancels the statement when it aborts. */
  readonly signal: AbortSignal;
  /** The database ends the statement after this time, in seconds; 0 for never. */
  readonly timeoutSeconds: number;
}

/** The databases of the application. */
export interface Database {
  run(statement: Statement, options: RunOptions): Promise<Rows>;
  close(): Promise<void>;
}

/** Returns the time limit of a tool's statements in seconds: the database ends them before the dispatcher gives up. */
export function secondsInDatabase({ limits }: ToolMetadata): number {
  return limits.timeoutSeconds === "unlimited" ? 0 : limits.timeoutSeconds * 0.95;
}

/** The addresses of the databases, as `postgres://` URLs. */
export interface DatabaseUrls {
  readonly application: string;
  /** A database that the application does not depend on, with a role that cannot reach the other one. */
  readonly scratch?: string | undefined;
}

/**
 * Connects to the databases. Each statement gets a connection of its own, so that no session state outlives it, and its
 * own transaction. Throws {@link NotExecuted} whenever the database certainly kept nothing.
 */
export function openDatabase(urls: DatabaseUrls): Database {
  const application = connectTo(urls.application);
  const scratch = urls.scratch === undefined ? undefined : connectTo(urls.scratch);
  return {
    async run(statement, options) {
      const server = options.access === "scratch" ? scratch : application;
      if (server === undefined) throw new NotExecuted("there is no scratch database: SCRATCH_DATABASE_URL is not set");
      return await runIn(server, statement, options);
    },
    async close() {
      await Promise.all([application.pool.end(), scratch?.pool.end()]);
    },
  };
}

/** A database and where it is, to cancel statements over a second connection. */
interface Server {
  readonly url: string;
  readonly pool: Pool;
}

const mostConnections = 8;
const connectTimeoutMs = 5000;

function connectTo(url: string): Server {
  const pool = new Pool({
    connectionString: url,
    max: mostConnections,
    types: asText,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // An idle connection that breaks concerns no call.
  pool.on("error", () => undefined);
  return { url, pool };
}

/** Types that stay text as Postgres writes them: as JavaScript dates they would move with the time zone. */
const textTypes: ReadonlySet<number> = new Set([
  types.builtins.BYTEA,
  types.builtins.DATE,
  types.builtins.TIME,
  types.builtins.TIMETZ,
  types.builtins.TIMESTAMP,
  types.builtins.TIMESTAMPTZ,
  types.builtins.INTERVAL,
]);
const asText: CustomTypesConfig = {
  getTypeParser: (id, format) => (textTypes.has(id) ? String : types.getTypeParser(id, format as "text")),
};

async function runIn({ url, pool }: Server, statement: Statement, options: RunOptions): Promise<Rows> {
  const { access, signal, timeoutSeconds } = options;
  const client = await pool.connect().catch(nothingHappened);
  // A lost connection also rejects the query that is running.
  client.on("error", () => undefined);
  let backend: number | undefined;
  const cancel = (): void => void cancelBackend(url, backend);
  let isCommitting = false;
  try {
    await client.query(access === "read" ? "BEGIN READ ONLY" : "BEGIN");
    // This query also takes the transaction's first snapshot: from here on, nothing can make it writable.
    const session = await client.query<Session>(setUpTransaction, [`${Math.round(timeoutSeconds * 1000)}`]);
    backend = session.rows[0]?.backend;
    if (session.rows[0]?.isPrivileged !== false) throw new NotExecuted(privilegedRole);
    signal.throwIfAborted();
    signal.addEventListener("abort", cancel, { once: true });
    const rows = takesCursor(statement.query, access)
      ? await fetchRows(client, statement)
      : await streamRows(client, statement);
    isCommitting = access !== "read";
    await client.query(isCommitting ? "COMMIT" : "ROLLBACK");
    return rows;
  } catch (error) {
    if (isCommitting && !(error instanceof DatabaseError)) throw error;
    return nothingHappened(error);
  } finally {
    signal.removeEventListener("abort", cancel);
    // Closes the connection, which rolls back whatever is still open.
    client.release(true);
  }
}

interface Session {
  readonly isPrivileged: boolean;
  readonly backend: number;
}

/** The query that sets the timeout and tells if the role could leave the database through files or programs. */
const setUpTransaction = `
  SELECT bool_or(rolsuper OR pg_has_role(rolname, 'pg_execute_server_program', 'MEMBER')
      OR pg_has_role(rolname, 'pg_read_server_files', 'MEMBER')
      OR pg_has_role(rolname, 'pg_write_server_files', 'MEMBER')) AS "isPrivileged",
    pg_backend_pid() AS backend, set_config('statement_timeout', $1, true)
  FROM pg_roles WHERE rolname IN (current_user, session_user)`;

const privilegedRole =
  "the role of DATABASE_URL can reach files and programs of the database server, which no transaction restrains; use a role that is no superuser";

/** Returns the first rows through a cursor and lets the database count the rest. */
async function fetchRows(client: PoolClient, { query, parameters, maxRows }: Statement): Promise<Rows> {
  // A newline before and after: the query may begin or end with a comment.
  await client.query(`DECLARE result NO SCROLL CURSOR FOR\n${query}\n`, [...(parameters ?? [])]);
  const { rows } = await client.query<Row>(`FETCH ${maxRows} FROM result`);
  const rest = await client.query("MOVE FORWARD ALL FROM result");
  return { rows: rows.map(toJson), total: rows.length + (rest.rowCount ?? 0) };
}

/** Runs a statement that takes no cursor. Keeps the first rows of its answer and counts the others. */
async function streamRows(client: PoolClient, { query, parameters, maxRows }: Statement): Promise<Rows> {
  const rows: Row[] = [];
  let total = 0;
  const { command, rowCount, fields } = await new Promise<Ended>((resolve, reject) => {
    const running = new Query<Row>({ text: query, values: [...(parameters ?? [])] });
    running.on("row", (row) => {
      total += 1;
      if (rows.length < maxRows) rows.push(row);
    });
    running.on("end", resolve);
    running.on("error", reject);
    client.query(running);
  });
  const changes = changingCommands.has(command) ? { affected: rowCount ?? 0 } : {};
  return { rows: fields.length === 0 ? [] : rows.map(toJson), total, ...changes };
}

const changingCommands: ReadonlySet<string> = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

interface Ended {
  readonly command: string;
  readonly rowCount: number | null;
  readonly fields: readonly FieldDef[];
}

interface Row {
  readonly [column: string]: unknown;
}

/** Asks the server to cancel what a backend is running; the statement then fails by itself. */
async function cancelBackend(url: string, backend: number | undefined): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  try {
    await client.connect();
    await client.query("SELECT pg_cancel_backend($1)", [backend]);
  } catch {
    // The statement's own timeout ends it.
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Rethrows an error whose transaction was rolled back; keeps whether the same statement may succeed later. */
function nothingHappened(error: unknown): never {
  if (error instanceof NotExecuted || !(error instanceof Error)) throw error;
  const { code } = error as { readonly code?: unknown };
  const rolledBack = new NotExecuted(typeof code === "string" ? `${error.message} (${code})` : error.message);
  throw Object.assign(rolledBack, { cause: error, retryable: isTransient(code) });
}

/** True for serialization failures, deadlocks, locks, restarts and lost connections (Postgres, appendix A). */
function isTransient(code: unknown): boolean {
  return (
    typeof code === "string" && (/^(?:40001|40P01|55P03|57P01|08...)$/.test(code) || /^ECONN|^EAI_AGAIN$/.test(code))
  );
}

/** Converts dates and other non-JSON values to strings, as JSON.stringify does. */
function toJson(row: Row): { readonly [column: string]: JsonCell } {
  return JSON.parse(JSON.stringify(row)) as { readonly [column: string]: JsonCell };
}

/** Blanks, comments and parentheses before a statement. A nested comment does not match. */
const blanks = /^(?:\s|--[^\n]*(?:\n|$)|\/\*(?:[^*/]|\*(?!\/)|\/(?!\*))*\*\/|\()*/;

/** Returns the first keyword of a statement in capitals; "" if there is none. */
export function firstKeyword(query: string): string {
  return /^[a-z]+/i.exec(query.replace(blanks, ""))?.[0].toUpperCase() ?? "";
}

const queries: ReadonlySet<string> = new Set(["SELECT", "VALUES", "TABLE"]);

/** True if a cursor can run a statement. A WITH may change data, which a cursor refuses. */
function takesCursor(query: string, access: Access): boolean {
  const keyword = firstKeyword(query);
  return queries.has(keyword) || (keyword === "WITH" && access === "read");
}

const readingKeywords: ReadonlySet<string> = new Set([...queries, "WITH", "EXPLAIN", "SHOW"]);

/** Checks that a statement only reads; refuses others before anybody is asked. */
export function readsOnly({ query }: { readonly query: string }): true | string {
  const keyword = firstKeyword(query);
  if (readingKeywords.has(keyword)) return true;
  return `a query begins with ${[...readingKeywords].join(", ")}, not with ${keyword || JSON.stringify(query.slice(0, 20))}`;
}
