export { type HaspConfig, defineConfig } from "../config/config.js";
export { configDiagnostics } from "../config/diagnostics.js";
export { toPlan } from "../config/to-plan.js";
