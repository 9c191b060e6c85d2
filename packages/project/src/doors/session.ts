export { askPlugin } from "../session/ask-plugin.js";
export {
  type CompiledProject,
  type FoundInTexts,
  type ProjectOptions,
  type ReadSession,
  compileProject,
  listProjectClaims,
  refuseUnlocked,
  withoutApprovals,
} from "../session/compile-project.js";
export { printOwnHandler } from "../session/compile-tool.js";
export { findCurrentTool } from "../session/current-tool.js";
export { sessionDiagnostics, sessionFindings } from "../session/diagnostics.js";
export { findConfigAbove, findConfiguredFolder, findProjectRoot } from "../session/find-root.js";
export { type FixedFile, fixFiles, isEditable, writeFixes } from "../session/fix-files.js";
export { type LastRun, type RunCache, type RunRecord, openRunCache } from "../session/run-cache.js";
export { findEditorSchemaPath, findSpecFolder } from "../session/spec-folder.js";
export { type FinishRound, watchProject } from "../session/watch.js";
