export { ALLOWED } from "../cel/check/check-functions.js";
export { createEvaluator } from "../cel/check/evaluate.js";
export { findInput, holds, listExpressionRows, listGivenInputs } from "../cel/decision-table.js";
