import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonValue } from "@hasp/schema";
import type {
  ArithmeticDomain,
  ArithmeticOperator,
  Expression,
  OrderOperator,
  TextTest,
} from "../../model/conditions.js";
import { joinFacts, readComparison, narrowToNone, narrowToOne } from "./facts.js";
import { checkPresence } from "./check-fields.js";
import {
  isNumeric,
  isOnly,
  typed,
  findLiteral,
  type TypedExpression,
  type TypeEnv,
  type InputPath,
  printNullGuard,
  refuseKinds,
} from "./typed-expression.js";
import { describeKinds, type ValueKind } from "./kinds.js";
import { countRounds } from "./cost.js";
import { isAllowed, findItemType, findKinds, listValues } from "./input-type.js";
import { refuse } from "./messages.js";
import { CHANGE_FORM } from "./evaluate.js";

/** Types a literal: text, true, false, null, or a number that JSON holds exactly. */
export function checkLiteral(node: ASTNode, value: unknown, { facts, textOf }: TypeEnv): TypedExpression {
  if (typeof value === "bigint") {
    const integer = Number(value);
    if (!Number.isSafeInteger(integer)) refuse(node, { variant: "large-integer", text: textOf(node) });
    return typed({ kind: "literal", value: integer }, ["int"], facts);
  }
  if (typeof value === "number") return typed({ kind: "literal", value }, ["double"], facts);
  if (typeof value === "string") return typed({ kind: "literal", value }, ["string"], facts);
  if (typeof value === "boolean") return typed({ kind: "literal", value }, ["bool"], facts);
  if (value === null) return typed({ kind: "literal", value }, ["null"], facts);
  return refuse(node, { variant: "other-literal", text: textOf(node) });
}

/** Types a list literal, which is allowed only after `in`. */
export function checkList(nodes: readonly ASTNode[], env: TypeEnv): TypedExpression {
  const items = nodes.map((item) => env.check(item, env));
  const expression: Expression = { kind: "list", items: items.map((item) => item.expression) };
  return { ...typed(expression, ["list"], env.facts), items };
}

export function checkBool(node: ASTNode, env: TypeEnv): TypedExpression {
  const bool = env.check(node, env);
  if (!isOnly(bool.kinds, "bool")) refuseKinds(node, "operand-not-boolean", bool.kinds, env);
  return bool;
}

export function checkNot(node: ASTNode, env: TypeEnv): TypedExpression {
  const operand = checkBool(node, env);
  const expression: Expression = { kind: "not", operand: operand.expression };
  return { expression, kinds: operand.kinds, whenTrue: operand.whenFalse, whenFalse: operand.whenTrue };
}

/** Types `&&` and `||`; the right side knows the facts of the left side. */
export function checkLogical(kind: "and" | "or", leftNode: ASTNode, rightNode: ASTNode, env: TypeEnv): TypedExpression {
  const left = checkBool(leftNode, env);
  const right = checkBool(rightNode, { ...env, facts: kind === "and" ? left.whenTrue() : left.whenFalse() });
  return {
    expression: { kind, left: left.expression, right: right.expression },
    kinds: left.kinds,
    whenTrue: kind === "and" ? right.whenTrue : joinFacts(left.whenTrue, right.whenTrue),
    whenFalse: kind === "or" ? right.whenFalse : joinFacts(left.whenFalse, right.whenFalse),
  };
}

export function checkCondition(
  node: ASTNode,
  args: readonly [ASTNode, ASTNode, ASTNode],
  env: TypeEnv,
): TypedExpression {
  const test = checkBool(args[0], env);
  const consequent = env.check(args[1], { ...env, facts: test.whenTrue() });
  const alternative = env.check(args[2], { ...env, facts: test.whenFalse() });
  if (consequent.kinds.size !== 1 || !isOnly(alternative.kinds, ...consequent.kinds)) {
    refuse(node, { variant: "mixed-answers", ...describeSides(consequent, alternative) });
  }
  return {
    expression: {
      kind: "condition",
      test: test.expression,
      consequent: consequent.expression,
      alternative: alternative.expression,
    },
    kinds: consequent.kinds,
    whenTrue: joinFacts(consequent.whenTrue, alternative.whenTrue),
    whenFalse: joinFacts(consequent.whenFalse, alternative.whenFalse),
  };
}

export function checkEquality(
  node: ASTNode,
  negated: boolean,
  leftNode: ASTNode,
  rightNode: ASTNode,
  env: TypeEnv,
): TypedExpression {
  const left = env.check(leftNode, env);
  const right = env.check(rightNode, env);
  if (left.items !== undefined || right.items !== undefined) {
    refuse(node, { variant: "list-compared" });
  }
  mustBeComparable(node, left, right);
  mustBeInForm(rightNode, left, right);
  mustBeInForm(leftNode, right, left);
  const { facts } = env;
  const comparison = readComparison(left, right);
  const by = equalityOf(left, right);
  const expression: Expression = { kind: "equals", negated, by, left: left.expression, right: right.expression };
  const unknown = typed(expression, ["bool"], facts);
  if (comparison === undefined) return unknown;
  const { at, value } = comparison;
  mustBePossible(node, at, value);
  const [equal, unequal] = [narrowToOne(facts, at, [value]), narrowToNone(facts, at, [value])];
  return { ...unknown, whenTrue: negated ? unequal : equal, whenFalse: negated ? equal : unequal };
}

