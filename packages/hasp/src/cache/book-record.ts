import type { FileRecord } from "../model/file-record.js";

/** Bytes in which records stand, and the numbers of the names under which their values do. */
export interface PackedPart {
  readonly bytes: Buffer;
  readonly names: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
}

/** A value in packed bytes. A list of numbers, and no object each: there are a dozen for every file. */
export type PackedValue = readonly [name: number, start: number, length: number, isLinked: number, age: number];

/** A value as it is packed. */
export interface RecordValue {
  readonly name: string;
  readonly content: string | Buffer;
  readonly isLinked: boolean;
  /** How many times the book was packed since somebody asked for it. */
  readonly age: number;
}

const FIELDS = 5;

/** Half a surrogate pair would come back as another text. */
const HALF_A_PAIR = /\p{Surrogate}/u;

/** The record of one file. Bytes of an earlier run are read once somebody asks for a value. */
export class BookRecord implements FileRecord {
  /** Says of which file, in which role and with which text. */
  readonly key: string;
  /** What the file leads to, when the linked values were computed. */
  context: string;
  /** Whether it says more or less than what was read. */
  hasChanged: boolean;
  #part: PackedPart | undefined;
  #packed: number[];
  readonly #written = new Map<string, { readonly content: string; readonly isLinked: boolean }>();
  #isClosed = false;

  /** A new record, or one of which a part holds values, each as the fields of {@link PackedValue} in a row. */
  constructor(key: string, context = "", part?: PackedPart, packed: number[] = []) {
    this.key = key;
    this.context = context;
    this.hasChanged = part === undefined;
    this.#part = part;
    this.#packed = packed;
  }

  read(name: string): string | undefined {
    const written = this.#written.get(name);
    if (written !== undefined) return written.content;
    const number = this.#part?.numbers.get(name);
    if (number === undefined) return undefined;
    for (let at = 0; at < this.#packed.length; at += FIELDS) {
      if (this.#packed[at] !== number) continue;
      this.#packed[at + 4] = 0;
      const start = this.#packed[at + 1] ?? 0;
      return this.#part?.bytes.toString("utf8", start, start + (this.#packed[at + 2] ?? 0));
    }
    return undefined;
  }

  write(name: string, content: string, isLinked: boolean): void {
    if (this.#isClosed || HALF_A_PAIR.test(content)) return;
    this.#written.set(name, { content, isLinked });
    this.hasChanged = true;
  }

  /** Says what the file leads to now. If that is something else, what rested on it is forgotten. */
  settle(context: string): void {
    if (this.context === context) return;
    for (const [name, { isLinked }] of this.#written) if (isLinked) this.#written.delete(name);
    this.#packed = this.#values()
      .filter(([, , , isLinked]) => isLinked === 0)
      .flat();
    this.context = context;
    this.hasChanged = true;
  }

  /** Forgets all, for good: nothing that is written from now on is kept. */
  close(): void {
    this.#isClosed = true;
    this.#part = undefined;
    this.#packed = [];
    this.#written.clear();
  }

  /** Every value. */
  values(): readonly RecordValue[] {
    const part = this.#part;
    const packed = this.#values().flatMap(([number, start, length, isLinked, age]): readonly RecordValue[] => {
      const name = part?.names[number];
      if (part === undefined || name === undefined || this.#written.has(name)) return [];
      return [{ name, content: part.bytes.subarray(start, start + length), isLinked: isLinked === 1, age }];
    });
    return [
      ...packed,
      ...[...this.#written].map(([name, { content, isLinked }]) => ({ name, content, isLinked, age: 0 })),
    ];
  }

  #values(): readonly PackedValue[] {
    const values: PackedValue[] = [];
    for (let at = 0; at < this.#packed.length; at += FIELDS) {
      const [name = 0, start = 0, length = 0, isLinked = 0, age = 0] = this.#packed.slice(at, at + FIELDS);
      values.push([name, start, length, isLinked, age]);
    }
    return values;
  }
}
