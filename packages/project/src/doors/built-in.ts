export { haspConfigSchema, toolSpecSchema } from "../config/formats.js";
export { clients } from "@hasp/builtin";
export { builtInPlugins, compile, loadHandlerFindings } from "../plugins/built-in.js";
