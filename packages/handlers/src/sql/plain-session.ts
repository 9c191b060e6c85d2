import { type JsonValue, copyJson, setOwn, isStructured } from "@hasp/base/json";
import type { DriverResult, SqlClient } from "./clients.js";
import { createFailedCommit, refuseInsideTransaction, createRollbackError } from "./errors.js";
import { ALL_FORMATS, listLocalSettings } from "./settings.js";
import {
  createAnswer,
  printBegin,
  refuseStopped,
  type Session,
  type SqlAnswer,
  type SqlRow,
  type Statement,
  UNLOCK,
} from "./statement.js";

/** A session over a client that runs statements one by one, with the cells of its driver. */
export class PlainSession implements Session {
  isClean = true;
  isCommitting = false;
  readonly #client: SqlClient;
  readonly #connection: string;
  readonly #isLeased: boolean;

  /** Releases all locks of a leased client, which are the statement's, and none of the host's own client. */
  constructor(client: SqlClient, connection: string, isLeased: boolean) {
    this.#client = client;
    this.#connection = connection;
    this.#isLeased = isLeased;
  }

  async run(statement: Statement, signal: AbortSignal): Promise<SqlAnswer> {
    refuseStopped(signal);
    await this.#refuseForeignTransaction();
    this.isClean = false;
    let answer: SqlAnswer;
    try {
      answer = await this.#execute(statement, signal);
    } catch (error) {
      await this.#rollBack().catch(() => undefined);
      throw createRollbackError(this.#connection, error);
    }
    this.isCommitting = !statement.isReadOnly;
    await (statement.isReadOnly ? this.#rollBack() : this.#query("COMMIT")).catch((error: unknown) => {
      throw statement.isReadOnly
        ? createRollbackError(this.#connection, error)
        : createFailedCommit(this.#connection, error);
    });
    // Not clean: a committed statement may have changed session state.
    return answer;
  }

  async #rollBack(): Promise<void> {
    await this.#query("ROLLBACK");
    if (this.#isLeased) await this.#query(UNLOCK);
    this.isClean = true;
  }

  /** Refuses to run inside the host's transaction. A savepoint fails only outside of a transaction. */
  async #refuseForeignTransaction(): Promise<void> {
    try {
      await this.#query("SAVEPOINT hasp");
    } catch (error) {
      if (Object(error).code === NO_ACTIVE_TRANSACTION) return;
      throw createRollbackError(this.#connection, error);
    }
    await this.#query("RELEASE SAVEPOINT hasp");
    throw refuseInsideTransaction(this.#connection);
  }

  async #execute(statement: Statement, signal: AbortSignal): Promise<SqlAnswer> {
    await this.#query(printBegin(statement));
    for (const setting of listLocalSettings(statement, ALL_FORMATS)) await this.#query(setting);
    const { rows, rowCount } = await this.#answer(statement);
    refuseStopped(signal);
    return createAnswer(rows, statement.maxRows, rowCount);
  }

  /** Reads one extra row through a cursor. A statement that has none, such as `INSERT … RETURNING`, runs as it is. */
  async #answer({
    text,
    values,
    maxRows,
  }: Statement): Promise<{ readonly rows: readonly SqlRow[]; readonly rowCount?: number }> {
    await this.#query("SAVEPOINT hasp");
    try {
      // The statement may begin or end with a comment.
      await this.#query(`DECLARE hasp NO SCROLL CURSOR FOR\n${text}\n`, values);
    } catch {
      await this.#query("ROLLBACK TO SAVEPOINT hasp");
      const result = await this.#query(text, values);
      const rows = toJsonRows(result);
      return { rows: rows.slice(0, maxRows + 1), rowCount: result.rowCount ?? result.affectedRows ?? rows.length };
    }
    const rows = toJsonRows(await this.#query(`FETCH ${maxRows + 1} FROM hasp`));
    return { rows };
  }

  async #query(text: string, values?: readonly unknown[]): Promise<DriverResult> {
    const answer = values === undefined ? this.#client.query(text) : this.#client.query(text, [...values]);
    const result: unknown = await answer;
    return isStructured(result) ? result : {};
  }
}

const NO_ACTIVE_TRANSACTION = "25P01";

export function toJsonRows({ rows = [] }: DriverResult): readonly SqlRow[] {
  return rows.map((row) => {
    const result: Record<string, JsonValue> = {};
    for (const [name, cell] of Object.entries(row)) setOwn(result, name, toJson(cell));
    return result;
  });
}

/** Converts a driver's cell: dates, bytes and numbers that JSON cannot express become text. */
function toJson(cell: unknown): JsonValue {
  if (cell === undefined || cell === null) return null;
  if (typeof cell === "bigint") return String(cell);
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : String(cell);
  if (cell instanceof Uint8Array) return btoa(Array.from(cell, (byte) => String.fromCharCode(byte)).join(""));
  if (Array.isArray(cell)) return cell.map(toJson);
  return copyJson(cell);
}
