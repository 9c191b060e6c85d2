export { compile, type CompileOptions, type CompileResult, type ToolLoss } from "./compile.js";
export type { PlanInput } from "./model/complete-plan.js";
export type { Diagnostic, Found, Location, Position, Range } from "@hasp/base/diagnostics";
export type { FileOwner, OutputFile, SourceRole, SourceText } from "./model/document.js";
export type { ExcludedTool, LoweredList, LoweredTool, LoweredToolset } from "./model/lowered.js";
export type {
  CallStoreSetting,
  CompilePlan,
  DialectPlan,
  IgnorePlan,
  OverridePlan,
  RuleSeverities,
  ToolSelector,
  ToolsetPlan,
} from "./model/plan.js";
export type { ToolSpec } from "./model/tool-spec.js";
export type { Plugins } from "./context/plugins.js";
export type { FlatTool, Relaxation } from "./model/tool.js";
export { type OnProgress, ignoreProgress, loadSource } from "./cached-steps.js";
