import type { ASTNode } from "@marcbachmann/cel-js";
import { duration, timestamp } from "@hasp/base/conditions";
import { findClosest } from "@hasp/base/diagnostics";
import { checkPresence } from "./check-fields.js";
import { checkBool, mustBeInForm } from "./check-operators.js";
import {
  isOnly,
  typed,
  type TypedExpression,
  type TypeEnv,
  type InputPath,
  printNullGuard,
  refuseKinds,
} from "./typed-expression.js";
import { describeKinds } from "./kinds.js";
import { countRounds } from "./cost.js";
import type { TextForm } from "../../model/conditions.js";
import { findPatternProblem } from "./pattern.js";
import { findItemType } from "./input-type.js";
import { type RefusalParameters, refuse } from "./messages.js";

export const ALLOWED =
  "== != < <= > >= && || ! in ?: + - * / % has present size startsWith endsWith contains matches lower upper trim timestamp duration all exists";
const FUNCTIONS = ["has", "present", "size", "lower", "upper", "trim", "timestamp", "duration"] as const;
const METHODS = ["size", "startsWith", "endsWith", "contains", "matches", "lower", "upper", "trim", "all", "exists"];

export function checkCall(node: ASTNode, called: string, args: readonly ASTNode[], env: TypeEnv): TypedExpression {
  const [first, second] = args;
  switch (called) {
    case "has":
      if (first?.op !== "." || args.length !== 1) return refuse(node, { variant: "has-arguments" });
      return checkPresence(node, first.args[0], first.args[1], env);
    case "present":
      if (first === undefined || second?.op !== "value" || typeof second.args !== "string" || args.length !== 2) {
        return refuse(node, { variant: "present-arguments" });
      }
      return checkPresence(node, first, second.args, env);
    case "size":
      return checkSize(takeOnly(node, args, { variant: "size-arguments" }), env);
    case "timestamp":
    case "duration":
      return checkTime(called, takeOnly(node, args, { variant: "time-arguments", name: called }), env);
    case "lower":
    case "upper":
    case "trim":
      return checkTextForm(called, takeOnly(node, args, { variant: "text-form-arguments", name: called }), env);
    default:
      return refuse(node, unknownFunction(called, called, FUNCTIONS));
  }
}

export function checkMethod(
  node: ASTNode,
  called: string,
  receiver: ASTNode,
  args: readonly ASTNode[],
  env: TypeEnv,
): TypedExpression {
  const [first, second] = args;
  switch (called) {
    case "size":
      if (args.length > 0) return refuse(node, { variant: "size-method-arguments" });
      return checkSize(receiver, env);
    case "startsWith":
    case "endsWith":
    case "contains": {
      const sought = takeOnly(node, args, { variant: "string-arguments", name: called });
      const text = checkString(receiver, env);
      const part = checkString(sought, env);
      mustBeInForm(sought, text, part, called);
      const operands = { target: text.expression, part: part.expression };
      return typed({ kind: "string-test", test: called, ...operands }, ["bool"], env.facts);
    }
    case "matches": {
      if (first?.op !== "value" || typeof first.args !== "string" || args.length !== 1) {
        return refuse(first ?? node, { variant: "matches-arguments" });
      }
      const problem = findPatternProblem(first.args);
      if (problem !== undefined) return refuse(first, problem);
      const text = checkString(receiver, env).expression;
      return typed({ kind: "matches", target: text, pattern: first.args }, ["bool"], env.facts);
    }
    case "lower":
    case "upper":
    case "trim":
      if (args.length > 0) return refuse(node, { variant: "text-form-arguments", name: called });
      return checkTextForm(called, receiver, env);
    case "all":
    case "exists":
      if (first?.op !== "id" || second === undefined || args.length !== 2) {
        return refuse(node, { variant: "loop-arguments", name: called });
      }
      return checkQuantifier(
        { node, quantifier: called, list: receiver, name: first, variable: first.args, body: second },
        env,
      );
    default:
      return refuse(node, unknownFunction(`.${called}()`, called, METHODS));
  }
}

/** Takes the only argument of a function; refuses any other number. */
function takeOnly(node: ASTNode, [only, ...others]: readonly ASTNode[], wrong: RefusalParameters): ASTNode {
  return only === undefined || others.length > 0 ? refuse(node, wrong) : only;
}

interface Quantifier {
  readonly node: ASTNode;
  readonly quantifier: "all" | "exists";
  readonly list: ASTNode;
  readonly name: ASTNode;
  readonly variable: string;
  readonly body: ASTNode;
}

function checkQuantifier({ node, quantifier, list, name, variable, body }: Quantifier, env: TypeEnv): TypedExpression {
  if (variable === "input") refuse(name, { variant: "loop-variable" });
  // Loops over literals are unrolled before.
  if (list.op === "list") {
    if (list.args.length === 0) refuse(list, { variant: "empty-list" });
    return refuse(list, { variant: "loop-over-written", name: quantifier });
  }
  const { expression, kinds, path: at } = env.check(list, env);
  if (at === undefined || !isOnly(kinds, "list")) {
    const guard = printNullGuard(list, kinds, env);
    const text = env.textOf(list);
    return refuse(list, { variant: "loop-over-other", name: quantifier, text, kinds: describeKinds(kinds), guard });
  }
  const rounds = countRounds(node, at.type, env.rounds);
  // No two loops begin at the same offset, so their items have different keys.
  const item: InputPath = { key: `${node.start}:`, pointer: `${at.pointer}/*`, type: findItemType(at.type) };
  const variables = new Map([...env.variables, [variable, item]]);
  const test = checkBool(body, { ...env, variables, rounds, innermost: variable });
  return typed(
    { kind: "quantifier", quantifier, variable, list: expression, body: test.expression },
    ["bool"],
    env.facts,
  );
}

function checkSize(node: ASTNode, env: TypeEnv): TypedExpression {
  const operand = env.check(node, env);
  const of = (["string", "list", "map"] as const).find((kind) => isOnly(operand.kinds, kind));
  if (of === undefined) return refuseKinds(node, "no-size", operand.kinds, env);
  return typed({ kind: "size", of, operand: operand.expression }, ["int"], env.facts);
}

function checkTextForm(form: TextForm, node: ASTNode, env: TypeEnv): TypedExpression {
  return typed({ kind: "text-form", form, operand: checkString(node, env).expression }, ["string"], env.facts);
}

function checkTime(of: "timestamp" | "duration", node: ASTNode, env: TypeEnv): TypedExpression {
  const { expression } = checkString(node, env);
  if (expression.kind === "literal" && typeof expression.value === "string") {
    try {
      (of === "timestamp" ? timestamp : duration)(expression.value);
    } catch {
      const example = of === "timestamp" ? "2026-01-31T12:00:00Z" : "90s or 1h30m";
      refuse(node, { variant: "invalid-time", text: env.textOf(node), of, example });
    }
  }
  return typed({ kind: "time", of, target: expression }, [of], env.facts);
}

function checkString(node: ASTNode, env: TypeEnv): TypedExpression {
  const text = env.check(node, env);
  if (!isOnly(text.kinds, "string")) refuseKinds(node, "not-string", text.kinds, env);
  return text;
}

function unknownFunction(name: string, word: string, known: readonly string[]): RefusalParameters {
  const nearest = findClosest(word, known);
  return nearest === undefined
    ? { variant: "unknown-function", name, allowed: ALLOWED }
    : { variant: "misspelt-function", name, nearest };
}
