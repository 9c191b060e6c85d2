export { FAIL_CLOSED_DEFAULTS, READ_ONLY_ENTAILS } from "./tool/defaults.js";
export { buildTool } from "./tool/tool.js";
export { createDispatcher } from "./dispatch/dispatcher.js";
export { createGate } from "./dispatch/scheduling/gate.js";
export { memoryResultStore } from "./results/memory-result-store.js";
export { NotExecuted, shouldTerminate, toolResult } from "./results/tool-result.js";

export type { ConcurrencyClass, Idempotence, InterruptBehavior, Limit, ToolMetadata } from "./tool/metadata.js";
export type * from "./tool/definition.js";
export type * from "./dispatch/dispatcher-types.js";
export type { AnyTool, Tool } from "./tool/tool.js";
export type { AbandonedCall, Gate, GateMode, GateTicket, Release } from "./dispatch/scheduling/gate.js";
export type { MemoryResultStore, ReadResultInput } from "./results/memory-result-store.js";
export type { MarkedResult } from "./results/tool-result.js";
