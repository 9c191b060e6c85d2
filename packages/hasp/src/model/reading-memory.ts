import type { LoadedDocument } from "./document.js";

/** The files of a project by path. */
export interface Documents {
  get(path: string): LoadedDocument | undefined;
}

/** What was computed from an object and from files that it led to. */
export interface ReadingMemory<Key extends object, Value> {
  /** The value, computed anew unless every file that the last computation asked for is the very same. */
  of(key: Key, documents: Documents, compute: (documents: Documents) => Value): Value;
}

/** As `createMemory`, for results that rest on whatever files they ask for: which these are shows only while they are computed. */
export function createReadingMemory<Key extends object, Value>(): ReadingMemory<Key, Value> {
  const memories = new WeakMap<Key, { readonly asked: ReadonlyMap<string, LoadedDocument | undefined>; readonly value: Value }>();
  return {
    of(key, documents, compute) {
      const memory = memories.get(key);
      if (memory !== undefined && [...memory.asked].every(([path, document]) => documents.get(path) === document)) return memory.value;
      const asked = new Map<string, LoadedDocument | undefined>();
      const value = compute({
        get(path) {
          const document = documents.get(path);
          asked.set(path, document);
          return document;
        },
      });
      memories.set(key, { asked, value });
      return value;
    },
  };
}
