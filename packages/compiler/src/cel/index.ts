export { compileDestination, createPredicateCompiler, type CompilePredicateResult } from "./compile-predicate.js";
export type {
  CompiledExpression,
  CompiledPredicate,
  CustomPredicate,
  ExpressionPredicate,
} from "../model/conditions.js";
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
export { listOperands, type Expression, type MemberExpression } from "../model/conditions.js";
export { predicateDefinition } from "./check/messages.js";
export type { PredicateProblem } from "./check/messages.js";
export { conditionInputs } from "./samples/condition-inputs.js";
export {
  combinations,
  sampleInputs,
  testedFields,
  type TestedField,
  type TestedFields,
} from "./samples/sample-inputs.js";
export { bothHold, sampleValues } from "./samples/sample-values.js";
