export { checkRules } from "../check-rules.js";
export {
  createContextFor,
  type BuiltInPlugin,
  type EmitInput,
  type CompileContext,
  type ContextInput,
  createContext,
} from "../context/context.js";
export { joinPlugins } from "../context/plugins.js";
export { buildModel, describeTool, printSpecPlace, listMetadata } from "../plugins/compiled-model.js";
export { listProjectRules } from "../plugins/custom-rules.js";
export { pluginDiagnostics } from "../plugins/diagnostics.js";
export {
  type ForeignPlugins,
  type PluginAnswer,
  type PluginRequests,
  failure,
  readFiles,
  reportWrongAnswer,
} from "../plugins/foreign-plugins.js";
export { FUNCTION } from "../plugins/function-mark.js";
export { readPluginShape } from "../plugins/plugin-shape.js";
export { type Keeping, plainData } from "../context/keeping.js";
export { emit } from "../phases/6-emit/index.js";
export { proveModel } from "../phases/6-emit/prove-model.js";
export { listSchemaNodes } from "../model/schemas.js";
export type { ToolModel } from "../model/tool.js";
export { check } from "../phases/4-check/index.js";
export { lower } from "../phases/5-lower/index.js";
