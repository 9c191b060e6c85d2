export { compileDestination, createPredicateCompiler } from "./compile-predicate.js";
export type { CompiledExpression, CompiledPredicate, ExpressionPredicate } from "../model/conditions.js";
export type { PredicateProblem } from "./check/messages.js";
export {
  listExpressionRows,
  findDecidedInput,
  findFirstUnprovedRow,
  createInputFinder,
  listGivenInputs,
  holds,
  shortText,
} from "./decision-table.js";
export type { Expression } from "../model/conditions.js";
export { predicateDefinition } from "./check/messages.js";
export { createConditionSampler } from "./samples/condition-inputs.js";
export { combineValues, createInputSampler, findTestedFields } from "./samples/sample-inputs.js";
