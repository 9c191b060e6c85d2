import { PGlite } from "@electric-sql/pglite";

/** A placeholder value. */
export type Parameter = string | number | boolean | null;

/** Rows as JSON, at most as many as were asked for. */
export interface Rows {
  readonly rows: readonly { readonly [column: string]: JsonCell }[];
  readonly affected?: number;
  readonly truncated: boolean;
}

/** A cell as a JSON value. */
export type JsonCell = null | boolean | number | string | readonly JsonCell[] | { readonly [key: string]: JsonCell };

/** One statement for the application database. */
export interface Statement {
  readonly query: string;
  readonly parameters?: readonly Parameter[] | undefined;
  /** Most rows to return. */
  readonly maxRows: number;
}

/** What the statement may do: read, write to the scratch database only, or anything. The database enforces it. */
export type Access = "read" | "scratch" | "application";

/** The application database. */
export interface Database {
  run(statement: Statement, access: Access): Promise<Rows>;
  close(): Promise<void>;
}

/**
 * Opens an embedded Postgres with a little data in the table `users`, and a second, empty scratch database. A role
 * would not isolate them: any client that can send statements can send RESET ROLE.
 */
export async function openDatabase(): Promise<Database> {
  const [application, scratch] = await Promise.all([PGlite.create(), PGlite.create()]);
  await application.exec(`
    CREATE TABLE users (id integer PRIMARY KEY, name text NOT NULL, plan text NOT NULL, joined date NOT NULL);
    INSERT INTO users VALUES
      (1, 'Ada', 'team', '2024-03-01'), (2, 'Grace', 'free', '2024-07-15'), (3, 'Edsger', 'free', '2025-01-20'), (4, 'Barbara', 'team', '2025-05-02');
  `);
  return {
    run: (statement, access) =>
      (access === "scratch" ? scratch : application).transaction(async (transaction) => {
        if (access === "read") await transaction.exec("SET TRANSACTION READ ONLY");
        // Once a query has run, no statement can make a read-only transaction writable again.
        await transaction.exec("SELECT 1");
        // `query` sends exactly one statement; a second one after a semicolon is a database error.
        const result = await transaction.query<{ readonly [column: string]: unknown }>(statement.query, [
          ...(statement.parameters ?? []),
        ]);
        return {
          rows: result.rows.slice(0, statement.maxRows).map(toJson),
          ...(result.affectedRows === undefined || result.fields.length > 0 ? {} : { affected: result.affectedRows }),
          truncated: result.rows.length > statement.maxRows,
        };
      }),
    close: async () => {
      await Promise.all([application.close(), scratch.close()]);
    },
  };
}

/** Converts dates and other non-JSON values to strings, as JSON.stringify does. */
function toJson(row: { readonly [column: string]: unknown }): { readonly [column: string]: JsonCell } {
  return JSON.parse(
    JSON.stringify(row, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value)),
  ) as {
    readonly [column: string]: JsonCell;
  };
}
