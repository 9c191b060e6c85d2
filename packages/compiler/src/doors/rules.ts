export { builtin } from "../builtin/index.js";
export { rules } from "../builtin/rules/index.js";
