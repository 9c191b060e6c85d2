export { haspConfigSchema, toolSpecSchema } from "../config/formats.js";
export { builtInPlugins, clients, compile, loadHandlerFindings } from "../plugins/built-in.js";
