export { FAIL_CLOSED_DEFAULTS } from "./contract/defaults.js";
export type { ConcurrencyClass, Idempotence, InterruptBehavior, Limit, ToolMetadata } from "./contract/metadata.js";
export type * from "./contract/definition.js";
