import type { ASTNode } from "@marcbachmann/cel-js";
import { excerpt } from "@hasp/schema/internal/diagnostics";
import type { Expression } from "../../model/conditions/expression.js";
import { NO_FACTS } from "./facts.js";
import { isOnly, type TypedExpression, type TypeEnv } from "./typed-expression.js";
import { checkBracket, checkMember, checkName } from "./check-fields.js";
import { ALLOWED, checkCall, checkMethod } from "./check-functions.js";
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
} from "./check-operators.js";
import { wordsFor } from "./kind-words.js";
import type { InputType } from "./input-type.js";
import { refuse } from "../model/refusal.js";
import { mustReadLittle } from "./scan-cost.js";

/** Checks a parsed condition and returns its typed tree. Throws a `Refusal` at the first fault. */
export function checkExpression(root: ASTNode, source: string, input: InputType): Expression {
  const { expression, kinds } = checkNode(root, {
    textOf: (node) => excerpt(source.slice(node.start, node.end)),
    check: checkNode,
    input: { key: "", pointer: "", type: input },
    facts: NO_FACTS,
    variables: new Map(),
    rounds: undefined,
  });
  if (!isOnly(kinds, "bool")) refuse(root, { variant: "not-boolean", kinds: wordsFor(kinds) });
  return expression;
}

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
