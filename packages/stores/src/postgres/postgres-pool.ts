/** What runs statements: a `Pool` or a connected `Client` of `pg`, a PGlite, or anything else with this method. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): PromiseLike<unknown>;
}

/** A row of an answer. */
export interface Row {
  readonly [column: string]: unknown;
}

/** Runs one statement. Returns its rows. */
export async function rowsOf(pool: PostgresPool, text: string, values: unknown[] = []): Promise<readonly Row[]> {
  return ((await pool.query(text, values)) as { readonly rows: readonly Row[] }).rows;
}
