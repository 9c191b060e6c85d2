export { importers, type ImportKind } from "./importers/index.js";
export { importDiagnostics } from "./importers/source/diagnostics.js";
export {
  SHARED_ORIGIN,
  computeDigest,
  computeImportedDigest,
  printCanonical,
} from "./importers/specs/imported-part.js";
export type { MergeConflict, Side } from "./importers/specs/merge-import.js";
export { type CheckedList, checkSource } from "./checking/check-source.js";
export { CONNECTION_NAME, createToolName } from "./importers/specs/names.js";
export type { AskAboutConflicts, ImportOptions } from "./sources/import-request.js";
export { sourceFindings } from "./sources/source-diagnostics.js";
export { readRecord, recordPath } from "./writing/import-records.js";
export { type FinishedImport, importTools } from "./writing/import-tools.js";
export { printSide } from "./writing/merge-drift.js";
export type { WrittenConnections } from "./writing/write-connection.js";
