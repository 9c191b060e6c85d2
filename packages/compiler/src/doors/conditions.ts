export { ALLOWED } from "../cel/check/check-functions.js";
export { createEvaluator } from "../cel/check/evaluate.js";
export {
  createInputFinder,
  holds,
  listExpressionRows,
  listGivenInputs,
  findUntriedAnswers,
  proveRows,
  shortText,
  findFirstUnprovedRow,
} from "../cel/decision-table.js";
export { createConditionSampler } from "../cel/samples/condition-inputs.js";
export { combineValues, findTestedFields, createInputSampler } from "../cel/samples/sample-inputs.js";
export {
  type CompiledExpression,
  type CompiledPredicate,
  type Expression,
  type ExpressionPredicate,
  listOperands,
  listPredicates,
  type ArithmeticDomain,
  type ArithmeticOperator,
  type OrderOperator,
} from "../model/conditions.js";
export { createPredicateCompiler } from "../cel/compile-predicate.js";
export { type PrintedPredicate, printJavaScript } from "../cel/print-javascript.js";
export { compileConditions } from "../phases/3-flatten/conditions.js";
