export { compileDestination, createPredicateCompiler } from "./compile-predicate.js";
export type { CompiledExpression, CompiledPredicate, ExpressionPredicate } from "../model/conditions.js";
export type { PredicateProblem } from "./check/messages.js";
export {
  expressionRows,
  findDecidedInput,
  findInput,
  givenInputs,
  holds,
  shortText,
  type ExpressionRow,
} from "./decision-table.js";
export { edgeInputs } from "./samples/edge-inputs.js";
export { listOperands, type Expression } from "../model/conditions.js";
export { predicateDefinition } from "./check/messages.js";
export { conditionInputs } from "./samples/condition-inputs.js";
export { combineValues, sampleInputs, testedFields } from "./samples/sample-inputs.js";
export { sampleValues } from "./samples/sample-values.js";