/** Types `<`, `<=`, `>` and `>=` between two numbers, texts or times. */
export function checkOrder(
  node: ASTNode,
  operator: OrderOperator,
  leftNode: ASTNode,
  rightNode: ASTNode,
  env: TypeEnv,
): TypedExpression {
  const left = env.check(leftNode, env);
  const right = env.check(rightNode, env);
  const of = orderedAs(left.kinds, right.kinds);
  if (of === undefined) {
    const guard = printNullGuard(leftNode, left.kinds, env) ?? printNullGuard(rightNode, right.kinds, env);
    return refuse(node, { variant: "not-ordered", ...describeSides(left, right), guard });
  }
  return typed({ kind: "order", operator, of, left: left.expression, right: right.expression }, ["bool"], env.facts);
}

function orderedAs(
  left: ReadonlySet<ValueKind>,
  right: ReadonlySet<ValueKind>,
): "number" | "string" | "time" | undefined {
  const both = (kind: ValueKind): boolean => isOnly(left, kind) && isOnly(right, kind);
  if (isNumeric(left) && isNumeric(right)) return "number";
  if (both("string")) return "string";
  return both("timestamp") || both("duration") ? "time" : undefined;
}

/** Types `in`: a value in a list, literal or from the input, or a key in an object. */
export function checkInclusion(
  node: ASTNode,
  itemNode: ASTNode,
  containerNode: ASTNode,
  env: TypeEnv,
): TypedExpression {
  const item = env.check(itemNode, env);
  const container = env.check(containerNode, env);
  if (container.items !== undefined) return checkWrittenList(node, item, container, container.items, env);
  const { facts } = env;
  const at = container.path;
  if (at === undefined || !isOnly(container.kinds, "list", "map") || container.kinds.size !== 1) {
    return refuseKinds(containerNode, "in-other", container.kinds, env);
  }
  const value = findLiteral(item);
  if (container.kinds.has("map")) {
    if (!isOnly(item.kinds, "string")) {
      refuse(itemNode, { variant: "key-not-string", kinds: describeKinds(item.kinds) });
    }
    if (typeof value === "string") return checkPresence(node, containerNode, value, env);
    return typed({ kind: "in-map", key: item.expression, map: container.expression }, ["bool"], facts);
  }
  if (env.rounds !== undefined) countRounds(node, at.type, env.rounds);
  const type = findItemType(at.type);
  const member = typed(container.expression, findKinds(type), facts);
  mustBeComparable(node, item, member);
  if (value !== undefined) mustBePossible(node, { key: "", pointer: `${at.pointer}/*`, type }, value);
  const by = inclusionOf(item, [member]);
  return typed({ kind: "in-list", by, item: item.expression, list: container.expression }, ["bool"], facts);
}

function checkWrittenList(
  node: ASTNode,
  item: TypedExpression,
  list: TypedExpression,
  members: readonly TypedExpression[],
  { facts }: TypeEnv,
): TypedExpression {
  if (members.length === 0) refuse(node, { variant: "empty-list" });
  for (const member of members) {
    mustBeComparable(node, item, member);
    mustBeInForm(node, item, member);
  }
  const values = members.map(findLiteral).filter((value) => value !== undefined);
  const by = inclusionOf(item, members);
  const expression: Expression = { kind: "in-list", by, item: item.expression, list: list.expression };
  const { path } = item;
  const unknown = typed(expression, ["bool"], facts);
  if (path === undefined) return unknown;
  for (const value of values) mustBePossible(node, path, value);
  if (values.length < members.length) return unknown;
  return { ...unknown, whenTrue: narrowToOne(facts, path, values), whenFalse: narrowToNone(facts, path, values) };
}

/** Selects how `in` finds an item. NaN equals nothing in CEL, but `includes` finds it. */
function inclusionOf(item: TypedExpression, members: readonly TypedExpression[]): "identity" | "value" {
  const mayBeNaN = item.kinds.has("double") && item.path === undefined && findLiteral(item) === undefined;
  return !mayBeNaN && members.every((member) => equalityOf(item, member) === "identity") ? "identity" : "value";
}

export function checkNegation(node: ASTNode, env: TypeEnv): TypedExpression {
  const operand = env.check(node, env);
  const { expression, kinds } = operand;
  if (!isNumeric(kinds)) refuseKinds(node, "no-negative", kinds, env);
  if (expression.kind === "literal" && typeof expression.value === "number") {
    const isZero = expression.value === 0 && isOnly(kinds, "int");
    return { ...operand, expression: { kind: "literal", value: isZero ? 0 : -expression.value } };
  }
  return typed({ kind: "negate", operand: expression }, kinds, env.facts);
}

