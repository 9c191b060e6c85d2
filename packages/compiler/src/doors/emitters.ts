export { SHARED_OUTPUT, digestFile, digestText, headerMark } from "../builtin/emitters/base/module-text.js";
export { findConnectionFile } from "../builtin/emitters/base/names.js";
export { printEjectedHandler } from "../builtin/emitters/handler-modules.js";
export { prepare } from "../builtin/emitters/prepare.js";
export { listWantedExports } from "../builtin/emitters/stubs.js";
