export { serveDiagnostics } from "./diagnostics.js";
export { readAuth } from "./serving/read-auth.js";
export { type ListenAddress, serveHttp } from "./serving/serve-http.js";
export { findMissingVariables } from "./running/missing-variables.js";
export { type RunningProject, explainWithheld, loadPrograms, openRunningProject } from "./running/open-project.js";
export { type OfferConditions, type OfferedTools, selectOfferedTools } from "./running/served-tools.js";
export { withCleanOutput, withOutputAside } from "./serving/clean-output.js";
export { type Serving, serveTools } from "./serving/serve-tools.js";
export { type Telemetry, findTelemetryVariable, startTelemetry } from "./serving/telemetry.js";
