/** Runs statements: a connected `Client` of `pg`, PGlite, or anything else with this method. */
export interface SqlClient {
  query(text: string, values?: unknown[]): PromiseLike<unknown>;
}

/** A connection of a pool, held for one call. */
export interface PooledSqlClient extends SqlClient {
  /** Returns the connection; with `true`, the pool closes it. */
  release(destroy?: boolean): void;
}

export interface SqlPool {
  connect(): PromiseLike<PooledSqlClient>;
}

/** The used part of a driver's answer. */
export interface DriverResult {
  readonly rows?: readonly { readonly [column: string]: unknown }[] | undefined;
  readonly rowCount?: number | null | undefined;
  /** PGlite's name of `rowCount`. */
  readonly affectedRows?: number | undefined;
}

/** The used part of a client of `pg`: it sends a whole transaction at once, as `pg-cursor` does. */
export interface PgClient extends SqlClient {
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

/** A column of an answer. */
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
export function isPgClient(client: SqlClient): client is SqlClient & Omit<PgClient, "submit"> {
  const { connection, pipeline } = client as Partial<PgClient>;
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
