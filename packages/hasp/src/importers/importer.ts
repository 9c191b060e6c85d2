import type { Found } from "../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../model/document.js";
import type { ImportedList } from "./imported-tool.js";

/** Turns one source into specs; pure. Its file bears the name of the kind of source that it reads. */
export type Importer = (document: LoadedDocument) => Found<ImportedList>;
