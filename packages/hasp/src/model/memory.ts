import { hash } from "node:crypto";
import type { LoadedDocument } from "./document.js";
import { recordOf } from "./file-record.js";

/** What was computed from an object before. */
export interface Memory<Key extends object, Value> {
  /**
   * The value for this object, and for whatever else it depends on, said in `settings`; computed where it is not yet
   * known.
   */
  of(key: Key, settings: string, compute: () => Value): Value;
}

/** What a value that outlives its run is computed from: a file, or one tool of a file. */
export type FileSubject = LoadedDocument | { readonly document: LoadedDocument; readonly pointer: string };

/** How the values of a memory are kept from run to run, in the record of the file that they were computed from. */
export interface Kept<Key extends FileSubject, Value> {
  /** Its name in the record; no other memory has it. */
  readonly name: string;
  /** Whether the value rests on nothing but the file's own text; otherwise also on the files that it leads to. */
  readonly isOfFileAlone?: boolean;
  /** The value as text; `undefined` for one that is not kept. */
  encode(value: Value): string | undefined;
  /**
   * The value again. What is dear to restore may be left to `compute`, which does the work anew; it is called once at
   * most.
   */
  decode(text: string, compute: () => Value, key: Key): Value;
}

/** Keeps plain JSON values. */
export function keptAsJson<Value>(
  name: string,
  { isOfFileAlone = false }: { readonly isOfFileAlone?: boolean } = {},
): Kept<FileSubject, Value> {
  // What was written is what `JSON.stringify` made of a value of this type.
  return { name, isOfFileAlone, encode: (value) => JSON.stringify(value), decode: (text) => JSON.parse(text) as Value };
}

/** A value, the settings for which it holds, and what was remembered of the same object before. */
interface Remembered<Value> {
  readonly settings: string;
  readonly value: Value;
  readonly next: Remembered<Value> | undefined;
  readonly count: number;
}

/** So many values are kept for one object: who compiles under two plans in turn still finds both. */
const MOST_VALUES = 16;

/**
 * Remembers results of pure functions by the identity of what they were computed from. Who compiles again and again
 * (`--watch`, an editor) hands in the same objects for what has not changed, and pays for the rest only. Nothing
 * outlives its object, and nothing that is remembered can be told from what would be computed. With `kept`, values are
 * also found in, and written to, the record of the file behind the object, if it has one.
 */
export function createMemory<Key extends object, Value>(): Memory<Key, Value>;
export function createMemory<Key extends FileSubject, Value>(kept: Kept<Key, Value>): Memory<Key, Value>;
export function createMemory<Key extends object, Value>(kept?: Kept<Key & FileSubject, Value>): Memory<Key, Value> {
  // Nearly always there is one value, for which a map would be dear: there are memories by the dozen and keys by the
  // thousand.
  const entries = new WeakMap<Key, Remembered<Value>>();
  return {
    of(key, settings, compute) {
      const first = entries.get(key);
      for (let entry = first; entry !== undefined; entry = entry.next) {
        if (entry.settings === settings) return entry.value;
      }
      // The overloads let no memory be kept whose keys are not of this kind.
      const value = kept === undefined ? compute() : recalled(kept, key as Key & FileSubject, settings, compute);
      const next = first === undefined || first.count >= MOST_VALUES ? undefined : first;
      entries.set(key, { settings, value, next, count: (next?.count ?? 0) + 1 });
      return value;
    },
  };
}

/** The value from the record of its file; where there is none, the computed one, which the record then gets. */
export function recalled<Key extends FileSubject, Value>(
  kept: Kept<Key, Value>,
  key: Key,
  settings: string,
  compute: () => Value,
): Value {
  const subject: FileSubject = key;
  const [document, pointer] = "document" in subject ? [subject.document, subject.pointer] : [subject, ""];
  if (kept.isOfFileAlone !== true && document.role !== "spec") {
    throw new Error(`"${kept.name}" of ${document.uri} would go stale: only of specs is it known what they lead to.`);
  }
  const record = recordOf(document);
  if (record === undefined) return compute();
  const name = `${kept.name} ${pointer} ${shortSettings(settings)}`;
  const text = record.read(name);
  if (text !== undefined) return kept.decode(text, once(compute), key);
  const value = compute();
  const encoded = kept.encode(value);
  if (encoded !== undefined) record.write(name, encoded, kept.isOfFileAlone !== true);
  return value;
}

/** Most settings are the same for every tool of a run. */
const digests = new Map<string, string>();
const MOST_DIGESTS = 64;
const SHORT = 200;

/** Settings as they stand in a record: long ones as their digest. */
export function shortSettings(settings: string): string {
  if (settings.length <= SHORT) return settings;
  const known = digests.get(settings);
  if (known !== undefined) return known;
  const digest = hash("sha256", settings, "base64url");
  if (digests.size >= MOST_DIGESTS) digests.clear();
  digests.set(settings, digest);
  return digest;
}

/** Computes when first asked, and never again. */
export function once<Value>(compute: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: compute() }).value;
}
