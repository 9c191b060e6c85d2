import type { Found } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { ImportSource, SourceForm } from "./source/import-source.js";
import type { ImportedSource } from "./specs/imported-source.js";

/** A kind of source, named like its file. */
export interface Importer {
  /**
   * The form of source that the user specifies: a file, a running server or database, or a module that exports schemas.
   */
  readonly reads: SourceForm;
  read(source: ImportSource): Found<ImportedSource>;
}
