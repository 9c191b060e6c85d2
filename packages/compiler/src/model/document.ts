import type { JsonValue } from "@hasp/schema";
import type { Location, Position } from "../diagnostics/diagnostic.js";

/** The purpose for which a file is read. */
export type SourceRole = "spec" | "shared" | "ledger" | "policy" | "config";

/** A file as text. `uri` is its path relative to the project's root, with `/`. */
export interface SourceText {
  readonly uri: string;
  readonly text: string;
  readonly role: SourceRole;
  /** The reason why there is no text, if the file could not be read. */
  readonly unreadable?: string;
  /** The place that makes it unreadable. Default: its beginning. */
  readonly unreadableAt?: Position;
}

/** A parsed file: its value as plain JSON, and the place of every value in the user's own text. */
export interface LoadedDocument {
  readonly uri: string;
  readonly role: SourceRole;
  readonly text: string;
  readonly value: JsonValue;
  /**
   * The place of the value (or of its key) at a JSON Pointer; that of the nearest enclosing value if nothing stands
   * there. Computed when asked, so that a clean run never pays for it.
   */
  locate(pointer: string, part?: "key" | "value"): Location;
}
