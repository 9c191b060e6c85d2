export { type ImportKind, importers } from "./importers/index.js";
export { readMcpTools } from "./importers/mcp-list.js";
export { importDiagnostics } from "./importers/source/diagnostics.js";
export {
  type ImportSource,
  type ImportedConnection,
  type ImportedSource,
  type ImportedTool,
  type Importer,
  type ReadSource,
  type SharedFile,
  type SourceForm,
  readSourceName,
} from "./importers/source/importer.js";
export { type AddedConnection, addConnection } from "./importers/specs/add-connection.js";
export { compareShared, compareSpec } from "./importers/specs/compare-import.js";
export {
  SHARED_ORIGIN,
  computeDigest,
  computeImportedDigest,
  createSharedFile,
  pickImported,
  printCanonical,
} from "./importers/specs/imported-part.js";
export type { MergeConflict, Side } from "./importers/specs/merge-import.js";
export { CONNECTION_NAME, createToolName } from "./importers/specs/names.js";
export { printSpec, printUnchecked } from "./importers/specs/print-spec.js";
export { toWarnings } from "./importers/translation/definition-stock.js";
