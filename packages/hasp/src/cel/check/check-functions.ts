import type { ASTNode } from "@marcbachmann/cel-js";
import { duration, timestamp } from "@hasp/runtime/codegen/v1";
import { closest } from "../../diagnostics/closest.js";
import { judgePresence } from "./check-fields.js";
import { judgeBool } from "./check-operators.js";
import {
  isOnly,
  judged,
  type Judged,
  type Surroundings,
  type ValueKind,
  type Whereabouts,
} from "./typed-expression.js";
import { nullGuard, wordsFor } from "./kind-words.js";
import { roundsOf } from "./loop-cost.js";
import { problemOfPattern } from "../patterns/pattern.js";
import { itemPlace } from "./input-type.js";
import type { RefusalParameters } from "../messages.js";
import { refuse } from "../refusal.js";

/** The whole language, for whoever asked for something else. */
export const ALLOWED =
  "== != < <= > >= && || ! in ?: + - * / % has present size startsWith endsWith contains matches timestamp duration all exists";
const FUNCTIONS = ["has", "present", "size", "timestamp", "duration"] as const;
const METHODS = ["size", "startsWith", "endsWith", "contains", "matches", "all", "exists"] as const;

/** `name(…)` */
export function judgeCall(node: ASTNode, called: string, args: readonly ASTNode[], around: Surroundings): Judged {
  const [first, second] = args;
  switch (called) {
    case "has":
      if (first?.op !== "." || args.length !== 1) return refuse(node, { variant: "has-arguments" });
      return judgePresence(node, first.args[0], first.args[1], around);
    case "present":
      if (first === undefined || second?.op !== "value" || typeof second.args !== "string" || args.length !== 2) {
        return refuse(node, { variant: "present-arguments" });
      }
      return judgePresence(node, first, second.args, around);
    case "size":
      if (first === undefined || args.length !== 1) return refuse(node, { variant: "size-arguments" });
      return judgeSize(first, around);
    case "timestamp":
    case "duration":
      if (first === undefined || args.length !== 1) return refuse(node, { variant: "time-arguments", name: called });
      return judgeTime(called, first, around);
    default:
      return refuse(node, unknownFunction(called, called, FUNCTIONS));
  }
}

/** `receiver.name(…)` */
export function judgeMethod(
  node: ASTNode,
  called: string,
  receiver: ASTNode,
  args: readonly ASTNode[],
  around: Surroundings,
): Judged {
  const [first, second] = args;
  switch (called) {
    case "size":
      if (args.length > 0) return refuse(node, { variant: "size-method-arguments" });
      return judgeSize(receiver, around);
    case "startsWith":
    case "endsWith":
    case "contains": {
      if (first === undefined || args.length !== 1) return refuse(node, { variant: "text-arguments", name: called });
      const text = judgeText(receiver, around).expression;
      const part = judgeText(first, around).expression;
      return judged({ kind: "text-test", test: called, text, part }, ["bool"], around.facts);
    }
    case "matches": {
      if (first?.op !== "value" || typeof first.args !== "string" || args.length !== 1) {
        return refuse(first ?? node, { variant: "matches-arguments" });
      }
      const problem = problemOfPattern(first.args);
      if (problem !== undefined) return refuse(first, problem);
      const text = judgeText(receiver, around).expression;
      return judged({ kind: "matches", text, pattern: first.args }, ["bool"], around.facts);
    }
    case "all":
    case "exists":
      if (first?.op !== "id" || second === undefined || args.length !== 2) {
        return refuse(node, { variant: "loop-arguments", name: called });
      }
      return judgeQuantifier(
        { node, quantifier: called, list: receiver, name: first, variable: first.args, body: second },
        around,
      );
    default:
      return refuse(node, unknownFunction(`.${called}()`, called, METHODS));
  }
}

interface Quantifier {
  readonly node: ASTNode;
  readonly quantifier: "all" | "exists";
  readonly list: ASTNode;
  readonly name: ASTNode;
  readonly variable: string;
  readonly body: ASTNode;
}

function judgeQuantifier({ node, quantifier, list, name, variable, body }: Quantifier, around: Surroundings): Judged {
  const { expression, kinds, whereabouts: at } = around.judge(list, around);
  if (at === undefined || !isOnly(kinds, "list")) {
    const guard = nullGuard(list, kinds, around);
    const text = around.textOf(list);
    return refuse(list, { variant: "loop-over-other", name: quantifier, text, kinds: wordsFor(kinds), guard });
  }
  if (variable === "input") refuse(name, { variant: "loop-variable" });
  const rounds = roundsOf(node, at.place, around.rounds);
  // No two loops begin at one place of the text, so items of different loops are never taken for each other.
  const item: Whereabouts = { key: `${node.start}:`, pointer: `${at.pointer}/*`, place: itemPlace(at.place) };
  const variables = new Map([...around.variables, [variable, item]]);
  const test = judgeBool(body, { ...around, variables, rounds, innermost: variable });
  return judged(
    { kind: "quantifier", quantifier, variable, list: expression, body: test.expression },
    ["bool"],
    around.facts,
  );
}

const SIZED: ReadonlyMap<ValueKind, "text" | "list" | "map"> = new Map([
  ["string", "text"],
  ["list", "list"],
  ["map", "map"],
]);

function judgeSize(node: ASTNode, around: Surroundings): Judged {
  const operand = around.judge(node, around);
  const [kind, ...others] = operand.kinds;
  const of = kind === undefined || others.length > 0 ? undefined : SIZED.get(kind);
  if (of === undefined) {
    const guard = nullGuard(node, operand.kinds, around);
    return refuse(node, { variant: "no-size", text: around.textOf(node), kinds: wordsFor(operand.kinds), guard });
  }
  return judged({ kind: "size", of, operand: operand.expression }, ["int"], around.facts);
}

function judgeTime(of: "timestamp" | "duration", node: ASTNode, around: Surroundings): Judged {
  const { expression } = judgeText(node, around);
  if (expression.kind === "literal" && typeof expression.value === "string") {
    try {
      (of === "timestamp" ? timestamp : duration)(expression.value);
    } catch {
      const example = of === "timestamp" ? "2026-01-31T12:00:00Z" : "90s or 1h30m";
      refuse(node, { variant: "invalid-time", text: around.textOf(node), of, example });
    }
  }
  return judged({ kind: "time", of, text: expression }, [of], around.facts);
}

function judgeText(node: ASTNode, around: Surroundings): Judged {
  const text = around.judge(node, around);
  if (!isOnly(text.kinds, "string")) {
    const guard = nullGuard(node, text.kinds, around);
    refuse(node, { variant: "not-text", text: around.textOf(node), kinds: wordsFor(text.kinds), guard });
  }
  return text;
}

function unknownFunction(name: string, word: string, known: readonly string[]): RefusalParameters {
  const nearest = closest(word, known);
  return nearest === undefined
    ? { variant: "unknown-function", name, allowed: ALLOWED }
    : { variant: "misspelt-function", name, nearest };
}
