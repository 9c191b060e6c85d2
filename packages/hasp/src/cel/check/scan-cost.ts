import type { ASTNode } from "@marcbachmann/cel-js";
import type { Expression } from "../expression.js";
import type { Surroundings } from "./typed-expression.js";
import { itemPlace, kindsAt, longestText, memberPlace, mostItems, type Place } from "./input-type.js";
import { refuse } from "../refusal.js";

/** So much may be read in every round, however many rounds there are: it is a constant. */
const ALWAYS_CHEAP = 1000;
/** Most that all rounds together may read. */
const MOST_READ = 10_000_000;
/** A list of lists of lists is as long as the product of the three. */
const DEEPEST_LIST = 4;

/**
 * Refuses, inside a loop, what reads a text, a list or an object from one end to the other in every round: the time
 * would grow with the square of the input. What belongs to the loop's own item is read once in all, and literals have
 * one length.
 */
export function mustReadLittle(node: ASTNode, expression: Expression, around: Surroundings): void {
  const read = around.rounds === undefined ? 0 : readBy(expression, around);
  if (read <= ALWAYS_CHEAP || around.rounds === undefined || read * around.rounds <= MOST_READ) return;
  refuse(node, { variant: "read-in-loop", text: around.textOf(node) });
}

/** The most characters, items or keys that one evaluation of the expression itself looks at, without its parts. */
function readBy(of: Expression, around: Surroundings): number {
  const size = (part: Expression): number => sizeOf(part, around);
  switch (of.kind) {
    case "text-test":
      // Where a text begins or ends is seen in the length of the shorter one.
      return of.test === "contains" ? size(of.text) : Math.min(size(of.text), size(of.part));
    case "matches":
    case "time":
      return size(of.text);
    case "size":
      return of.of === "list" ? 0 : size(of.operand);
    case "order":
      return of.of === "text" ? Math.min(size(of.left), size(of.right)) : 0;
    case "equals":
      return Math.min(size(of.left), size(of.right));
    case "in-map":
      return size(of.key);
    default:
      return 0;
  }
}

/** The size of a value, as far as reading it in every round costs more than reading the input once. */
function sizeOf(of: Expression, around: Surroundings): number {
  if (of.kind === "arithmetic") return of.of === "text" ? sizeOf(of.left, around) + sizeOf(of.right, around) : 0;
  if (of.kind === "condition") return Math.max(sizeOf(of.consequent, around), sizeOf(of.alternative, around));
  if (isOfInnermost(of, around)) return 0;
  const place = placeOf(of, around);
  return place === undefined ? 0 : sizeAt(place, DEEPEST_LIST);
}

/** Whether a value is the item that the innermost loop looks at, or stands in it. */
function isOfInnermost(of: Expression, { innermost }: Surroundings): boolean {
  let root = of;
  while (root.kind === "member") root = root.object;
  return root.kind === "variable" && root.name === innermost;
}

/** The place that an expression names; nothing for what is computed or written out. */
function placeOf(of: Expression, around: Surroundings): Place | undefined {
  if (of.kind === "input") return around.input.place;
  if (of.kind === "variable") return around.variables.get(of.name)?.place;
  if (of.kind !== "member") return undefined;
  const holder = placeOf(of.object, around);
  return holder === undefined ? undefined : memberPlace(holder, of.name).place;
}

function sizeAt(place: Place, depth: number): number {
  const kinds = kindsAt(place);
  if (kinds.has("map") || depth === 0) return Infinity;
  const list = kinds.has("list") ? mostItems(place) : 0;
  // An empty list of long texts is short.
  const items = list === 0 ? 0 : list * Math.max(1, sizeAt(itemPlace(place), depth - 1));
  return Math.max(items, kinds.has("string") ? longestText(place) : 0);
}
