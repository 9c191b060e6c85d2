export { SHARED_OUTPUT, digestCode, digestFile, digestText, headerMark } from "./emitters/base/module-text.js";
export { findConnectionFile } from "./emitters/base/names.js";
export { printEjectedHandler } from "./emitters/handler-modules.js";
export { type PreparedBuild, prepare } from "./emitters/prepare.js";
export { listWantedExports } from "./emitters/stubs.js";
export { clients } from "./clients/all.js";
export { kindPlugins } from "./kinds.js";
export { builtIn } from "./plugin.js";
export { rules } from "./rules/index.js";
