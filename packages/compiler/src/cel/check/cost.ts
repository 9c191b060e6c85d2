import type { ASTNode } from "@marcbachmann/cel-js";
import { countStepsPerCharacter } from "./pattern.js";
import type { Expression } from "../../model/conditions.js";
import type { TypeEnv } from "./typed-expression.js";
import {
  findItemType,
  findKinds,
  measureLongestString,
  findMemberType,
  countMostItems,
  type InputType,
} from "./input-type.js";
import { refuse } from "./messages.js";

/** Amount that each round may read regardless of the number of rounds. */
const ALWAYS_CHEAP = 1000;
const MOST_READ = 10_000_000;
/** Maximum depth of nested lists, whose lengths multiply. */
const DEEPEST_LIST = 4;

/** Refuses to read a whole text, list or object in every round of a loop: that takes quadratic time. */
export function mustReadLittle(node: ASTNode, expression: Expression, env: TypeEnv): void {
  const read = env.rounds === undefined ? 0 : readBy(expression, env);
  if (read <= ALWAYS_CHEAP || env.rounds === undefined || read * env.rounds <= MOST_READ) return;
  refuse(node, { variant: "read-in-loop", text: env.textOf(node) });
}

/** Returns the most characters, items or keys that one evaluation of an expression reads, without its parts. */
function readBy(of: Expression, env: TypeEnv): number {
  const size = (part: Expression): number => sizeOf(part, env);
  switch (of.kind) {
    case "string-test":
      // A test of the start or end reads at most the shorter text.
      return of.test === "contains" ? size(of.target) : Math.min(size(of.target), size(of.part));
    case "matches": {
      const steps = countStepsPerCharacter(of.pattern);
      // The engine without backtracking takes many steps per character, even for the loop's own item.
      return steps === 1 ? size(of.target) : steps * sizeOf(of.target, { ...env, innermost: undefined });
    }
    case "time":
      return size(of.target);
    case "text-form":
      return size(of.operand);
    case "size":
      return of.of === "list" ? 0 : size(of.operand);
    case "order":
      return of.of === "string" ? Math.min(size(of.left), size(of.right)) : 0;
    case "equals":
      return Math.min(size(of.left), size(of.right));
    case "in-map":
      return size(of.key);
    default:
      return 0;
  }
}

/** Returns a value's size; 0 if reading it in every round costs no more than reading the input once. */
function sizeOf(of: Expression, env: TypeEnv): number {
  if (of.kind === "arithmetic") return of.of === "string" ? sizeOf(of.left, env) + sizeOf(of.right, env) : 0;
  if (of.kind === "condition") return Math.max(sizeOf(of.consequent, env), sizeOf(of.alternative, env));
  // A letter becomes up to three.
  if (of.kind === "text-form") return sizeOf(of.operand, env) * 3;
  if (isOfInnermost(of, env)) return 0;
  const type = inputTypeOf(of, env);
  return type === undefined ? 0 : sizeAt(type, DEEPEST_LIST);
}

function isOfInnermost(of: Expression, { innermost }: TypeEnv): boolean {
  let root = of;
  while (root.kind === "member") root = root.object;
  return root.kind === "variable" && root.name === innermost;
}

function inputTypeOf(of: Expression, env: TypeEnv): InputType | undefined {
  if (of.kind === "input") return env.input.type;
  if (of.kind === "variable") return env.variables.get(of.name)?.type;
  if (of.kind !== "member") return undefined;
  const holder = inputTypeOf(of.object, env);
  return holder && findMemberType(holder, of.name).type;
}

function sizeAt(type: InputType, depth: number): number {
  const kinds = findKinds(type);
  if (kinds.has("map") || depth === 0) return Infinity;
  const list = kinds.has("list") ? countMostItems(type) : 0;
  // An empty list of long texts is short.
  const items = list === 0 ? 0 : list * Math.max(1, sizeAt(findItemType(type), depth - 1));
  return Math.max(items, kinds.has("string") ? measureLongestString(type) : 0);
}

/** Maximum rounds of nested loops together. */
const MOST_ROUNDS = 100_000;

/** Counts the rounds of a loop inside loops of `rounds`. Nested loops are bounded, since their time is polynomial. */
export function countRounds(node: ASTNode, type: InputType, rounds: number | undefined): number {
  const own = countMostItems(type);
  if (rounds !== undefined && rounds * own > MOST_ROUNDS) {
    refuse(node, { variant: "nested-loops", limit: MOST_ROUNDS });
  }
  return (rounds ?? 1) * own;
}
