import { hash } from "node:crypto";
import type { SourceText } from "../model/document.js";
import { attachRecord } from "../model/file-record.js";
import { createMemory } from "../model/memory.js";
import { BookRecord } from "./book-record.js";
import { packRecords, unpackRecords } from "./packed-records.js";

/** The records of all files of a project, from earlier runs and of this one. */
export interface RecordBook {
  /** Whether there is a record of this file with this text. */
  knows(source: SourceText): boolean;
  /** Gives a file its record: the known one if the text is the same, else a new one. */
  open(source: SourceText): void;
  /** Takes up what another book of this very program packed, for files that have yet to be opened. */
  add(packed: Buffer): void;
  /** Says what a file leads to: a text that is another one whenever any of those files is. */
  settle(source: SourceText, context: string): void;
  /** The records of all files that were opened, for another run: those of its parts that are not what was read. */
  pack(): PackedBook;
  /**
   * Ends the use of all records, for who goes on with the same files and does not say any more what they lead to: what
   * rests on that would go stale.
   */
  close(): void;
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

/**
 * A book that starts from what another one packed. Whoever hands it in vouches for it: it must be from this very
 * program.
 */
export function createRecordBook(packed: PackedBook = {}): RecordBook {
  const known = new Map<string, BookRecord>();
  const inMain = new Set(packed.main === undefined ? [] : unpackRecords(packed.main));
  const inChanges = new Set(packed.changes === undefined ? [] : unpackRecords(packed.changes));
  for (const record of [...inMain, ...inChanges]) known.set(record.key, record);
  const opened = new Map<string, BookRecord>();
  const bySource = new WeakMap<SourceText, BookRecord>();
  return {
    knows: (source) => known.has(keyOf(source)),
    add(added) {
      for (const record of unpackRecords(added)) known.set(record.key, record);
    },
    open(source) {
      if (bySource.has(source) || source.unreadable !== undefined) return;
      const key = keyOf(source);
      const record = known.get(key) ?? new BookRecord(key);
      bySource.set(source, record);
      opened.set(key, record);
      attachRecord(source, record);
    },
    settle: (source, context) => bySource.get(source)?.settle(context),
    pack() {
      const records = [...opened.values()];
      const isStored = (record: BookRecord): boolean =>
        !record.hasChanged && (inMain.has(record) || inChanges.has(record));
      if (records.every(isStored)) return {};
      // The first run of a project packs all there is, and packs it once.
      if (packed.main !== undefined) {
        const changes = packRecords(records.filter((record) => !inMain.has(record) || record.hasChanged));
        if (changes.length * SHARE_OF_CHANGES < packed.main.length) return { changes };
      }
      return { main: packRecords(records), ...(packed.changes === undefined ? {} : { changes: packRecords([]) }) };
    },
    close() {
      for (const record of opened.values()) record.close();
      for (const records of [known, opened, inMain, inChanges]) records.clear();
    },
  };
}

const keysSoFar = createMemory<SourceText, string>();

/** Tells files apart, and texts of one file. */
function keyOf(source: SourceText): string {
  const { uri, role, text } = source;
  return keysSoFar.of(source, "", () => JSON.stringify([uri, role, hash("sha256", text, "base64url")]));
}
