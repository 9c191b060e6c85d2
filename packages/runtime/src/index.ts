export { buildTool } from "./tool/tool.js";
export {
  standardOf,
  type StandardIssue,
  type StandardProperties,
  type StandardResult,
  type StandardSchema,
  type StandardTarget,
} from "./tool/standard-schema.js";
export { createDispatcher } from "./create-dispatcher.js";
export { createPermissions } from "./dispatch/permissions/create-permissions.js";
export { createGate } from "./dispatch/scheduling/gate.js";
export { createReadTool, memoryResultStore } from "./results/memory-result-store.js";
export { memoryCallStore } from "./calls/memory-call-store.js";
export {
  presentQuestion,
  type AskedCall,
  type PresentedQuestion,
  type PresentOptions,
} from "./calls/present-question.js";
export { DamagedStore, TurnConflict, UnknownTurn } from "./calls/call-store.js";
export { isToolResult, NotExecuted, shouldTerminate, toolResult } from "./results/tool-result.js";

export type { ConcurrencyClass, ToolMetadata } from "./tool/fields.js";
export type * from "./tool/definition.js";
export type * from "./calls/call-store.js";
export type { RetentionOptions } from "./calls/retention.js";
export type * from "./dispatch/state/dispatcher-types.js";
export type * from "./dispatch/permissions/permission-types.js";
export type { FlowOfTools, FlowSetting } from "./tool/flow-setting.js";
export type { AnyTool, Registration, Tool } from "./tool/tool.js";
export type { Resource, ResourceKey } from "./tool/resource-key.js";
export type { AbandonedCall, Gate, GateMode, GateTicket, Release } from "./dispatch/scheduling/gate.js";
export type { MemoryResultStore, ReadResultInput, ResultStore } from "./results/memory-result-store.js";
export type { MarkedResult, ToolResultParts } from "./results/tool-result.js";
