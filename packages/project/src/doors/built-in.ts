export { haspConfigSchema, toolSpecSchema } from "../config/formats.js";
export { builtInPlugins, compile } from "../plugins/built-in.js";
