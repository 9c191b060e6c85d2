import { libraryOnDemand } from "../../../model/library.js";

/** A token of Postgres's scanner; offsets are in bytes of UTF-8, `end` is exclusive. */
export interface SqlToken {
  readonly start: number;
  readonly end: number;
  readonly tokenName: string;
}

/** A value of Postgres's syntax tree, as libpg-query prints it. */
export type SqlValue = string | number | boolean | null | readonly SqlValue[] | SqlNode;

/** An object of Postgres's syntax tree. One with a single key in capitals, such as `FuncCall`, says what it is. */
export interface SqlNode {
  readonly [key: string]: SqlValue | undefined;
}

/** One statement of a parsed text; places are in bytes of UTF-8. */
export interface SqlStatement {
  readonly stmt: SqlNode;
  readonly stmt_location?: number;
}

/** What Postgres says about a text that it cannot parse. */
export interface SqlSyntaxError extends Error {
  /** `cursorPosition` counts Unicode code points. */
  readonly sqlDetails?: { readonly cursorPosition: number };
}

/** Postgres's own parser, compiled to WebAssembly. */
interface SqlParser {
  loadModule(): Promise<void>;
  scanSync(text: string): { readonly tokens: readonly SqlToken[] };
  parseSync(text: string): { readonly stmts?: readonly SqlStatement[] };
}

/** Postgres's parser; before its first use, {@link loadSqlParser} must have loaded it. */
export const sqlParser: () => SqlParser = libraryOnDemand<SqlParser>("libpg-query");

/** Loads Postgres's parser, once and for all: WebAssembly can only be loaded while nobody waits. */
export async function loadSqlParser(): Promise<void> {
  await sqlParser().loadModule();
}
