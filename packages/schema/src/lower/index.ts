export { lower } from "./lower.js";
export { wireNames } from "./names.js";
export type { Loss, LowerOptions, LowerResult } from "./types.js";
