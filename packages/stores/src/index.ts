export { memoryCallStore } from "./calls/memory-call-store.js";
export type { RetentionOptions } from "./calls/retention.js";
export { listExternals, type StoredExternal } from "./durable/complete-call.js";
export { durableCalls } from "./durable/durable-calls.js";
export type { DurableOptions } from "./durable/durable-options.js";
