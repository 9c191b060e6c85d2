export { joinPlugins } from "../context/plugins.js";
export { buildModel } from "../plugins/compiled-model.js";
export { listProjectRules } from "../plugins/custom-rules.js";
export { pluginDiagnostics } from "../plugins/diagnostics.js";
export {
  type ForeignPlugins,
  type PluginAnswer,
  type PluginRequests,
  failure,
  reportWrongAnswer,
} from "../plugins/foreign-plugins.js";
export { readPluginShape } from "../plugins/plugin-shape.js";
export { PartError, checkWithPlugin, describePlugin } from "../run-plugin.js";
