import { NotExecuted } from "@hasp/runtime";

/** A connected `Client` of `pg`, PGlite, or anything else with this method. */
export interface SqlClient {
  query(text: string, values?: unknown[]): PromiseLike<unknown>;
}

export interface PooledSqlClient extends SqlClient {
  /** Returns the connection; with `true`, the pool closes it. */
  release(destroy?: boolean): void;
}

export interface SqlPool {
  connect(): PromiseLike<PooledSqlClient>;
}

export interface DriverResult {
  readonly rows?: readonly { readonly [column: string]: unknown }[] | undefined;
  readonly rowCount?: number | null | undefined;
  /** PGlite's name for `rowCount`. */
  readonly affectedRows?: number | undefined;
}

/** A client of `pg`, which sends a whole transaction at once, as `pg-cursor` does. */
export interface PgDriverClient extends SqlClient {
  readonly connection: PgConnection;
  readonly processID?: number | null;
  readonly pipeline?: boolean;
  /** `I` outside of a transaction. */
  getTransactionStatus?(): string | null;
  getTypeParser(id: number, format: string): (value: string) => unknown;
  submit(query: PgQuery): unknown;
}

/** The messages of the extended query protocol. */
export interface PgConnection {
  readonly stream: { cork?(): void; uncork?(): void; write(bytes: Uint8Array): void };
  parse(message: { text: string }): void;
  bind(message: { portal: string; values: readonly (string | null)[] }): void;
  describe(message: { type: "P" | "S"; name: string }): void;
  execute(message: { portal: string; rows?: number }): void;
  sync(): void;
  sendCopyFail(reason: string): void;
  once(event: "parameterDescription", listener: (message: { readonly dataTypeIDs: readonly number[] }) => void): void;
  removeListener(event: "parameterDescription", listener: (message: never) => void): void;
}

/** Receives the server's answers from `pg`. */
export interface PgQuery {
  submit(connection: PgConnection): void;
  handleRowDescription(message: { readonly fields: readonly PgField[] }): void;
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(message: { readonly text: string }): void;
  handlePortalSuspended(): void;
  handleEmptyQuery(): void;
  handleCopyInResponse(connection: PgConnection): void;
  handleCopyData(): void;
  handleError(error: unknown): void;
  handleReadyForQuery(): void;
}

export interface PgField {
  readonly name: string;
  readonly dataTypeID: number;
}

export function isPool(value: object): value is SqlPool {
  return has(value, "connect") && !has(value, "getTypeParser") && !has(value, "release");
}

export function isClient(value: object): value is SqlClient {
  return has(value, "query");
}

/** True for a client of `pg` in JavaScript that answers queries in order. */
export function isPgClient(client: SqlClient): client is SqlClient & Omit<PgDriverClient, "submit"> {
  const { connection, pipeline } = client as Partial<PgDriverClient>;
  return (
    has(client, "getTypeParser") &&
    pipeline !== true &&
    typeof connection === "object" &&
    ["parse", "bind", "describe", "execute", "sync", "once"].every((method) => has(connection, method))
  );
}

function has(value: object, method: string): boolean {
  return typeof (value as { readonly [name: string]: unknown })[method] === "function";
}

export interface OwnPool extends SqlPool {
  end(): Promise<void>;
}

/** Reads the URL from an environment variable. Throws {@link NotExecuted} if it is not set. */
export function readDatabaseUrl(connection: string, variable: string): string {
  const url = typeof process === "undefined" ? undefined : process.env[variable];
  if (url !== undefined && url !== "") {
    // A driver takes any other text for the name of a database on some host.
    if (/^(?:postgres|postgresql|socket):\S/u.test(url)) return url;
    throw new NotExecuted(`${connection} cannot read the URL in ${variable}; it must be \`postgres://…\``);
  }
  throw new NotExecuted(`${connection} needs the environment variable ${variable}, which is not set`);
}

/** Opens a pool of `pg`, which does not keep a process running. */
export async function openPool(connection: string, connectionString: string, variable: string): Promise<OwnPool> {
  const { Pool } = await loadPg(connection);
  let pool: OwnPool & { on(event: "error", listener: () => void): void };
  try {
    pool = new Pool({ connectionString, connectionTimeoutMillis: 5000, allowExitOnIdle: true });
  } catch {
    throw new NotExecuted(`${connection} cannot read the URL in ${variable}; it must be \`postgres://…\``);
  }
  // A broken idle connection concerns no call.
  pool.on("error", () => undefined);
  return pool;
}

async function loadPg(connection: string): Promise<typeof import("pg").default> {
  try {
    return (await import("pg")).default;
  } catch {
    throw new NotExecuted(`${connection} needs the package pg, which is not installed; run \`npm install pg\``);
  }
}
