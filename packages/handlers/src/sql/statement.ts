import type { JsonValue } from "@hasp/base/json";
import { messageOf } from "@hasp/runtime/internal";
import { NotExecuted } from "@hasp/runtime";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly isReadOnly: boolean;
  /** The time after which the database ends the statement; `undefined` for its own limit. */
  readonly timeoutMs: number | undefined;
  readonly maxRows: number;
}

export interface SqlRow {
  readonly [column: string]: JsonValue;
}

/** The answer of a statement: the output of {@link sqlHandler}. */
export interface SqlAnswer {
  readonly rows: readonly SqlRow[];
  /** The number of changed rows, or of rows found; a read stops after `maxRows`. */
  readonly rowCount: number;
  readonly truncated?: true;
}

/** A connection whose statements each run in a transaction of their own. */
export interface Session {
  /** True if the statement left no session state behind, so that others may use the connection. */
  readonly isClean: boolean;
  /** True while the statement is being committed: too late to cancel it. */
  readonly isCommitting: boolean;
  /** Rejects with an error of `errors.ts`. */
  run(statement: Statement, signal: AbortSignal): Promise<SqlAnswer>;
}

export function printBegin({ isReadOnly }: Statement): string {
  return isReadOnly ? "BEGIN READ ONLY" : "BEGIN READ WRITE";
}

/**
 * Releases session locks, which outlive transactions. Any view, operator or column may call a function that takes one,
 * so this follows every statement.
 */
export const UNLOCK = "SELECT pg_catalog.pg_advisory_unlock_all()";

export function countIn(command: string | undefined): number | undefined {
  const count = command === undefined ? undefined : /(?<!\d)\d+$/u.exec(command)?.[0];
  return count === undefined ? undefined : Number(count);
}

/** Counts the rows that a statement changed, from the tag of its command; `undefined` if it changes none. */
export function countChangedRows(command: string | undefined): number | undefined {
  return command !== undefined && /^(?:INSERT|UPDATE|DELETE|MERGE)\b/u.test(command) ? countIn(command) : undefined;
}

/** Makes an answer from rows that include one extra. */
export function createAnswer(rows: readonly SqlRow[], maxRows: number, rowCount?: number): SqlAnswer {
  if (rows.length <= maxRows) return { rows, rowCount: rowCount ?? rows.length };
  return { rows: rows.slice(0, maxRows), rowCount: rowCount ?? maxRows, truncated: true };
}

/** Throws {@link NotExecuted} for a call that was stopped before its commit. */
export function refuseStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new NotExecuted(`it was stopped and rolled back: ${messageOf(signal.reason)}`);
}

/** True if a statement may leave session state, such as a setting or a lock. `command` is the tag of its answer. */
export function marksSession(command: string, text: string): boolean {
  return !/^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|SHOW|EXPLAIN)\b/u.test(command) || /set_config|dblink/iu.test(text);
}
