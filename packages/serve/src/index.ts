export { serveDiagnostics } from "./diagnostics.js";
export { findMissingVariables } from "./running/missing-variables.js";
export {
  type RunRequest,
  type RunningProject,
  loadPrograms,
  openRunningProject,
  pickOffered,
} from "./running/open-project.js";
export { withCleanOutput } from "./serving/clean-output.js";
export type { ListenAddress } from "./serving/serve-http.js";
export { type ServingPlace, serveProject } from "./serving/serve-project.js";
