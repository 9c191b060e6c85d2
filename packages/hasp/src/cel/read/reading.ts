import type { Expression } from "../model/expression.js";
import { printPattern } from "../print/javascript-text.js";

/**
 * What an expression says, however it is written: a construct and its operands. Equal readings give equal answers. Two
 * kinds of expressions have one reading where one piece of JavaScript serves both, such as `includes` of strings and
 * of lists.
 */
export type Reading = readonly [construct: string, ...operands: (Reading | string)[]];

type Of<Kind extends Expression["kind"], Each = Expression> = Each extends { readonly kind: infer Own }
  ? Kind extends Own
    ? Each
    : never
  : never;
/** The items of the loops around an expression, by name, outermost first. */
type Loops = readonly string[];

/** How each kind of expression reads: a kind that is added to the language is a type error here. */
const READINGS: { readonly [Kind in Expression["kind"]]: (of: Of<Kind>, loops: Loops) => Reading } = {
  literal: ({ value }) => literalReading(value),
  input: () => ["input"],
  variable: ({ name }, loops) => itemReading(loops.lastIndexOf(name), loops),
  member: ({ object, name }, loops) => ["member", read(object, loops), literalReading(name)],
  has: ({ object, name }, loops) => ["has", read(object, loops), literalReading(name)],
  list: ({ items }, loops) => ["list", ...items.map((item) => read(item, loops))],
  not: ({ operand }, loops) => ["not", read(operand, loops)],
  and: ({ left, right }, loops) => ["and", read(left, loops), read(right, loops)],
  or: ({ left, right }, loops) => ["or", read(left, loops), read(right, loops)],
  condition: ({ test, consequent, alternative }, loops) => [
    "condition",
    read(test, loops),
    read(consequent, loops),
    read(alternative, loops),
  ],
  equals: ({ negated, by, left, right }, loops) => {
    const equal: Reading = ["equal", by, read(left, loops), read(right, loops)];
    return negated ? ["not", equal] : equal;
  },
  order: ({ operator, of, left, right }, loops) => [
    operator,
    of === "string" ? "string" : "plain",
    read(left, loops),
    read(right, loops),
  ],
  "in-list": ({ by, list, item }, loops) => [
    by === "identity" ? "includes" : "contains",
    read(list, loops),
    read(item, loops),
  ],
  "in-map": ({ map, key }, loops) => ["has", read(map, loops), read(key, loops)],
  arithmetic: ({ operator, of, left, right }, loops) => [
    operator,
    of === "double" || of === "string" ? "plain" : of,
    read(left, loops),
    read(right, loops),
  ],
  negate: ({ operand }, loops) => negativeReading(read(operand, loops)),
  size: ({ of, operand }, loops) => ["size", of, read(operand, loops)],
  "string-test": ({ test, target, part }, loops) => [
    test === "contains" ? "includes" : test,
    read(target, loops),
    read(part, loops),
  ],
  matches: ({ pattern, target }, loops) => ["matches", patternReading(pattern), read(target, loops)],
  time: ({ of, target }, loops) => [of, read(target, loops)],
  quantifier: ({ quantifier, variable, list, body }, loops) => [
    quantifier,
    read(list, loops),
    read(body, [...loops, variable]),
  ],
};

/** How an expression reads. */
export function readingOf(expression: Expression): Reading {
  return read(expression, []);
}

function read(of: Expression, loops: Loops): Reading {
  // The table has a reading for each kind, of that kind.
  const reading = READINGS[of.kind] as (of: Expression, loops: Loops) => Reading;
  return reading(of, loops);
}

/** A literal, with its type. */
export function literalReading(value: null | boolean | number | string): Reading {
  return ["literal", value === null ? "null" : typeof value, Object.is(value, -0) ? "-0" : String(value)];
}

/** The item of a loop, by how many loops there are inside of it. */
export function itemReading(loop: number, loops: Loops): Reading {
  return ["item", String(loops.length - 1 - loop)];
}

/** The negative of a number; JavaScript has no negative literals, so that of a literal is one. */
export function negativeReading(operand: Reading): Reading {
  const [construct, type, digits] = operand;
  const isPositive =
    construct === "literal" && type === "number" && typeof digits === "string" && !digits.startsWith("-");
  return isPositive ? ["literal", "number", `-${digits}`] : ["negate", operand];
}

/** A regular expression, in the one way in which it is printed. */
export function patternReading(pattern: string): string {
  return printPattern(pattern);
}
