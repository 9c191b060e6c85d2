export { builtInPlugins, compile } from "../plugins/built-in.js";
