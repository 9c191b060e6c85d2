export { compileDestination, createPredicateCompiler } from "./compile-predicate.js";
export type { CompiledExpression, CompiledPredicate, ExpressionPredicate, Expression } from "../model/conditions.js";
export { type PredicateProblem, predicateDefinition } from "./check/messages.js";
export {
  listExpressionRows,
  findDecidedInput,
  findFirstUnprovedRow,
  createInputFinder,
  listGivenInputs,
  holds,
  shortText,
} from "./decision-table.js";
export { createConditionSampler } from "./samples/condition-inputs.js";
export { combineValues, createInputSampler, findTestedFields } from "./samples/sample-inputs.js";
