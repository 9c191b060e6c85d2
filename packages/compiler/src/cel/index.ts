export { createPredicateCompiler, type CompilePredicateResult } from "./compile-predicate.js";
export type {
  CompiledPredicate,
  CustomPredicate,
  ExpressionPredicate,
} from "../model/conditions/compiled-predicate.js";
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
export { partsOf, type Expression, type MemberExpression } from "../model/conditions/expression.js";
export { predicateDefinition } from "./model/messages.js";
export type { PredicateProblem } from "./model/refusal.js";
export { conditionInputs } from "./samples/condition-inputs.js";
export {
  combinations,
  sampleInputs,
  testedFields,
  type TestedField,
  type TestedFields,
} from "./samples/sample-inputs.js";
export { bothHold, sampleValues } from "./samples/sample-values.js";
