export { digestDefinition } from "../dispatch/permissions/tool-pattern.js";
export { readMembers } from "../dispatch/pipeline/answers.js";
export { TimeoutError } from "../dispatch/scheduling/with-timeout.js";
export {
  type BeginNested,
  inputDigest,
  previewProgram,
  showCall,
  type StoredProgram,
} from "../dispatch/state/call-state.js";
export type { ToolEntry } from "../dispatch/state/engine.js";
export type { KeptCall, KeptStep } from "../dispatch/state/extension.js";
export { refusal, Refusal } from "../results/call-errors.js";
export { createInternalFailure, refused } from "../results/outcome.js";
export { FLOW_TOPIC } from "../tool/flow-setting.js";
