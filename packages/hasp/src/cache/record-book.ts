import { hash } from "node:crypto";
import type { SourceText } from "../model/document.js";
import { attachRecord, type FileRecord } from "../model/file-record.js";

/** A value of a record: a text of this run, or bytes of an earlier one that nobody has asked for yet. */
interface Entry {
  readonly content: string | Buffer;
  readonly isLinked: boolean;
  /** How many times the book was packed since somebody asked for it. */
  age: number;
}

/** A value that so many runs on the same file did not ask for belongs to settings that are no more. */
const OLDEST = 3;

/** Half a surrogate pair would come back as another text. */
const HALF_A_PAIR = /\p{Surrogate}/u;

/** The record of one file. */
class BookRecord implements FileRecord {
  readonly uri: string;
  readonly role: string;
  readonly digest: string;
  /** What the file leads to, when the linked values were computed. */
  context = "";
  /** Whether it says more or less than what was read. */
  hasChanged: boolean;
  /** Whether it stands in the main part as it is. */
  isInMain = false;
  readonly entries: Map<string, Entry>;

  constructor(uri: string, role: string, digest: string, entries?: Map<string, Entry>) {
    this.uri = uri;
    this.role = role;
    this.digest = digest;
    this.entries = entries ?? new Map();
    this.hasChanged = entries === undefined;
  }

  read(name: string): string | undefined {
    const entry = this.entries.get(name);
    if (entry === undefined) return undefined;
    entry.age = 0;
    return typeof entry.content === "string" ? entry.content : entry.content.toString("utf8");
  }

  write(name: string, content: string, isLinked: boolean): void {
    if (HALF_A_PAIR.test(content)) return;
    this.entries.set(name, { content, isLinked, age: 0 });
    this.hasChanged = true;
  }

  /** Says what the file leads to now. If that is something else, what rested on it is forgotten. */
  settle(context: string): void {
    if (this.context === context) return;
    for (const [name, { isLinked }] of this.entries) if (isLinked) this.entries.delete(name);
    this.context = context;
    this.hasChanged = true;
  }
}

/** The index of a packed book. Numbers stand for names, which are the same for most files. */
interface PackedIndex {
  readonly names: readonly string[];
  /** Each with its values: the name's number, bytes, 1 if linked, age. */
  readonly files: readonly (readonly [uri: string, role: string, digest: string, context: string, values: readonly number[]])[];
}

/** The records of all files of a project, from earlier runs and of this one. */
export interface RecordBook {
  /** Gives a file its record: the known one if the text is the same, else a new one. */
  open(source: SourceText): void;
  /** Says what a file leads to: a text that is another one whenever any of those files is. */
  settle(source: SourceText, context: string): void;
  /** The records of all files that were opened, for another run: those of its parts that are not what was read. */
  pack(): PackedBook;
}

/** A book as bytes. Any two parts fit together: a record says itself of which text it is. */
export interface PackedBook {
  /** Most of it. Made anew only when the other part has grown too large: most runs change little. */
  readonly main?: Buffer;
  /** The records that are not in the main part, or are others there. */
  readonly changes?: Buffer;
}

/** The changes may be one part in so many of the main part. */
const SHARE_OF_CHANGES = 4;

/** A book that starts from what another one packed. Whoever hands it in vouches for it: it must be from this very program. */
export function createRecordBook(packed: PackedBook = {}): RecordBook {
  const known = new Map<string, BookRecord>();
  for (const [key, record] of packed.main === undefined ? [] : unpacked(packed.main)) {
    record.isInMain = true;
    known.set(key, record);
  }
  for (const [key, record] of packed.changes === undefined ? [] : unpacked(packed.changes)) known.set(key, record);
  const opened = new Map<string, BookRecord>();
  const bySource = new WeakMap<SourceText, BookRecord>();
  return {
    open(source) {
      if (bySource.has(source) || source.unreadable !== undefined) return;
      const { uri, role, text } = source;
      const digest = hash("sha256", text, "base64url");
      const key = keyOf(uri, role, digest);
      const record = known.get(key) ?? new BookRecord(uri, role, digest);
      bySource.set(source, record);
      opened.set(key, record);
      attachRecord(source, record);
    },
    settle: (source, context) => bySource.get(source)?.settle(context),
    pack() {
      const records = [...opened.values()];
      if (!records.some(({ hasChanged }) => hasChanged)) return {};
      const changes = written(records.filter(({ isInMain, hasChanged }) => !isInMain || hasChanged));
      const isSmall = packed.main !== undefined && changes.length * SHARE_OF_CHANGES < packed.main.length;
      if (isSmall) return { changes };
      return { main: written(records), ...(packed.changes === undefined ? {} : { changes: written([]) }) };
    },
  };
}

function keyOf(uri: string, role: string, digest: string): string {
  return `${digest} ${role} ${uri}`;
}

function written(records: readonly BookRecord[]): Buffer {
  const numbers = new Map<string, number>();
  const contents: (string | Buffer)[] = [];
  let size = 0;
  const files = records.map(({ uri, role, digest, context, entries }): PackedIndex["files"][number] => {
    const values: number[] = [];
    for (const [name, { content, isLinked, age }] of entries) {
      if (age >= OLDEST) continue;
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      const bytes = Buffer.byteLength(content);
      size += bytes;
      contents.push(content);
      values.push(number, bytes, isLinked ? 1 : 0, age + 1);
    }
    return [uri, role, digest, context, values];
  });
  const index: PackedIndex = { names: [...numbers.keys()], files };
  const head = Buffer.from(`${JSON.stringify(index)}\n`);
  const book = Buffer.allocUnsafe(head.length + size);
  let position = head.copy(book);
  for (const content of contents) position += typeof content === "string" ? book.write(content, position) : content.copy(book, position);
  return book;
}

function unpacked(packed: Buffer): Map<string, BookRecord> {
  const end = packed.indexOf("\n");
  const { names, files } = JSON.parse(packed.toString("utf8", 0, end)) as PackedIndex;
  let position = end + 1;
  const records = new Map<string, BookRecord>();
  for (const [uri, role, digest, context, values] of files) {
    const entries = new Map<string, Entry>();
    for (let at = 0; at < values.length; at += 4) {
      const [number = 0, bytes = 0, isLinked, age = 0] = values.slice(at, at + 4);
      entries.set(names[number] ?? "", { content: packed.subarray(position, position + bytes), isLinked: isLinked === 1, age });
      position += bytes;
    }
    const record = new BookRecord(uri, role, digest, entries);
    record.context = context;
    records.set(keyOf(uri, role, digest), record);
  }
  return records;
}
