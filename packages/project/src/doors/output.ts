export { type FileDrift, checkFiles, findStrangers, printUnifiedDiff } from "../output/check-files.js";
export { checkTypeScript } from "../output/check-typescript.js";
export { cleanFiles } from "../output/clean-files.js";
export { formatUserFiles } from "../output/format-user-file.js";
export { driftDiagnostics } from "../output/output-diagnostics.js";
export { readTextIfThere } from "../output/previous-manifest.js";
export { checkTaskInputs, writeTaskInputs } from "../output/task-inputs.js";
export { type StubUpdate, findStubUpdates, writeStubUpdates } from "../output/update-stubs.js";
export {
  type UserFileResult,
  editUserFile,
  makeUserFile,
  removeUserFile,
  updateUserFile,
} from "../output/user-files.js";
export { type WriteReport, writeFiles } from "../output/write-files.js";
export { writeReport } from "../output/write-report.js";
