export { lower } from "./lower.js";
export { measureSchema } from "./request/measure.js";
export type { SchemaMeasure } from "./request/measure.js";
export { wireNames } from "./request/wire-names.js";
export { findWitnesses } from "./losses/witness.js";
export { checkRequest, checkRequestTotals } from "./request/request.js";
export type { RequestFinding, RequestShare, RequestTool } from "./request/request.js";
export type { Loss, LowerOptions, LowerResult } from "./context/types.js";
