import { sumBy } from "@hasp/base/json";
import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonSchema } from "@hasp/schema";
import { excerpt } from "@hasp/base/diagnostics";
import {
  type CompiledExpression,
  type ExpressionPredicate,
  listOperands,
  type Expression,
} from "../model/conditions.js";
import { createEvaluator } from "./check/evaluate.js";
import { readInputType, type InputType } from "./check/input-type.js";
import { createCelParser, isNode } from "./parse-cel.js";
import { printJavaScript } from "./print-javascript.js";
import { Refusal, type PredicateProblem, refuse } from "./check/messages.js";
import { NO_FACTS } from "./check/facts.js";
import { isOnly, type TypedExpression, type TypeEnv } from "./check/typed-expression.js";
import { checkBracket, checkMember, checkName } from "./check/check-fields.js";
import { ALLOWED, checkCall, checkMethod } from "./check/check-functions.js";
import {
  checkArithmetic,
  checkCondition,
  checkEquality,
  checkInclusion,
  checkList,
  checkLiteral,
  checkLogical,
  checkNegation,
  checkNot,
  checkOrder,
} from "./check/check-operators.js";
import { describeKinds } from "./check/kinds.js";
import { mustReadLittle } from "./check/cost.js";

interface CompilePredicateResult {
  readonly predicate?: ExpressionPredicate;
  readonly problems: readonly PredicateProblem[];
}

interface PredicateCompilerOptions {
  /** Members of the schema that are variables of their own, in place of `input`: `input` and `context` of a call. */
  readonly variables?: readonly string[];
}

/**
 * Returns a compiler of CEL expressions over `input`, a tool's flat and closed input schema. The library parses an
 * expression, our own walk checks the rules for conditions, and the library's type-checker has the last word.
 *
 * Where the printed JavaScript and CEL differ, on purpose:
 * - evaluation is left to right and any error is the strict answer; CEL's `||`, `&&`, `all` and `exists` absorb errors;
 * - integers are exact to 2^53 and an error beyond; CEL's have 64 bits;
 * - timestamps and durations keep nanoseconds; the library's evaluator keeps milliseconds;
 * - text is ordered by code points, as CEL says; the library's evaluator orders UTF-16 units.
 */
export function createPredicateCompiler(
  input: JsonSchema,
  { variables }: PredicateCompilerOptions = {},
): (source: string) => CompilePredicateResult {
  const compile = createExpressionCompiler(input, "condition", variables);
  return (source) => {
    const { compiled, problems } = compile(source);
    if (compiled === undefined) return { problems };
    const evaluate = createEvaluator(compiled.expression);
    return { predicate: { kind: "expression", ...compiled, evaluate }, problems };
  };
}

interface CompileExpressionResult {
  readonly compiled?: CompiledExpression;
  readonly problems: readonly PredicateProblem[];
}

/** Compiles an expression that names where an input goes. It may read absent members: such a call has no destination. */
export function compileDestination(source: string, input: JsonSchema): CompileExpressionResult {
  return createExpressionCompiler(input, "destination", undefined)(source);
}

function createExpressionCompiler(
  input: JsonSchema,
  use: "condition" | "destination",
  variables: readonly string[] | undefined,
): (source: string) => CompileExpressionResult {
  const type = readInputType(input);
  const parse = createCelParser(type, variables);
  return (source) => {
    const parsed = parse(source);
    if (!("ast" in parsed)) return { problems: [parsed] };
    try {
      const expression = checkExpression(unrollLoops(withVariables(parsed.ast, variables)), source, type, use);
      const problem = parsed.check();
      if (problem !== undefined) return { problems: [problem] };
      const printed = printJavaScript(expression, variables === undefined ? "input" : "call");
      return { compiled: { source, reads: readsOf(expression), ...printed, expression }, problems: [] };
    } catch (error) {
      if (error instanceof Refusal) return { problems: [error.problem] };
      throw error;
    }
  };
}

function withVariables(node: ASTNode, variables: readonly string[] | undefined): ASTNode {
  if (variables === undefined) return node;
  const { op, args, start, end } = node;
  if (op === "id" && variables.includes(args)) {
    return { op: ".", args: [{ ...position(node), op: "id", args: "input" }, args], start, end } as ASTNode;
  }
  const inside = (part: unknown): unknown =>
    Array.isArray(part) ? part.map(inside) : isNode(part) ? withVariables(part, variables) : part;
  return { ...position(node), op, args: inside(args) } as ASTNode;
}

