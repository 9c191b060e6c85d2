import type { LoadedDocument, SourceText } from "./document.js";

/**
 * What earlier runs computed from one file, as texts by name. Values that rest on the file alone stay as long as its
 * text does; those that also rest on the files that it leads to are `linked`, and go when one of these changes.
 */
export interface FileRecord {
  read(name: string): string | undefined;
  write(name: string, text: string, isLinked: boolean): void;
}

const records = new WeakMap<SourceText | LoadedDocument, FileRecord>();

/** Ties a record to the file of which it tells. */
export function attachRecord(file: SourceText | LoadedDocument, record: FileRecord): void {
  records.set(file, record);
}

/** The record of a file, where one is kept. */
export function recordOf(file: SourceText | LoadedDocument): FileRecord | undefined {
  return records.get(file);
}
