export { lower } from "./lower.js";
export { measureSchema } from "./measure.js";
export type { SchemaMeasure } from "./measure.js";
<<<<<<< HEAD
export { wireNames } from "./names.js";
export { findWitnesses } from "./witness.js";
=======
export { wireNames } from "./wire-names.js";
>>>>>>> d832352 (closeSchema has its own entry only; lowering to one dialect need not carry the others; equal branches told once)
export { checkRequest, checkRequestTotals } from "./request.js";
export type { RequestFinding, RequestShare, RequestTool } from "./request.js";
export type { Loss, LowerOptions, LowerResult } from "./types.js";
