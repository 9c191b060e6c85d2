export { type HaspConfig, defineConfig } from "../config/config.js";
export { toPlan } from "../config/to-plan.js";
