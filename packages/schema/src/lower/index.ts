export { lower } from "./lower.js";
export { measureSchema } from "./measure.js";
export type { SchemaMeasure } from "./measure.js";
export { wireNames } from "./names.js";
export { checkRequest } from "./request.js";
export type { RequestFinding, RequestTool } from "./request.js";
export type { Loss, LowerOptions, LowerResult } from "./types.js";
