import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";

/** A file that an export makes; nothing is written yet. */
export interface ExportedFile {
  /** The file's name unless the user gives one. */
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Whether a file that begins like this is an earlier export, which may be replaced. */
  readonly isEarlier: (start: string) => boolean;
}

/** The file of an export, or why there is none. */
export type ExportOutcome = ExportedFile | { readonly diagnostics: readonly Diagnostic[] };
