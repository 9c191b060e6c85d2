import type { JsonValue } from "@hasp/schema";
import { messageOf } from "../../../runtime/src/results/text.js";
import { NotExecuted } from "@hasp/runtime";

/** One execution of a statement. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Runs in a transaction that the database keeps from changing anything. */
  readonly isReadOnly: boolean;
  /** The time after which the database ends the statement; `undefined` for its own limit. */
  readonly timeoutMs: number | undefined;
  /** The most rows that are answered. */
  readonly maxRows: number;
}

/** A row by column. */
export interface SqlRow {
  readonly [column: string]: JsonValue;
}

/** What a statement answers: the output of {@link sqlHandler}. */
export interface SqlAnswer {
  readonly rows: readonly SqlRow[];
  /**
   * The rows that the statement changed, all of them; for one that changes none, those that it found before it was
   * ended, which a read is after `maxRows`.
   */
  readonly rowCount: number;
  /** Present and true where more rows exist than are answered. */
  readonly truncated?: true;
}

/** A connection on which statements run, each in a transaction of its own. */
export interface Session {
  /** Whether nothing of a statement is left, so that somebody else may have the connection. */
  readonly isClean: boolean;
  /** Whether the statement is being committed: too late to cancel it. */
  readonly isCommitting: boolean;
  /** Rejects with an error of `errors.ts`. */
  run(statement: Statement, signal: AbortSignal): Promise<SqlAnswer>;
}

/** The statement that begins the transaction. */
export function beginOf({ isReadOnly }: Statement): string {
  return isReadOnly ? "BEGIN READ ONLY" : "BEGIN READ WRITE";
}

/**
 * Gives back the locks that a statement may have taken for its session; no end of a transaction does. Any view, operator
 * or column may call a function that takes one, so every statement is followed by it.
 */
export const UNLOCK = "SELECT pg_catalog.pg_advisory_unlock_all()";

/** The count at the end of a command's tag, such as `UPDATE 3`. */
export function countIn(command: string | undefined): number | undefined {
  const count = command === undefined ? undefined : /\d+$/u.exec(command)?.[0];
  return count === undefined ? undefined : Number(count);
}

/** The rows that a statement changed, by the tag of its command; `undefined` for a statement that changes none. */
export function changedRows(command: string | undefined): number | undefined {
  return command !== undefined && /^(?:INSERT|UPDATE|DELETE|MERGE)\b/u.test(command) ? countIn(command) : undefined;
}

/** An answer from one row more than may be shown. */
export function answerOf(rows: readonly SqlRow[], maxRows: number, rowCount?: number): SqlAnswer {
  if (rows.length <= maxRows) return { rows, rowCount: rowCount ?? rows.length };
  return { rows: rows.slice(0, maxRows), rowCount: rowCount ?? maxRows, truncated: true };
}

/** Throws {@link NotExecuted} for a call that was stopped before its transaction was committed. */
export function refuseStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new NotExecuted(`it was stopped and rolled back: ${messageOf(signal.reason)}`);
}

/**
 * Whether a statement may leave something behind on its connection that no transaction takes back, such as a setting or
 * a lock of the session. `command` is the tag of its answer.
 */
export function marksSession(command: string, text: string): boolean {
  return !/^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|SHOW|EXPLAIN)\b/u.test(command) || /set_config|dblink/iu.test(text);
}
