export { callStoreSetting } from "../config/config.js";
export { configDiagnostics } from "../config/diagnostics.js";
export { type NotData, toPlainData } from "../config/plain-data.js";
export { withPlugins } from "../config/plugin-dialects.js";
export { type ConfigFile, listPresets } from "../config/presets.js";
export { findSpansInProgram } from "../config/program-spans.js";
export { toPlan } from "../config/to-plan.js";
