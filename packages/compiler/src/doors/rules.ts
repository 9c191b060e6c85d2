export { builtin, handlers, mcp } from "../builtin/index.js";
export { rules } from "../builtin/rules/index.js";
export { findSecret, redactSecrets } from "../builtin/rules/reading/secret-forms.js";
export { createAnnotationCheck } from "../builtin/rules/schema/examples.js";
