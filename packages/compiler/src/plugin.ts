export type { SchemaNode } from "./model/schemas.js";
export type { FlatSchema, FlatTool } from "./model/tool.js";
export type { CompiledModel, ModelList, ModelTool, ModelToolset } from "./plugins/compiled-model.js";
export {
  definePlugin,
  type ListedTool,
  type ModelEmitter,
  type Plugin,
  type PluginFile,
  type PluginImporter,
  type PluginReport,
  type PluginReporter,
  type PluginSource,
} from "./plugins/plugin.js";
export type { PluginDialect } from "./model/dialect.js";
export type { PluginHandlerKind } from "./model/handlers.js";
export {
  type Parameter,
  type CheckedProject,
  defineRule,
  type FindingContext,
  type ProjectRule,
  type Report,
  type Rule,
  type RuleContext,
  type ToolRule,
  type ToolVisitor,
  type VisitorRule,
  isEnumerated,
} from "./plugins/rule.js";
export { type ToolText, PROMPT_ROLES, locateText } from "./plugins/texts.js";
export { type HandlerCall, type RecordedCall, createRecordedCall, markArgument } from "./handlers/expected-call.js";
export { isListed } from "./handlers/input-property.js";
export { type HandlerKinds, createHandlerKinds, findReferences } from "./handlers/kinds.js";
export { reporting, spec } from "./plugins/example-spec.js";
