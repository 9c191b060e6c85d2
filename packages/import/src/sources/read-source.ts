import type { Position } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { ImportSource } from "../importers/source/import-source.js";

/** A source as it was read, or why nothing could be read of it. */
export type ReadSource =
  | {
      readonly source: ImportSource;
      /** Texts by path, for code frames. */
      readonly sources: ReadonlyMap<string, string>;
      /** Tools that could not even be read, by name. */
      readonly unread?: readonly { readonly name: string; readonly reason: string; readonly at?: Position }[];
    }
  | { readonly diagnostics: readonly Diagnostic[]; readonly sources: ReadonlyMap<string, string> }
  /** One sentence without its end. */
  | { readonly reason: string; readonly at?: Position };
