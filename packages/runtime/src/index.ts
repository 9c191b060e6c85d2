export {
  entailedBy,
  expectedValue,
  FAIL_CLOSED_DEFAULTS,
  FIELD_ENTRIES,
  FIELDS,
  flagsOfRow,
  hintsOf,
  isLooser,
  metadataOf,
  OUTPUT_CHECK,
  strictest,
  VARYING_FLAGS,
} from "./tool/fields.js";
export { TOOL_KEYS } from "./tool/keys.js";
export { RESOURCE_KEY_PATTERN } from "./tool/resource-key.js";
export { findContradictions, resolveMetadata } from "./tool/metadata.js";
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
export { isSecretSchema } from "./tool/secret-schema.js";
export { matchesPattern } from "./dispatch/permissions/tool-pattern.js";
export { isPublicAddress } from "./declared/public-address.js";
export type { CallOptions, DeclaredHandler } from "./secrets/declared-handler.js";
export type { Redacted, Redactor, SecretHolder, SecretPatterns, TokenSource } from "./secrets/redactor.js";
export { decideFlow, strictestFlow } from "./tool/flow-setting.js";
export { isToolResult, NotExecuted, shouldTerminate, toolResult } from "./results/tool-result.js";

export type {
  ConcurrencyClass,
  Field,
  FieldEntry,
  FieldGroup,
  FieldName,
  FieldPath,
  FieldValue,
  FieldValues,
  FlagValues,
  Idempotence,
  InterruptBehavior,
  Limit,
  OutputCheck,
  ToolMetadata,
  VaryingFlag,
} from "./tool/fields.js";
export type { KindValues, ToolData, ToolFacts } from "./tool/keys.js";
export type { Contradiction, ResolvedMetadata } from "./tool/metadata.js";
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
