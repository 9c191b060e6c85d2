import type { PgClient } from "./clients.js";
import { failedCommit, insideTransaction, rolledBack } from "./errors.js";
import { PgExchange, PgParameterTypes, type Message } from "./pg-exchange.js";
import {
  answerOf,
  beginOf,
  changedRows,
  countIn,
  marksSession,
  refuseStopped,
  settingsOf,
  type Session,
  type SqlAnswer,
  type Statement,
} from "./statement.js";
import { boundText, needsType } from "./values.js";

/** The portal of the statement, whose rows need not all be read. */
const PORTAL = "hasp";

interface Executed {
  readonly answer: SqlAnswer;
  readonly marksSession: boolean;
}

/** A session over a client of `pg`, which sends whole transactions in one round trip. */
export class PgSession implements Session {
  /** Whether nothing of the last statement is left, so that somebody else may have the connection. */
  isClean = true;
  /** The statement is being committed: too late to cancel it. */
  isCommitting = false;
  readonly #client: PgClient;
  readonly #connection: string;
  readonly #parameterTypes: Map<string, readonly number[]>;

  constructor(client: PgClient, connection: string, parameterTypes: Map<string, readonly number[]>) {
    this.#client = client;
    this.#connection = connection;
    this.#parameterTypes = parameterTypes;
  }

  async run(statement: Statement, signal: AbortSignal): Promise<SqlAnswer> {
    const status = this.#client.getTransactionStatus?.() ?? "I";
    if (status !== "I") throw insideTransaction(this.#connection);
    refuseStopped(signal);
    this.isClean = false;
    const answer = await this.#execute(statement, signal).catch(async (error: unknown) => {
      await this.#rollBack();
      this.#parameterTypes.delete(statement.text);
      throw rolledBack(this.#connection, error);
    });
    if (!statement.isReadOnly) await this.#commit();
    this.isClean = !answer.marksSession;
    return answer.answer;
  }

  /** Runs the statement in a transaction: one that only reads ends with it, in the same round trip. */
  async #execute(statement: Statement, signal: AbortSignal): Promise<Executed> {
    const { text, maxRows, isReadOnly } = statement;
    const values = await this.#bind(statement);
    refuseStopped(signal);
    const { rows, command } = await this.#send([
      { text: beginOf(statement) },
      { text: settingsOf(statement) },
      { text, values, maxRows, portal: PORTAL },
      ...(isReadOnly ? [{ text: "ROLLBACK" }] : []),
    ]);
    const found = command === undefined && !isReadOnly ? rows.length + (await this.#skipRest()) : undefined;
    refuseStopped(signal);
    return {
      answer: answerOf(rows, maxRows, changedRows(command) ?? found),
      marksSession: marksSession(command ?? "SELECT", text),
    };
  }

  async #bind({ text, values }: Statement): Promise<readonly (string | null)[]> {
    let types: readonly number[] = [];
    if (values.some(needsType)) {
      types = this.#parameterTypes.get(text) ?? (await this.#query(new PgParameterTypes(text)));
      this.#parameterTypes.set(text, types);
    }
    return values.map((value, index) => boundText(value, index + 1, types[index]));
  }

  /** Lets the database finish a statement whose rows are not all read, and counts the others. */
  async #skipRest(): Promise<number> {
    const { command } = await this.#send([{ text: `MOVE FORWARD ALL IN ${PORTAL}`, maxRows: 1 }]);
    return countIn(command) ?? 0;
  }

  async #commit(): Promise<void> {
    this.isCommitting = true;
    await this.#send([{ text: "COMMIT" }]).catch((error: unknown) => {
      throw failedCommit(this.#connection, error);
    });
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#send([{ text: "ROLLBACK" }]);
      this.isClean = true;
    } catch {
      // The connection is closed, and the database rolls back.
    }
  }

  #send(messages: readonly Message[]) {
    return this.#query(new PgExchange(messages));
  }

  #query<Answer>(query: (PgExchange | PgParameterTypes) & { readonly done: Promise<Answer> }): Promise<Answer> {
    (this.#client as unknown as { query(query: unknown): void }).query(query);
    return query.done;
  }
}
