export { buildTool } from "./tool/tool.js";
export { standardOf, type StandardSchema } from "./tool/standard-schema.js";
export { createDispatcher } from "./dispatch/kernel.js";
export { externalBy } from "./dispatch/external-by.js";
export { createPermissions } from "./dispatch/permissions/create-permissions.js";
export { createGate, type Gate, type GateMode, type Release } from "./dispatch/scheduling/gate.js";
export { presentQuestion, type AskedCall } from "./calls/present-question.js";
export {
  isToolResult,
  NotExecuted,
  toolResult,
  type MarkedResult,
  type ToolResultParts,
} from "./results/tool-result.js";

export type { ConcurrencyClass, ToolMetadata } from "./tool/fields.js";
export type * from "./tool/definition.js";
export type * from "./dispatch/state/dispatcher-types.js";
export type { DispatcherExtension } from "./dispatch/state/extension.js";
export type * from "./dispatch/permissions/permission-types.js";
export type { FlowSetting } from "./tool/flow-setting.js";
export type { Resource, ResourceKey } from "./tool/resource-key.js";
