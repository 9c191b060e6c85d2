import type { Severity } from "@hasp/schema";
import type { Fix } from "./fix.js";

/** A place in a text, as editors count: lines and columns from 1, in UTF-16 code units. */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A stretch of a text; `end` is exclusive. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A place in one of the user's own files. */
export interface Location {
  /** Path relative to the project's root, with `/`. */
  readonly uri: string;
  readonly range: Range;
  /** JSON Pointer of the value there. */
  readonly pointer: string;
}

/** One finding: a code, one sentence that says what to do, a place in the user's own file. */
export interface Diagnostic {
  /** `phase/name` or a rule id. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** The remedy, where the message alone does not hold it. */
  readonly help?: string;
  /** Name of the tool it is about, when it is about one. */
  readonly tool?: string;
  /** `undefined` for what has no place in a file (no tools found, a bad option). */
  readonly location?: Location;
  readonly related?: readonly { readonly location: Location; readonly message: string }[];
  /** The fix that `hasp check --fix` applies, set only where there is exactly one. */
  readonly fix?: Fix;
  /** Diagnostics of the fail-closed group, the ledger and soundness cannot be suppressed or downgraded. */
  readonly fixed?: true;
  /** Holds only if every spec could be parsed, since it says that something does not exist or is not used. */
  readonly needsAllSpecs?: true;
}

/** The result of a phase: a value, and the findings. */
export interface Found<Value> {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}
