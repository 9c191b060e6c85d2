import { libraryOnDemand } from "../../../model/library.js";

/** A token of Postgres's scanner; offsets are bytes of UTF-8, `end` is exclusive. */
export interface SqlToken {
  readonly start: number;
  readonly end: number;
  readonly tokenName: string;
}

/** A value of Postgres's syntax tree, as libpg-query prints it. */
export type SqlValue = string | number | boolean | null | readonly SqlValue[] | SqlNode;

/** An object of the tree. A single capitalised key, such as `FuncCall`, is its kind. */
export interface SqlNode {
  readonly [key: string]: SqlValue | undefined;
}

/** One statement of a parsed text; places are bytes of UTF-8. */
export interface SqlStatement {
  readonly stmt: SqlNode;
  readonly stmt_location?: number;
}

export interface SqlSyntaxError extends Error {
  /** `cursorPosition` counts code points. */
  readonly sqlDetails?: { readonly cursorPosition: number };
}

/** Postgres's own parser, compiled to WebAssembly. */
interface SqlParser {
  loadModule(): Promise<void>;
  scanSync(text: string): { readonly tokens: readonly SqlToken[] };
  parseSync(text: string): { readonly stmts?: readonly SqlStatement[] };
}

/** Postgres's parser. Requires {@link loadSqlParser}. */
export const sqlParser: () => SqlParser = libraryOnDemand<SqlParser>("libpg-query");

/** Loads Postgres's parser once: WebAssembly loads only asynchronously. */
export async function loadSqlParser(): Promise<void> {
  await sqlParser().loadModule();
}
