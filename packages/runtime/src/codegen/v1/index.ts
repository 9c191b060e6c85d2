export { bindLazyTool, bindTool, type BoundTool, type IsolatedExecute } from "./bind-tool.js";
export {
  all,
  checkedDuration,
  checkedTimestamp,
  compareText,
  contains,
  divideIntegers,
  duration,
  equal,
  exists,
  hasMember,
  matches,
  member,
  remainder,
  safeInteger,
  textLength,
  timestamp,
} from "./cel.js";
export { type Features, listFor } from "./registry.js";
export {
  type CustomCheck,
  type CustomDescription,
  type CustomPredicate,
  type Execute,
  type HandlerCheck,
  type HandlerProblem,
  kindHandler,
  type KindSettings,
  type OptionalExports,
  type OptionalLazyExports,
} from "./handler.js";
export { geminiSchema, type Lazy, withDefinitions } from "./lazy-schema.js";
export { once as lazy } from "../../tool/callback.js";
export type * from "./provider-lists.js";
export { createRegistry, type Registry, type RegistryEntries, type ToolTypesByName } from "./registry.js";
export { sentence } from "../../tool/sentence.js";
export type {
  CheckedInput,
  CustomFunction,
  SpecCheck,
  SpecFlag,
  SpecMetadata as ToolMetadata,
  SpecPredicate,
  SpecRule,
  ToolDialects,
  ToolSpec,
  ToolTypes,
} from "./tool-spec.js";
export type { JsonSchema } from "@hasp/schema";
