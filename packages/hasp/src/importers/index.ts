import type { Found } from "../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../model/document.js";
import type { ImportedList } from "./imported-tool.js";

/** What `hasp import <kind>` can read. */
export const importers: { readonly [kind in ImportKind]: () => Promise<Importer> } = {
  "mcp-list": async () => (await import("./mcp-list.js")).importMcpList,
};

/** A kind of source. */
export type ImportKind = "mcp-list";

/** Turns one source into specs; pure. */
export type Importer = (document: LoadedDocument) => Found<ImportedList>;
