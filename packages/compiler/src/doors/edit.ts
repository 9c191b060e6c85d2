export { applyFix } from "../fixes/apply-fix.js";
export { applyFixes, type FixResult } from "../fixes/apply-fixes.js";
export { findMovedKey } from "../spec/moved-keys.js";
export { modernizeConfig, modernizeValue } from "../fixes/modernize-config.js";
export { findValue, replaceValue } from "../fixes/edit-source.js";
export { findReplacement, readJsonLayout } from "../text/edit-text.js";
