import type { Diagnostic, Found } from "../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../model/document.js";
import type { ImportedSource } from "./specs/imported-source.js";

/** A kind of source. Its file bears the name by which `hasp import` knows it. */
export interface Importer {
  /** What the user names: a file, a server that runs, or a module that exports schemas. */
  readonly reads: SourceForm;
  /** Turns the source into specs; pure. */
  read(source: ImportSource): Found<ImportedSource>;
}

/** In what form a source is found. */
export type SourceForm = "file" | "server" | "module";

/** A source as an importer is given it: read from wherever it is, and parsed. */
export interface ImportSource {
  /** What the specs call it: the name of the file, or that of the server. */
  readonly name: string;
  readonly document: LoadedDocument;
  /** What could not be read in that document: a tool in which one of these stands is refused. */
  readonly faults?: readonly Diagnostic[];
  /** Every document to which something in the source refers, by path; a text for one that could not be read. */
  readonly documents: ReadonlyMap<string, LoadedDocument | string>;
  /** Whether a tool is asked for, by any of its names. All are, if it is not given. */
  readonly isWanted?: (names: readonly string[]) => boolean;
}
