import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonSchema } from "@hasp/schema";
import { excerpt } from "@hasp/schema/diagnostics";
import type { Expression } from "../expression.js";
import { NO_FACTS } from "./facts.js";
import { isOnly, type Judged, type Surroundings } from "./typed-expression.js";
import { judgeBracket, judgeMember, judgeName } from "./check-fields.js";
import { ALLOWED, judgeCall, judgeMethod } from "./check-functions.js";
import {
  judgeArithmetic,
  judgeCondition,
  judgeEquality,
  judgeInclusion,
  judgeList,
  judgeLiteral,
  judgeLogical,
  judgeNegation,
  judgeNot,
  judgeOrder,
} from "./check-operators.js";
import { wordsFor } from "./kind-words.js";
import { placeOf } from "./input-type.js";
import { refuse } from "../refusal.js";
import { mustReadLittle } from "./scan-cost.js";

/** Holds a parsed predicate against the law of predicates; throws a `Refusal` at the first breach. */
export function judge(root: ASTNode, source: string, input: JsonSchema): Expression {
  const { expression, kinds } = judgeNode(root, {
    textOf: (node) => excerpt(source.slice(node.start, node.end)),
    judge: judgeNode,
    input: { key: "", pointer: "", place: placeOf(input) },
    facts: NO_FACTS,
    variables: new Map(),
    rounds: undefined,
  });
  if (!isOnly(kinds, "bool")) refuse(root, { variant: "not-boolean", kinds: wordsFor(kinds) });
  return expression;
}

function judgeNode(node: ASTNode, around: Surroundings): Judged {
  const result = judgeKind(node, around);
  mustReadLittle(node, result.expression, around);
  return result;
}

function judgeKind(node: ASTNode, around: Surroundings): Judged {
  switch (node.op) {
    case "value":
      return judgeLiteral(node, node.args, around);
    case "id":
      return judgeName(node, node.args, around);
    case ".":
      return judgeMember(node, node.args[0], node.args[1], around);
    case "[]":
      return judgeBracket(node, node.args[0], node.args[1], around);
    case "call":
      return judgeCall(node, node.args[0], node.args[1], around);
    case "rcall":
      return judgeMethod(node, node.args[0], node.args[1], node.args[2], around);
    case "list":
      return judgeList(node.args, around);
    case "&&":
      return judgeLogical("and", node.args[0], node.args[1], around);
    case "||":
      return judgeLogical("or", node.args[0], node.args[1], around);
    case "!_":
      return judgeNot(node.args, around);
    case "-_":
      return judgeNegation(node.args, around);
    case "?:":
      return judgeCondition(node, node.args, around);
    case "==":
    case "!=":
      return judgeEquality(node, node.op === "!=", node.args[0], node.args[1], around);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return judgeOrder(node, node.op, node.args[0], node.args[1], around);
    case "in":
      return judgeInclusion(node, node.args[0], node.args[1], around);
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return judgeArithmetic(node, node.op, node.args[0], node.args[1], around);
    default:
      return refuse(node, { variant: "not-in-language", text: around.textOf(node), allowed: ALLOWED });
  }
}
