import type { Position } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { ImportSource } from "../importers/source/import-source.js";

export type ReadSource =
  | {
      readonly source: ImportSource;
      /** Texts by path, for code frames. */
      readonly sources: ReadonlyMap<string, string>;
      /** Names of unreadable tools. */
      readonly unread?: readonly { readonly name: string; readonly reason: string; readonly at?: Position }[];
    }
  | { readonly diagnostics: readonly Diagnostic[]; readonly sources: ReadonlyMap<string, string> }
  /** One sentence without its full stop. */
  | { readonly reason: string; readonly at?: Position };
