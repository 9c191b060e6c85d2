export { lower } from "./lower.js";
export { measureSchema } from "./measure.js";
export type { SchemaMeasure } from "./measure.js";
export { wireNames } from "./names.js";
export { findWitnesses } from "./witness.js";
export { checkRequest, checkRequestTotals } from "./request.js";
export type { RequestFinding, RequestShare, RequestTool } from "./request.js";
export type { Loss, LowerOptions, LowerResult, SharedForms } from "./types.js";
