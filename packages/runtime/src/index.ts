export { FAIL_CLOSED_DEFAULTS, READ_ONLY_ENTAILS } from "./contract/defaults.js";
export { buildTool } from "./contract/tool.js";
export { createDispatcher } from "./dispatch/dispatcher.js";
export { createGate } from "./dispatch/gate.js";
export { memoryResultStore } from "./results/memory-result-store.js";
export { NotExecuted, shouldTerminate, toolResult } from "./results/tool-result.js";

export type { ConcurrencyClass, Idempotence, InterruptBehavior, Limit, ToolMetadata } from "./contract/metadata.js";
export type * from "./contract/definition.js";
export type * from "./contract/dispatcher.js";
export type { AnyTool, Tool } from "./contract/tool.js";
export type { AbandonedCall, Gate, GateMode, GateTicket, Release } from "./dispatch/gate.js";
export type { MemoryResultStore, ReadResultInput } from "./results/memory-result-store.js";
export type { MarkedResult } from "./results/tool-result.js";
