export { readInputs } from "../output/previous-manifest.js";
export { type RepositoryOnDisk, createCompilerHost, createHostWithFiles } from "../read/compiler-host.js";
export { projectFindings } from "../findings.js";
export { projectDiagnostics } from "../read/diagnostics.js";
export {
  CONFIG_NAMES,
  OWNER_FILES,
  SPEC_FILE,
  findAllConfigs,
  findConfigs,
  isProjectRoot,
  listSettingFiles,
  listGone,
} from "../read/file-names.js";
export { findOwnerLine } from "../read/owner-lines.js";
export type { CompilerHost } from "../read/host-questions.js";
export { type LiveHost, createLiveHost } from "../read/live-host.js";
export { readPackageJson, readProjectInfo, readProjectName } from "../read/project-info.js";
export { findFirstExisting, findUp, listAuthors, readGitUser } from "../fs/read-git.js";
export { readConfig } from "../read/read-config.js";
export { findSpecPaths, readProject, readProjectPlan } from "../read/read-project.js";
export { type SchemaFile, readSchemaFile } from "../read/read-schema-file.js";
export {
  type PinnedRemote,
  REMOTES_FOLDER,
  digestOfBytes,
  locateStoredRemote,
  readStoredRemote,
} from "../read/stored-remotes.js";
export { type NoSnapshot, copySnapshot, listConfigsAt } from "../snapshots/copy-snapshot.js";
