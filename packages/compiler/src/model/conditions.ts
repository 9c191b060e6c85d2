/** A condition or check over one parsed input. */
export type CompiledPredicate = ExpressionPredicate | HandlerPredicate;

/** A CEL expression that passed the checker. */
export interface CompiledExpression {
  readonly source: string;
  /** JSON Pointers (into the flat input schema's instances, `*` for any item) of the fields that it reads. */
  readonly reads: readonly string[];
  /** The body of an arrow function over `input` or `call`; it throws where CEL reports an error. */
  readonly javascript: string;
  readonly helpers: readonly string[];
  readonly expression: Expression;
}

export interface ExpressionPredicate extends CompiledExpression {
  readonly kind: "expression";
  /** Throws where CEL reports an error. */
  evaluate(input: unknown): boolean;
}

/** A function that the handler module must export under this name. */
interface HandlerPredicate {
  readonly kind: "custom";
  readonly name: string;
}

/** Lists the predicates of a tool: of its rules, its flags and its checks. */
export function listPredicates<Predicate>({ rules, flags, checks }: Conditions<Predicate>): readonly Predicate[] {
  return [
    ...rules.map(({ when }) => when),
    ...flags.map(({ predicate }) => predicate),
    ...checks.map(({ that }) => that),
  ];
}

interface Conditions<Predicate> {
  readonly rules: readonly { readonly when: Predicate }[];
  readonly flags: readonly { readonly predicate: Predicate }[];
  readonly checks: readonly { readonly that: Predicate }[];
}

/** A checked CEL expression as a typed tree, independent of the CEL library. */
export type Expression =
  | { readonly kind: "literal"; readonly value: null | boolean | number | string }
  | { readonly kind: "input" }
  | { readonly kind: "variable"; readonly name: string }
  | MemberExpression
  | { readonly kind: "has"; readonly object: Expression; readonly name: string; readonly pointer: string }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "not"; readonly operand: Expression }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: "condition";
      readonly test: Expression;
      readonly consequent: Expression;
      readonly alternative: Expression;
    }
  | {
      readonly kind: "equals";
      readonly negated: boolean;
      readonly by: "identity" | "value";
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "order";
      readonly operator: OrderOperator;
      readonly of: "number" | "string" | "time";
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "in-list";
      readonly by: "identity" | "value";
      readonly item: Expression;
      readonly list: Expression;
    }
  | { readonly kind: "in-map"; readonly key: Expression; readonly map: Expression }
  | {
      readonly kind: "arithmetic";
      readonly operator: ArithmeticOperator;
      readonly of: ArithmeticDomain;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "negate"; readonly operand: Expression }
  | { readonly kind: "size"; readonly of: "string" | "list" | "map"; readonly operand: Expression }
  | {
      readonly kind: "string-test";
      readonly test: TextTest;
      readonly target: Expression;
      readonly part: Expression;
    }
  | { readonly kind: "text-form"; readonly form: TextForm; readonly operand: Expression }
  | { readonly kind: "matches"; readonly target: Expression; readonly pattern: string }
  | { readonly kind: "time"; readonly of: "timestamp" | "duration"; readonly target: Expression }
  | {
      readonly kind: "quantifier";
      readonly quantifier: "all" | "exists";
      readonly variable: string;
      readonly list: Expression;
      readonly body: Expression;
    };

interface MemberExpression {
  readonly kind: "member";
  readonly object: Expression;
  readonly name: string;
  readonly pointer: string;
}

export type TextTest = "startsWith" | "endsWith" | "contains";

/** A form of a text, as JavaScript's `toLowerCase`, `toUpperCase` and `trim` return it: the same in every locale. */
export type TextForm = (typeof TEXT_FORMS)[number];
export const TEXT_FORMS: readonly ["lower", "upper", "trim"] = ["lower", "upper", "trim"];

export type OrderOperator = "<" | "<=" | ">" | ">=";
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";
/** The type of the operands; it decides what overflow means. */
export type ArithmeticDomain = "integer" | "double" | "string" | "timestamp" | "duration";

/** Lists the operands of an expression, in the order of evaluation. */
export function listOperands(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "literal":
    case "input":
    case "variable":
      return [];
    case "member":
    case "has":
      return [expression.object];
    case "list":
      return expression.items;
    case "not":
    case "negate":
    case "size":
    case "text-form":
      return [expression.operand];
    case "and":
    case "or":
    case "equals":
    case "order":
    case "arithmetic":
      return [expression.left, expression.right];
    case "condition":
      return [expression.test, expression.consequent, expression.alternative];
    case "in-list":
      return [expression.item, expression.list];
    case "in-map":
      return [expression.key, expression.map];
    case "string-test":
      return [expression.target, expression.part];
    case "matches":
    case "time":
      return [expression.target];
    case "quantifier":
      return [expression.list, expression.body];
  }
}
