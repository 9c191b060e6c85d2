export { applyFix } from "../fixes/apply-fix.js";
export { applyFixes } from "../fixes/apply-fixes.js";
export { findValue, replaceValue } from "../fixes/edit-source.js";
export { addExports } from "../typescript/add-exports.js";
export { readImports, typeMembers } from "../typescript/parser.js";
