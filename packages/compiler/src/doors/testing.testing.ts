export { anthropicToolset, flatTool, plan } from "../context/flat-tool.testing.js";
export { flatTools } from "../context/flat-tools.testing.js";
export { spec } from "../plugins/example-spec.js";
export type { PrintedPredicate } from "../cel/print-javascript.js";
export {
  OPERATOR_CONDITIONS,
  OPERATOR_INPUT,
  type Part,
  type SeenValues,
  answersOf,
  faultyTrees,
  noteValues,
  operatorInput,
  printTree,
} from "../cel/printer-faults.testing.js";
export type { ContextInput, EmitInput } from "../context/context.js";
export { FIELD_WORDS } from "../model/field-words.js";
export { findObstacles } from "../model/inclusion/index.js";
export { RESERVED_WORDS } from "../model/reserved-names.js";
export { resolve } from "../phases/2-resolve/index.js";
export { lower } from "../phases/5-lower/index.js";
export { listMetadata } from "../plugins/compiled-model.js";
export { compiledModelSchema } from "../spec/compiled-model-schema.js";
export { createPredicateCompiler } from "../cel/compile-predicate.js";
export { findFirstUnprovedRow } from "../cel/decision-table.js";
export { plainPlan, specSource } from "../context/flat-tools.testing.js";
export type { FixResult } from "../fixes/apply-fixes.js";
export { check } from "../phases/4-check/index.js";
export { groupFile } from "../typescript/layout.js";
export type { PolicyRuleSpec, PolicySpec } from "../model/policy.js";
export { testContext } from "../context/context.testing.js";