export function checkArithmetic(
  node: ASTNode,
  operator: ArithmeticOperator,
  leftNode: ASTNode,
  rightNode: ASTNode,
  env: TypeEnv,
): TypedExpression {
  const left = env.check(leftNode, env);
  const right = env.check(rightNode, env);
  const result = arithmeticOf(operator, left.kinds, right.kinds);
  if (result === undefined) {
    const isMixed = isNumeric(left.kinds) && isNumeric(right.kinds) && operator !== "%";
    const words = { operator, ...describeSides(left, right) };
    if (isMixed) return refuse(node, { variant: "mixed-numbers", ...words });
    const guard = printNullGuard(leftNode, left.kinds, env) ?? printNullGuard(rightNode, right.kinds, env);
    return refuse(node, { variant: "operands", ...words, guard });
  }
  const { of, kind } = result;
  return typed({ kind: "arithmetic", operator, of, left: left.expression, right: right.expression }, [kind], env.facts);
}

function arithmeticOf(
  operator: ArithmeticOperator,
  left: ReadonlySet<ValueKind>,
  right: ReadonlySet<ValueKind>,
): { readonly of: ArithmeticDomain; readonly kind: ValueKind } | undefined {
  const are = (first: ValueKind, second: ValueKind): boolean => isOnly(left, first) && isOnly(right, second);
  if (are("int", "int")) return { of: "integer", kind: "int" };
  if (are("double", "double") && operator !== "%") return { of: "double", kind: "double" };
  if (operator === "+" && are("string", "string")) return { of: "string", kind: "string" };
  if (operator !== "+" && operator !== "-") return undefined;
  if (are("duration", "duration")) return { of: "duration", kind: "duration" };
  if (are("timestamp", "duration")) return { of: "timestamp", kind: "timestamp" };
  if (operator === "+" && are("duration", "timestamp")) return { of: "timestamp", kind: "timestamp" };
  if (operator === "-" && are("timestamp", "timestamp")) return { of: "duration", kind: "duration" };
  return undefined;
}

const COMPOSITE: ReadonlySet<ValueKind> = new Set(["list", "map"]);

/** Selects equality by value for lists and objects. Otherwise identity is the same and reads better. */
function equalityOf(left: TypedExpression, right: TypedExpression): "identity" | "value" {
  const areComposite = [left, right].every(({ kinds }) => [...kinds].some((kind) => COMPOSITE.has(kind)));
  return areComposite ? "value" : "identity";
}

/** Refuses a comparison that always has the same answer, since it is a mistake. */
function mustBeComparable(node: ASTNode, left: TypedExpression, right: TypedExpression): void {
  if ([...left.kinds].some((kind) => right.kinds.has(kind))) return;
  if (left.kinds.size === 0 || right.kinds.size === 0) {
    refuse(node, { variant: "nothing-left" });
  }
  if (isNumeric(left.kinds) && isNumeric(right.kinds)) {
    refuse(node, { variant: "number-kinds" });
  }
  refuse(node, { variant: "never-equal", ...describeSides(left, right) });
}

function describeSides(
  left: TypedExpression,
  right: TypedExpression,
): { readonly left: string; readonly right: string } {
  return { left: describeKinds(left.kinds), right: describeKinds(right.kinds) };
}

/** Refuses to compare a normalised text with a literal that it can never equal, or never holds at that place. */
export function mustBeInForm(
  node: ASTNode,
  { expression }: TypedExpression,
  other: TypedExpression,
  place: "whole" | TextTest = "whole",
): void {
  const value = findLiteral(other);
  if (expression.kind !== "text-form" || typeof value !== "string") return;
  const { form } = expression;
  const meant = form === "trim" ? TRIMMED[place](value) : CHANGE_FORM[form](value);
  if (meant !== value) refuse(node, { variant: "other-form", form, value, meant });
}

/** The literals that a trimmed text has at a place: there may be white space inside it. */
const TRIMMED: { readonly [Place in "whole" | TextTest]: (value: string) => string } = {
  whole: (value) => value.trim(),
  startsWith: (value) => value.trimStart(),
  endsWith: (value) => value.trimEnd(),
  contains: (value) => value,
};

function mustBePossible(node: ASTNode, { type, pointer }: InputPath, value: JsonValue): void {
  if (type.alternatives.some((alternative) => isAllowed(alternative, value))) return;
  const listed = type.alternatives.map(listValues);
  const values = listed.every((each) => each !== undefined) ? listed.flat() : undefined;
  const field = pointer === "" ? "input" : pointer.slice(1);
  refuse(
    node,
    values === undefined || values.length === 0 || values.length > 12
      ? { variant: "impossible", field, value }
      : { variant: "impossible-listed", field, value, values: values.map((each) => JSON.stringify(each)) },
  );
}
