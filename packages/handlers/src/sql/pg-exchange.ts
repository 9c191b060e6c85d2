import { type JsonValue, setOwn } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";
import { findCellParser, type CellParser } from "./cells.js";
import type { PgConnection, PgField, PgQuery } from "./clients.js";
import type { SqlRow } from "./statement.js";

/** A statement whose answer is read, and the statements around it. */
export interface Messages {
  readonly text: string;
  readonly values?: readonly (string | null)[];
  readonly maxRows: number;
  /** Lets a later statement of the transaction reach the remaining rows. */
  readonly portal?: string;
  /** The statements before and after it, as `messagesOf` writes them. */
  readonly before?: EncodedStatements;
  readonly after?: EncodedStatements;
}

/** Statements whose answers are not read. */
export interface EncodedStatements {
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** The answer to the statement whose rows are read. */
interface PgAnswer {
  readonly rows: readonly SqlRow[];
  readonly types: readonly number[];
  /** The command tag, such as `UPDATE 3`; `undefined` if more rows exist than were read. */
  readonly command: string | undefined;
}

/** Limits the characters of an answer's cells. */
const MOST_CHARS = 32 * 1024 * 1024;

/**
 * Several statements in one round trip. After an error, the server skips the rest. Every statement is parsed by itself,
 * so that none can hold a second one, and the server limits the rows of any statement.
 */
export class PgExchange implements PgQuery {
  readonly done: Promise<PgAnswer>;
  /** Set by a client with a `query_timeout`, whose timer it stops. */
  callback: (() => void) | undefined;
  readonly #messages: Messages;
  #resolve!: (answered: PgAnswer) => void;
  #reject!: (error: unknown) => void;
  #completed = 0;
  #types: readonly number[] = [];
  #columns: readonly { readonly name: string; readonly parse: CellParser }[] = [];
  readonly #rows: SqlRow[] = [];
  #chars = 0;
  #command: string | undefined;
  #fault: unknown;

  constructor(messages: Messages) {
    this.#messages = messages;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: PgConnection): void {
    const { text, values = [], maxRows, portal = "", before, after } = this.#messages;
    const { stream } = connection;
    stream.cork?.();
    try {
      if (before !== undefined) stream.write(before.bytes);
      connection.parse({ text });
      connection.bind({ portal, values });
      connection.describe({ type: "P", name: portal });
      // One extra row tells whether more exist.
      connection.execute({ portal, rows: maxRows + 1 });
      if (after !== undefined) stream.write(after.bytes);
      connection.sync();
    } finally {
      stream.uncork?.();
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly PgField[] }): void {
    const twice = fields.find(({ name }, index) => fields.findIndex((other) => other.name === name) !== index);
    if (twice !== undefined) {
      this.#fault ??= new NotExecuted(
        `the statement returns two columns named ${JSON.stringify(twice.name)}; give one an alias`,
      );
    }
    this.#types = fields.map(({ dataTypeID }) => dataTypeID);
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: findCellParser(dataTypeID) }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#fault !== undefined || !this.#isReading()) return;
    for (const cell of fields) this.#chars += cell?.length ?? 0;
    if (this.#chars > MOST_CHARS) {
      this.#fault = new NotExecuted(`the rows contain more than ${MOST_CHARS} characters; select less`);
      this.#rows.length = 0;
      return;
    }
    try {
      this.#rows.push(this.#rowOf(fields));
    } catch (error) {
      this.#fault = error;
    }
  }

  #isReading(): boolean {
    return this.#completed === (this.#messages.before?.count ?? 0);
  }

  #rowOf(fields: readonly (string | null)[]): SqlRow {
    const row: Record<string, JsonValue> = {};
    for (const [index, { name, parse }] of this.#columns.entries()) {
      const cell = fields[index] ?? null;
      setOwn(row, name, cell === null ? null : parse(cell));
    }
    return row;
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.#isReading()) this.#command = text;
    this.#completed += 1;
  }

  handlePortalSuspended(): void {
    this.#completed += 1;
  }

  handleEmptyQuery(): void {
    this.#completed += 1;
    this.#fault ??= new NotExecuted("the statement is empty");
  }

  handleCopyInResponse(connection: PgConnection): void {
    connection.sendCopyFail("COPY is not allowed in a tool's statement");
  }

  handleCopyData(): void {
    this.#fault ??= new NotExecuted("COPY is not allowed in a tool's statement");
  }

  handleError(error: unknown): void {
    this.callback?.();
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    this.callback?.();
    if (this.#fault === undefined) this.#resolve({ rows: this.#rows, types: this.#types, command: this.#command });
    else this.#reject(this.#fault);
  }
}

/** Asks the server for the types of a statement's parameters. */
export class PgParameterTypes implements PgQuery {
  readonly done: Promise<readonly number[]>;
  callback: (() => void) | undefined;
  readonly #text: string;
  #resolve!: (types: readonly number[]) => void;
  #reject!: (error: unknown) => void;
  #types: readonly number[] = [];
  #stopListening = (): void => undefined;

  constructor(text: string) {
    this.#text = text;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: PgConnection): void {
    const listener = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }): void => {
      this.#types = dataTypeIDs;
    };
    connection.once("parameterDescription", listener);
    this.#stopListening = () => connection.removeListener("parameterDescription", listener);
    connection.stream.cork?.();
    try {
      connection.parse({ text: this.#text });
      connection.describe({ type: "S", name: "" });
      connection.sync();
    } finally {
      connection.stream.uncork?.();
    }
  }

  handleError(error: unknown): void {
    this.#stopListening();
    this.callback?.();
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    this.#stopListening();
    this.callback?.();
    this.#resolve(this.#types);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}
