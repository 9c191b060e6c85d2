export { haspConfigSchema, toolSpecSchema } from "../config/formats.js";
export { builtInPlugins, compile, loadHandlerFindings } from "../plugins/built-in.js";
