import type { ASTNode } from "@marcbachmann/cel-js";
import { duration, timestamp } from "@hasp/runtime/codegen/v1";
import { closest } from "../../diagnostics/closest.js";
import { excerpt } from "@hasp/schema/diagnostics";
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
import { refuse } from "../refusal.js";

/** The whole language, for whoever asked for something else. */
export const ALLOWED =
  "Allowed: == != < <= > >= && || ! in ?: + - * / % has present size startsWith endsWith contains matches timestamp duration all exists";
const FUNCTIONS = ["has", "present", "size", "timestamp", "duration"] as const;
const METHODS = ["size", "startsWith", "endsWith", "contains", "matches", "all", "exists"] as const;

/** `name(…)` */
export function judgeCall(node: ASTNode, called: string, args: readonly ASTNode[], around: Surroundings): Judged {
  const [first, second] = args;
  switch (called) {
    case "has":
      if (first?.op !== "." || args.length !== 1) return refuse(node, "`has` takes a field, as in `has(input.scope)`.");
      return judgePresence(node, first.args[0], first.args[1], around);
    case "present":
      if (first === undefined || second?.op !== "value" || typeof second.args !== "string" || args.length !== 2) {
        return refuse(node, "`present` takes an object and a name in quotes, as in `present(input, 'max-rows')`.");
      }
      return judgePresence(node, first, second.args, around);
    case "size":
      if (first === undefined || args.length !== 1) return refuse(node, "`size` takes one text, list or object.");
      return judgeSize(first, around);
    case "timestamp":
    case "duration":
      if (first === undefined || args.length !== 1) return refuse(node, `\`${called}\` takes one text.`);
      return judgeTime(called, first, around);
    default:
      return refuse(node, `There is no function \`${excerpt(called)}\` for predicates.`, suggestion(called, FUNCTIONS));
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
      if (args.length > 0) return refuse(node, "`.size()` takes no argument.");
      return judgeSize(receiver, around);
    case "startsWith":
    case "endsWith":
    case "contains": {
      if (first === undefined || args.length !== 1) return refuse(node, `\`.${called}()\` takes one text.`);
      const text = judgeText(receiver, around).expression;
      const part = judgeText(first, around).expression;
      return judged({ kind: "text-test", test: called, text, part }, ["bool"], around.facts);
    }
    case "matches": {
      if (first?.op !== "value" || typeof first.args !== "string" || args.length !== 1) {
        return refuse(
          first ?? node,
          "`.matches()` takes a pattern in quotes, so that it can be proved before it runs.",
        );
      }
      const problem = problemOfPattern(first.args);
      if (problem !== undefined) return refuse(first, problem.message, problem.help);
      const text = judgeText(receiver, around).expression;
      return judged({ kind: "matches", text, pattern: first.args }, ["bool"], around.facts);
    }
    case "all":
    case "exists":
      if (first?.op !== "id" || second === undefined || args.length !== 2) {
        const example = `input.paths.${called}(path, path != '')`;
        return refuse(node, `\`.${called}()\` takes a name and a test, as in \`${example}\`.`);
      }
      return judgeQuantifier(
        { node, quantifier: called, list: receiver, name: first, variable: first.args, body: second },
        around,
      );
    default:
      return refuse(node, `There is no \`.${excerpt(called)}()\` for predicates.`, suggestion(called, METHODS));
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
    const message = `\`.${quantifier}()\` looks at a list of the input; \`${around.textOf(list)}\` is ${wordsFor(kinds)}.`;
    return refuse(list, message, nullGuard(list, kinds, around));
  }
  if (variable === "input") refuse(name, "`input` is taken; name the item otherwise.");
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
    const message = `\`${around.textOf(node)}\` is ${wordsFor(operand.kinds)} and has no size.`;
    return refuse(node, message, nullGuard(node, operand.kinds, around));
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
      refuse(node, `${around.textOf(node)} is no ${of}.`, `Write it like ${example}.`);
    }
  }
  return judged({ kind: "time", of, text: expression }, [of], around.facts);
}

function judgeText(node: ASTNode, around: Surroundings): Judged {
  const text = around.judge(node, around);
  if (!isOnly(text.kinds, "string")) {
    const message = `\`${around.textOf(node)}\` is ${wordsFor(text.kinds)} where a text is needed.`;
    refuse(node, message, nullGuard(node, text.kinds, around));
  }
  return text;
}

function suggestion(word: string, known: readonly string[]): string {
  const nearest = closest(word, known);
  return nearest === undefined ? ALLOWED : `Did you mean \`${nearest}\`?`;
}
