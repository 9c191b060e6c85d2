// The public API for authors of plugins. hasp's own parts use the same interfaces.
export type {
  CompiledModel,
  FlatSchema,
  FlatTool,
  ModelList,
  ModelTool,
  ModelToolset,
  SchemaNode,
} from "@hasp/compiler/plugin";
export {
  definePlugin,
  type ListedTool,
  type ModelEmitter,
  type Plugin,
  type PluginDialect,
  type PluginFile,
  type PluginHandlerKind,
  type PluginImporter,
  type PluginReport,
  type PluginReporter,
  type PluginSource,
} from "@hasp/compiler/plugin";
export { testDialect, testEmitter, testHandlerKind, testRule } from "@hasp/project/plugin-testing";
export type { Parameter, ToolText } from "@hasp/compiler/plugin";
export {
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
} from "@hasp/compiler/plugin";