/** Unrolls loops over written lists: `['a', 'b'].exists(x, t)` is `t` with 'a' or `t` with 'b'. */
function unrollLoops(node: ASTNode): ASTNode {
  const inside = (part: unknown): unknown =>
    Array.isArray(part) ? part.map(inside) : isNode(part) ? unrollLoops(part) : part;
  const { op, args, start, end } = { ...position(node), op: node.op, args: inside(node.args) } as ASTNode;
  const unchanged = { op, args, start, end } as ASTNode;
  if (op !== "rcall") return unchanged;
  const [method, list, [name, body]] = args;
  if ((method !== "exists" && method !== "all") || list.op !== "list" || name?.op !== "id") return unchanged;
  const [first, ...others] = list.args;
  if (first === undefined || body === undefined || args[2].length !== 2) return unchanged;
  const isShort = list.args.length * countNodes(body) <= MOST_UNROLLED;
  if (!isShort || name.args === "input" || !list.args.every(isLiteral)) return unchanged;
  const testOf = (item: ASTNode): ASTNode => substituteName(body, name.args, item);
  const join = (left: ASTNode, right: ASTNode): ASTNode =>
    ({ op: method === "exists" ? "||" : "&&", args: [left, right], start, end }) as ASTNode;
  return others.map(testOf).reduce(join, testOf(first));
}

/** Limits what loops in loops over written lists become. */
const MOST_UNROLLED = 1000;

function countNodes(part: unknown): number {
  if (Array.isArray(part)) return sumBy(part, countNodes);
  return isNode(part) ? 1 + countNodes(part.args) : 0;
}

function isLiteral(node: ASTNode): boolean {
  return node.op === "value" || (node.op === "-_" && node.args.op === "value");
}

/** Puts a literal in place of a name, except where an inner loop gives that name another meaning. */
function substituteName(node: ASTNode, name: string, literal: ASTNode): ASTNode {
  const { op, args } = node;
  if (op === "id" && args === name) return { ...position(node), op: literal.op, args: literal.args } as ASTNode;
  const inside = (part: unknown): unknown =>
    Array.isArray(part) ? part.map(inside) : isNode(part) ? substituteName(part, name, literal) : part;
  if (op !== "rcall") return { ...position(node), op, args: inside(args) } as ASTNode;
  const [method, receiver, given] = args;
  const rebinds = (method === "all" || method === "exists") && given[0]?.op === "id" && given[0].args === name;
  const parts = [method, inside(receiver), rebinds ? given : inside(given)];
  return { ...position(node), op, args: parts } as ASTNode;
}

function position({ start, end }: ASTNode): Pick<ASTNode, "start" | "end"> {
  return { start, end };
}

function readsOf(expression: Expression): readonly string[] {
  const reads = new Set<string>();
  const visit = (each: Expression): void => {
    if (each.kind === "member" || each.kind === "has") reads.add(each.pointer);
    for (const part of listOperands(each)) visit(part);
  };
  visit(expression);
  return [...reads].toSorted();
}

/** Checks a parsed expression and returns its typed tree. Throws a `Refusal` at the first fault. */
function checkExpression(
  root: ASTNode,
  source: string,
  input: InputType,
  use: "condition" | "destination",
): Expression {
  const { expression, kinds } = checkNode(root, {
    textOf: (node) => excerpt(source.slice(node.start, node.end)),
    check: checkNode,
    input: { key: "", pointer: "", type: input },
    facts: NO_FACTS,
    variables: new Map(),
    rounds: undefined,
    mayReadAbsent: use === "destination",
  });
  if (use === "destination") {
    if (readsOf(expression).length === 0) refuse(root, { variant: "constant-destination" });
    if (!isOnly(kinds, ...PLACES)) refuse(root, { variant: "no-destination", kinds: describeKinds(kinds) });
  } else if (!isOnly(kinds, "bool")) refuse(root, { variant: "not-boolean", kinds: describeKinds(kinds) });
  return expression;
}

/** The kinds of values that can name a destination; null names none. */
const PLACES = ["null", "int", "double", "string", "list", "map"] as const;

function checkNode(node: ASTNode, env: TypeEnv): TypedExpression {
  const result = checkKind(node, env);
  mustReadLittle(node, result.expression, env);
  return result;
}

function checkKind(node: ASTNode, env: TypeEnv): TypedExpression {
  switch (node.op) {
    case "value":
      return checkLiteral(node, node.args, env);
    case "id":
      return checkName(node, node.args, env);
    case ".":
      return checkMember(node, node.args[0], node.args[1], env);
    case "[]":
      return checkBracket(node, node.args[0], node.args[1], env);
    case "call":
      return checkCall(node, node.args[0], node.args[1], env);
    case "rcall":
      return checkMethod(node, node.args[0], node.args[1], node.args[2], env);
    case "list":
      return checkList(node.args, env);
    case "&&":
      return checkLogical("and", node.args[0], node.args[1], env);
    case "||":
      return checkLogical("or", node.args[0], node.args[1], env);
    case "!_":
      return checkNot(node.args, env);
    case "-_":
      return checkNegation(node.args, env);
    case "?:":
      return checkCondition(node, node.args, env);
    case "==":
    case "!=":
      return checkEquality(node, node.op === "!=", node.args[0], node.args[1], env);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return checkOrder(node, node.op, node.args[0], node.args[1], env);
    case "in":
      return checkInclusion(node, node.args[0], node.args[1], env);
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return checkArithmetic(node, node.op, node.args[0], node.args[1], env);
    default:
      return refuse(node, { variant: "not-in-language", text: env.textOf(node), allowed: ALLOWED });
  }
}
