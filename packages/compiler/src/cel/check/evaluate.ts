import { isObject } from "@hasp/base/json";
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
type Evaluator = (input: unknown, items: Items) => unknown;

/** Returns an evaluator of a part of a condition, for the items of the loops around it. */
export function createScopedEvaluator(expression: Expression): Evaluator {
  return compiled(expression);
}

/** Returns an evaluator without generated code. For valid input, it answers or throws as the printed JavaScript does. */
export function createEvaluator(expression: Expression): (input: unknown) => boolean {
  const evaluate = createValueEvaluator(expression);
  return (input) => truth(evaluate(input));
}

export function createValueEvaluator(expression: Expression): (input: unknown) => unknown {
  const evaluate = compiled(expression);
  return (input) => evaluate(input, new Map());
}

function compiled(of: Expression): Evaluator {
  switch (of.kind) {
    case "literal":
      return () => of.value;
    case "input":
      return (input) => input;
    case "variable":
      return (_, items) => items.get(of.name);
    case "member": {
      const object = compiled(of.object);
      return (input, items) => {
        const holder = record(object(input, items));
        if (!isPresent(holder, of.name)) throw new RangeError(`There is nothing at ${of.pointer}.`);
        return Reflect.get(holder, of.name);
      };
    }
    case "has": {
      const object = compiled(of.object);
      return (input, items) => isPresent(record(object(input, items)), of.name);
    }
    case "list": {
      const members = of.items.map(compiled);
      return (input, items) => members.map((member) => member(input, items));
    }
    case "not": {
      const operand = compiled(of.operand);
      return (input, items) => !truth(operand(input, items));
    }
    case "and":
    case "or": {
      const [left, right, isAnd] = [compiled(of.left), compiled(of.right), of.kind === "and"];
      return (input, items) => {
        const first = truth(left(input, items));
        return first === isAnd ? truth(right(input, items)) : first;
      };
    }
    case "condition": {
      const [test, consequent, alternative] = [compiled(of.test), compiled(of.consequent), compiled(of.alternative)];
      return (input, items) => (truth(test(input, items)) ? consequent(input, items) : alternative(input, items));
    }
    case "equals": {
      const [left, right] = [compiled(of.left), compiled(of.right)];
      return (input, items) => equal(left(input, items), right(input, items)) !== of.negated;
    }
    case "order":
      return orderOf(of);
    case "in-list": {
      const [item, list] = [compiled(of.item), compiled(of.list)];
      return (input, items) => {
        const wanted = item(input, items);
        return array(list(input, items)).some((each) => equal(each, wanted));
      };
    }
    case "in-map": {
      const [key, map] = [compiled(of.key), compiled(of.map)];
      return (input, items) => {
        const wanted = text(key(input, items));
        return isPresent(record(map(input, items)), wanted);
      };
    }
    case "arithmetic":
      return arithmeticOf(of);
    case "negate": {
      const operand = compiled(of.operand);
      return (input, items) => -number(operand(input, items));
    }
    case "size": {
      const operand = compiled(of.operand);
      if (of.of === "string") return (input, items) => textLength(text(operand(input, items)));
      if (of.of === "list") return (input, items) => array(operand(input, items)).length;
      return (input, items) => Object.keys(record(operand(input, items))).length;
    }
    case "string-test": {
      const [whole, part] = [compiled(of.target), compiled(of.part)];
      const test = TEXT_TESTS[of.test];
      return (input, items) => test(text(whole(input, items)), text(part(input, items)));
    }
    case "text-form": {
      const operand = compiled(of.operand);
      return (input, items) => toTextForm(of.form, text(operand(input, items)));
    }
    case "matches": {
      const whole = compiled(of.target);
      const pattern = linearPattern(of.pattern);
      if (pattern === undefined) throw new RangeError(`${of.pattern} cannot be matched in linear time.`);
      return (input, items) => pattern.test(text(whole(input, items)));
    }
    case "time": {
      const whole = compiled(of.target);
      const parse = of.of === "timestamp" ? timestamp : duration;
      return (input, items) => parse(text(whole(input, items)));
    }
    case "quantifier": {
      const [list, body] = [compiled(of.list), compiled(of.body)];
      return (input, items) => {
        const holds = (item: unknown): boolean => truth(body(input, new Map([...items, [of.variable, item]])));
        const all = array(list(input, items));
        return of.quantifier === "all" ? all.every(holds) : all.some(holds);
      };
    }
  }
}

/** Returns a text in lower or upper case, by Unicode's default mapping, or without the white space around it. */
export function toTextForm(form: TextForm, whole: string): string {
  switch (form) {
    case "lower":
      return whole.toLowerCase();
    case "upper":
      return whole.toUpperCase();
    case "trim":
      return whole.trim();
  }
}

const TEXT_TESTS = {
  startsWith: (whole: string, part: string): boolean => whole.startsWith(part),
  endsWith: (whole: string, part: string): boolean => whole.endsWith(part),
  contains: (whole: string, part: string): boolean => whole.includes(part),
} as const;

function orderOf(of: Expression & { readonly kind: "order" }): Evaluator {
  const [left, right] = [compiled(of.left), compiled(of.right)];
  return (input, items) => {
    const [first, second] = [left(input, items), right(input, items)];
    if (of.of === "string") return inOrder(of.operator, compareText(text(first), text(second)), 0);
    if (of.of === "time") return inOrder(of.operator, instant(first), instant(second));
    return inOrder(of.operator, number(first), number(second));
  };
}

function inOrder<Value extends number | bigint>(operator: OrderOperator, left: Value, right: Value): boolean {
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

function arithmeticOf(of: Expression & { readonly kind: "arithmetic" }): Evaluator {
  const [left, right] = [compiled(of.left), compiled(of.right)];
  const { operator } = of;
  switch (of.of) {
    case "string":
      return (input, items) => text(left(input, items)) + text(right(input, items));
    case "timestamp":
    case "duration": {
      const checked = of.of === "timestamp" ? checkedTimestamp : checkedDuration;
      return (input, items) => {
        const [first, second] = [instant(left(input, items)), instant(right(input, items))];
        return checked(operator === "+" ? first + second : first - second);
      };
    }
    case "integer":
    case "double": {
      const compute = of.of === "integer" ? INTEGER_ARITHMETIC[operator] : DOUBLE_ARITHMETIC[operator];
      return (input, items) => {
        const first = number(left(input, items));
        return compute(first, number(right(input, items)));
      };
    }
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
