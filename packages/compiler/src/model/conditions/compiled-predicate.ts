import type { Expression } from "./expression.js";

/** A judgement of one parsed input, ready to be evaluated and to be printed. */
export type CompiledPredicate = ExpressionPredicate | CustomPredicate;

/** A CEL expression that passed the checker and our law. */
export interface ExpressionPredicate {
  readonly kind: "expression";
  /** The author's text. */
  readonly source: string;
  /** JSON Pointers (into the flat input schema's instances, `*` for any item) of the fields that it reads. */
  readonly reads: readonly string[];
  /** Set where the predicate judges a call, `{ input, context }`, and not an input. */
  readonly judgesCall?: true;
  /**
   * The body of a JavaScript arrow function over `input`, or over `call`, an expression that throws where CEL would report an error.
   * Uses only the names in `helpers`.
   */
  readonly javascript: string;
  /** Names that the expression needs from `@hasp/runtime/codegen/v1`, sorted. */
  readonly helpers: readonly string[];
  /** The same judgement as a typed tree, for rules that ask how it is reached. */
  readonly expression: Expression;
  /** The same judgement as a function; throws where the meaning is an error. */
  evaluate(input: unknown): boolean;
}

/** A function that the handler module must export under this name. */
export interface CustomPredicate {
  readonly kind: "custom";
  readonly name: string;
}
