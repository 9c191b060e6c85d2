import type { PgDriverClient } from "./clients.js";
import { createFailedCommit, refuseInsideTransaction, createRollbackError } from "./errors.js";
import { PgExchange, PgParameterTypes, type Messages, type EncodedStatements } from "./pg-exchange.js";
import { ALL_FORMATS, findFormats, listLocalSettings, type Format } from "./settings.js";
import {
  createAnswer,
  printBegin,
  countChangedRows,
  countIn,
  marksSession,
  refuseStopped,
  type Session,
  type SqlAnswer,
  type Statement,
  UNLOCK,
} from "./statement.js";
import { printBound, needsType } from "./cells.js";

/** Limits the remembered statements, since a host may generate any number of them. */
const MOST_STATEMENTS = 1000;

/** Facts about statements from earlier calls, by text. */
export class StatementFacts {
  readonly parameterTypes: Map<string, readonly number[]> = new Map();
  readonly formats: Map<string, readonly Format[]> = new Map();

  readonly #prepared: Map<string, EncodedStatements> = new Map();

  /** Encodes statements that begin or end transactions, of which there are few. */
  prepared(texts: readonly string[]): EncodedStatements {
    const key = texts.join(";");
    const known = this.#prepared.get(key) ?? { count: texts.length, bytes: messagesOf(texts) };
    this.#prepared.set(key, known);
    return known;
  }

  trim(): void {
    for (const known of [this.#prepared, this.parameterTypes, this.formats]) {
      if (known.size > MOST_STATEMENTS) known.clear();
    }
  }

  forget(text: string): void {
    this.parameterTypes.delete(text);
    this.formats.delete(text);
  }
}

/** The portal of the statement, whose rows need not all be read. */
const PORTAL = "hasp";

interface Executed {
  readonly answer: SqlAnswer;
  readonly marksSession: boolean;
}

/** A session over a client of `pg`, which sends whole transactions in one round trip. */
export class PgSession implements Session {
  isClean = true;
  isCommitting = false;
  readonly #client: PgDriverClient;
  readonly #connection: string;
  readonly #known: StatementFacts;
  readonly #unlock: readonly string[];

  /** Releases all locks of a leased client, which are the statement's, and none of the host's own client. */
  constructor(client: PgDriverClient, connection: string, known: StatementFacts, isLeased: boolean) {
    this.#client = client;
    this.#connection = connection;
    this.#known = known;
    this.#unlock = isLeased ? [UNLOCK] : [];
  }

  async run(statement: Statement, signal: AbortSignal): Promise<SqlAnswer> {
    const status = this.#client.getTransactionStatus?.() ?? "I";
    if (status !== "I") throw refuseInsideTransaction(this.#connection);
    refuseStopped(signal);
    this.isClean = false;
    this.#known.trim();
    const answer = await this.#execute(statement, signal).catch(async (error: unknown) => {
      await this.#rollBack();
      this.#known.forget(statement.text);
      throw createRollbackError(this.#connection, error);
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
    const formats = this.#known.formats.get(text) ?? ALL_FORMATS;
    const { rows, types, command } = await this.#send({
      before: this.#known.prepared([printBegin(statement), ...listLocalSettings(statement, formats)]),
      text,
      values,
      maxRows,
      portal: PORTAL,
      // Nothing that could take a lock runs between the two, and unlocking is cheaper inside the transaction.
      ...(isReadOnly && { after: this.#known.prepared([...this.#unlock, "ROLLBACK"]) }),
    });
    const needed = findFormats(types);
    this.#known.formats.set(text, needed);
    if (needed.some((format) => !formats.includes(format))) {
      // The types of the columns have changed.
      if (!isReadOnly) await this.#send({ text: "ROLLBACK", maxRows: 0 });
      return await this.#execute(statement, signal);
    }
    const found = command === undefined && !isReadOnly ? rows.length + (await this.#skipRest()) : undefined;
    refuseStopped(signal);
    return {
      answer: createAnswer(rows, maxRows, countChangedRows(command) ?? found),
      marksSession: marksSession(command ?? "SELECT", text),
    };
  }

  async #bind({ text, values }: Statement): Promise<readonly (string | null)[]> {
    let types: readonly number[] = [];
    if (values.some(needsType)) {
      types = this.#known.parameterTypes.get(text) ?? (await this.#query(new PgParameterTypes(text)));
      this.#known.parameterTypes.set(text, types);
    }
    return values.map((value, index) => printBound(value, index + 1, types[index]));
  }

  /** Lets the database finish a statement with unread rows, and counts them. */
  async #skipRest(): Promise<number> {
    const { command } = await this.#send({ text: `MOVE FORWARD ALL IN ${PORTAL}`, maxRows: 0 });
    return countIn(command) ?? 0;
  }

  async #commit(): Promise<void> {
    this.isCommitting = true;
    await this.#send({ text: "COMMIT", maxRows: 0, after: this.#known.prepared(this.#unlock) }).catch(
      (error: unknown) => {
        throw createFailedCommit(this.#connection, error);
      },
    );
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#send({ text: "ROLLBACK", maxRows: 0, after: this.#known.prepared(this.#unlock) });
      this.isClean = true;
    } catch {
      // The connection is closed, and the database rolls back.
    }
  }

  #send(messages: Messages) {
    return this.#query(new PgExchange(messages));
  }

  #query<Answer>(query: (PgExchange | PgParameterTypes) & { readonly done: Promise<Answer> }): Promise<Answer> {
    (this.#client as unknown as { query(query: unknown): void }).query(query);
    return query.done;
  }
}

/** Encodes the messages Parse, Bind and Execute, the same for every call (Postgres, "Message Formats"). */
function messagesOf(texts: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  const messages = texts.flatMap((text) => [
    // An unnamed statement whose parameters have no stated types.
    ...message("P", [0, ...encoder.encode(text), 0, 0, 0]),
    // Its unnamed portal: no formats, no values, no formats of results.
    ...message("B", [0, 0, 0, 0, 0, 0, 0, 0]),
    // All of its rows.
    ...message("E", [0, 0, 0, 0, 0]),
  ]);
  return Uint8Array.from(messages);
}

/** Encodes a message: its kind, its length with that of the length itself, and its body. */
function message(kind: string, body: readonly number[]): readonly number[] {
  const length = body.length + 4;
  return [kind.charCodeAt(0), length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255, ...body];
}
