import { findOrAdd, isObject } from "@hasp/base/json";
import { linearPattern } from "@hasp/schema/vocabulary";
import {
  checkedDuration,
  checkedTimestamp,
  compareText,
  divideIntegers,
  duration,
  equal,
  remainder,
  safeInteger,
  textLength,
  timestamp,
} from "@hasp/base/conditions";
import type { Expression, OrderOperator, TextForm } from "../../model/conditions.js";

type Items = ReadonlyMap<string, unknown>;

/** Returns an evaluator without generated code. For valid input, it answers or throws as the printed JavaScript does. */
export function createEvaluator(expression: Expression): (input: unknown) => boolean {
  const evaluate = createValueEvaluator(expression);
  return (input) => truth(evaluate(input));
}

/** Returns an evaluator of a part of a condition, for the `items` of the loops around it. */
export function createValueEvaluator(expression: Expression): (input: unknown, items?: Items) => unknown {
  const patterns = new Map<string, ReturnType<typeof linearPattern>>();
  const matches = (whole: string, source: string): boolean => {
    const pattern = findOrAdd(patterns, source, () => linearPattern(source));
    if (pattern === undefined) throw new RangeError(`${source} cannot be matched in linear time.`);
    return pattern.test(whole);
  };
  const none: Items = new Map();
  return (input, items = none) => evaluate(expression, { input, items, matches });
}

interface Evaluation {
  readonly input: unknown;
  readonly items: Items;
  readonly matches: (whole: string, source: string) => boolean;
}

function evaluate(expression: Expression, evaluation: Evaluation): unknown {
  // One function walks the whole tree: a function for each node would cost more than most nodes.
  const value = (of: Expression): unknown => {
    switch (of.kind) {
      case "literal":
        return of.value;
      case "input":
        return evaluation.input;
      case "variable":
        return evaluation.items.get(of.name);
      case "member": {
        const holder = record(value(of.object));
        if (!isPresent(holder, of.name)) throw new RangeError(`There is nothing at ${of.pointer}.`);
        return Reflect.get(holder, of.name);
      }
      case "has":
        return isPresent(record(value(of.object)), of.name);
      case "list":
        return of.items.map(value);
      case "not":
        return !truth(value(of.operand));
      case "and":
        return truth(value(of.left)) && truth(value(of.right));
      case "or":
        return truth(value(of.left)) || truth(value(of.right));
      case "condition":
        return value(truth(value(of.test)) ? of.consequent : of.alternative);
      case "equals":
        return equal(value(of.left), value(of.right)) !== of.negated;
      case "order":
        return isInOrder(of, value(of.left), value(of.right));
      case "in-list": {
        const wanted = value(of.item);
        return array(value(of.list)).some((each) => equal(each, wanted));
      }
      case "in-map": {
        const wanted = text(value(of.key));
        return isPresent(record(value(of.map)), wanted);
      }
      case "arithmetic":
        return compute(of, value(of.left), value(of.right));
      case "negate":
        return -number(value(of.operand));
      case "size": {
        const whole = value(of.operand);
        if (of.of === "string") return textLength(text(whole));
        return of.of === "list" ? array(whole).length : Object.keys(record(whole)).length;
      }
      case "string-test":
        return TEXT_TESTS[of.test](text(value(of.target)), text(value(of.part)));
      case "text-form":
        return CHANGE_FORM[of.form](text(value(of.operand)));
      case "matches":
        return evaluation.matches(text(value(of.target)), of.pattern);
      case "time":
        return (of.of === "timestamp" ? timestamp : duration)(text(value(of.target)));
      case "quantifier": {
        const { body, variable } = of;
        const holds = (item: unknown): boolean =>
          truth(evaluate(body, { ...evaluation, items: new Map(evaluation.items).set(variable, item) }));
        const all = array(value(of.list));
        return of.quantifier === "all" ? all.every(holds) : all.some(holds);
      }
    }
  };
  return value(expression);
}

/** Changes a text to lower or upper case, by Unicode's default mapping, or takes away the white space around it. */
export const CHANGE_FORM: { readonly [Form in TextForm]: (whole: string) => string } = {
  lower: (whole) => whole.toLowerCase(),
  upper: (whole) => whole.toUpperCase(),
  trim: (whole) => whole.trim(),
};

const TEXT_TESTS = {
  startsWith: (whole: string, part: string): boolean => whole.startsWith(part),
  endsWith: (whole: string, part: string): boolean => whole.endsWith(part),
  contains: (whole: string, part: string): boolean => whole.includes(part),
} as const;

type ExpressionOf<Kind extends Expression["kind"]> = Extract<Expression, { readonly kind: Kind }>;

function isInOrder({ of, operator }: ExpressionOf<"order">, left: unknown, right: unknown): boolean {
  if (of === "string") return ORDERS[operator](compareText(text(left), text(right)), 0);
  const read = of === "time" ? instant : number;
  return ORDERS[operator](read(left), read(right));
}

type Ordered = number | bigint;

const ORDERS: { readonly [Operator in OrderOperator]: (left: Ordered, right: Ordered) => boolean } = {
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};

function compute({ of, operator }: ExpressionOf<"arithmetic">, left: unknown, right: unknown): unknown {
  switch (of) {
    case "string":
      return text(left) + text(right);
    case "timestamp":
    case "duration": {
      const result = instant(left) + (operator === "+" ? instant(right) : -instant(right));
      return of === "timestamp" ? checkedTimestamp(result) : checkedDuration(result);
    }
    case "integer":
      return INTEGER_ARITHMETIC[operator](number(left), number(right));
    case "double":
      return DOUBLE_ARITHMETIC[operator](number(left), number(right));
  }
}

const DOUBLE_ARITHMETIC = {
  "+": (left: number, right: number): number => left + right,
  "-": (left: number, right: number): number => left - right,
  "*": (left: number, right: number): number => left * right,
  "/": (left: number, right: number): number => left / right,
  "%": (left: number, right: number): number => left % right,
} as const;

const INTEGER_ARITHMETIC = {
  "+": (left: number, right: number): number => safeInteger(left + right),
  "-": (left: number, right: number): number => safeInteger(left - right),
  "*": (left: number, right: number): number => safeInteger(left * right),
  "/": divideIntegers,
  "%": remainder,
} as const;

function isPresent(holder: object, name: string): boolean {
  return Object.hasOwn(holder, name) && Reflect.get(holder, name) !== undefined;
}

function truth(value: unknown): boolean {
  if (typeof value !== "boolean") throw wrong(value, "true or false");
  return value;
}

function number(value: unknown): number {
  if (typeof value !== "number") throw wrong(value, "a number");
  return value;
}

function instant(value: unknown): bigint {
  if (typeof value !== "bigint") throw wrong(value, "a time");
  return value;
}

function text(value: unknown): string {
  if (typeof value !== "string") throw wrong(value, "a text");
  return value;
}

function array(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(value, "a list");
  return value;
}

function record(value: unknown): object {
  if (!isObject(value)) throw wrong(value, "an object");
  return value;
}

function wrong(value: unknown, wanted: string): TypeError {
  return new TypeError(`A predicate needs ${wanted}, but the input has ${value === null ? "null" : typeof value}.`);
}
