import type { LoadedDocument } from "./document.js";
import { type FileSubject, type Kept, recalled } from "./memory.js";

/** The files of a project by path. */
export interface Documents {
  get(path: string): LoadedDocument | undefined;
}

/** What was computed from an object and from files that it led to. */
export interface ReadingMemory<Key extends object, Value> {
  /** The value, computed anew unless every file that the last computation asked for is the very same. */
  of(key: Key, documents: Documents, compute: (documents: Documents) => Value): Value;
}

/** What a value was computed from. */
interface Reading {
  /**
   * The files that it may yet ask for, as a place in one is looked up late: always those of the last time that somebody
   * wanted the value. With the first ones every file that ever was would stay in memory, through those of its time.
   */
  documents: Documents;
  readonly asked: Map<string, LoadedDocument | undefined>;
}

/**
 * As `createMemory`, for results that rest on whatever files they ask for: which these are shows only while they are
 * computed. A change of any of them must unsettle the record of the key's own file (see `settleRecords`), so that it
 * may keep the result.
 */
export function createReadingMemory<Key extends object, Value>(): ReadingMemory<Key, Value>;
export function createReadingMemory<Key extends FileSubject, Value>(kept: Kept<Key, Value>): ReadingMemory<Key, Value>;
export function createReadingMemory<Key extends object, Value>(
  kept?: Kept<Key & FileSubject, Value>,
): ReadingMemory<Key, Value> {
  const memories = new WeakMap<Key, { readonly reading: Reading; readonly value: Value }>();
  return {
    of(key, documents, compute) {
      const memory = memories.get(key);
      if (memory !== undefined && isSameReading(memory.reading.asked, documents)) {
        memory.reading.documents = documents;
        return memory.value;
      }
      const reading: Reading = { documents, asked: new Map() };
      const asking = (): Value =>
        compute({
          get(path) {
            const document = reading.documents.get(path);
            reading.asked.set(path, document);
            return document;
          },
        });
      // The overloads let no memory be kept whose keys are not of this kind.
      const value =
        kept === undefined
          ? asking()
          : recalled(withPaths(kept, reading.asked, documents), key as Key & FileSubject, "", asking);
      memories.set(key, { reading, value });
      return value;
    },
  };
}

function isSameReading(asked: ReadonlyMap<string, LoadedDocument | undefined>, documents: Documents): boolean {
  for (const [path, document] of asked) if (documents.get(path) !== document) return false;
  return true;
}

/** A value that is restored asks for nothing: which files it once asked for is kept with it. */
function withPaths<Key extends FileSubject, Value>(
  kept: Kept<Key, Value>,
  asked: Map<string, LoadedDocument | undefined>,
  documents: Documents,
): Kept<Key, Value> {
  return {
    ...kept,
    encode(value) {
      const text = kept.encode(value);
      return text === undefined ? undefined : `${JSON.stringify([...asked.keys()])}\n${text}`;
    },
    decode(text, compute, key) {
      const end = text.indexOf("\n");
      for (const path of JSON.parse(text.slice(0, end)) as readonly string[]) asked.set(path, documents.get(path));
      return kept.decode(text.slice(end + 1), compute, key);
    },
  };
}
