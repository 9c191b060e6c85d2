import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";

/** An exported file that is not yet written. */
export interface ExportedFile {
  /** Default file name. */
  readonly name: string;
  readonly content: string | Uint8Array;
  /** True if the beginning of a file shows an earlier export, which may be replaced. */
  readonly isEarlier: (start: string) => boolean;
}

export type ExportOutcome = ExportedFile | { readonly diagnostics: readonly Diagnostic[] };
