export { compilePredicate, type CompilePredicateResult } from "./compile-predicate.js";
export type { CompiledPredicate, CustomPredicate, ExpressionPredicate } from "./compiled-predicate.js";
export { partsOf, type Expression, type MemberExpression } from "./expression.js";
export { problemOfBacktracking, type PatternProblem } from "./pattern.js";
export type { PredicateProblem } from "./refusal.js";
