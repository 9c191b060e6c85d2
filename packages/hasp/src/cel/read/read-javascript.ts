import type { ArrowFunctionExpression, Expression, SpreadElement } from "../../typescript/javascript.js";
import { canBeRun } from "../patterns/pattern.js";
import { itemReading, literalReading, negativeReading, patternReading, type Reading } from "./reading.js";

/** What a printed condition says, and which functions it calls. */
export interface ReadCondition {
  readonly reading: Reading;
  /** The names that it needs from `@hasp/runtime/codegen/v1`. */
  readonly helpers: ReadonlySet<string>;
}

/** Names of the parameters around an expression, outermost first. */
type Parameters = readonly string[];

/**
 * Reads a printed condition back: the inverse of the printer, with which it shares nothing. Only what is listed here is
 * part of a condition; `undefined` for anything else. The last of the function's `parameters` is what it judges.
 */
export function readJavaScript(printed: Expression, parameters: Parameters = ["input"]): ReadCondition | undefined {
  const root = parameters.at(-1);
  const helpers = new Set<string>();
  try {
    return { reading: readFunction(printed, []), helpers };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }

  function readFunction(node: Expression, loops: Parameters): Reading {
    if (node.type !== "ArrowFunctionExpression" || node.async || node.body.type === "BlockStatement") return refuse();
    const names = parameterNames(node);
    if (names.length > 0 && names.join() !== parameters.join()) return refuse();
    return read(node.body, loops);
  }

  function read(node: Expression | SpreadElement | null, loops: Parameters): Reading {
    switch (node?.type) {
      case "Literal":
        if (typeof node.value === "bigint" || typeof node.value === "object") {
          return node.raw === "null" ? literalReading(null) : refuse();
        }
        return literalReading(node.value ?? null);
      case "Identifier": {
        const loop = loops.lastIndexOf(node.name);
        if (loop !== -1) return itemReading(loop, loops);
        return node.name === root ? ["input"] : refuse();
      }
      case "ArrayExpression":
        return ["list", ...node.elements.map((element) => read(element, loops))];
      case "UnaryExpression":
        if (node.operator === "!") return ["not", read(node.argument, loops)];
        if (node.operator === "-") return negativeReading(read(node.argument, loops));
        return refuse();
      case "LogicalExpression":
        if (node.operator === "&&") return ["and", read(node.left, loops), read(node.right, loops)];
        if (node.operator === "||") return ["or", read(node.left, loops), read(node.right, loops)];
        return refuse();
      case "ConditionalExpression":
        return ["condition", read(node.test, loops), read(node.consequent, loops), read(node.alternate, loops)];
      case "BinaryExpression":
        return node.left.type === "PrivateIdentifier"
          ? refuse()
          : readBinary(node.operator, node.left, node.right, loops);
      case "MemberExpression": {
        const { object, property, computed, optional } = node;
        if (computed || optional || property.type !== "Identifier" || property.name !== "length") return refuse();
        if (object.type === "Super") return refuse();
        const keys = keysOf(object, loops);
        return keys === undefined ? ["size", "list", read(object, loops)] : ["size", "map", read(keys, loops)];
      }
      case "CallExpression": {
        if (node.optional || node.callee.type === "Super") return refuse();
        return node.callee.type === "Identifier"
          ? readHelper(node.callee.name, node.arguments, loops)
          : readMethod(node.callee, node.arguments, loops);
      }
      default:
        return refuse();
    }
  }

  function readBinary(operator: string, left: Expression, right: Expression, loops: Parameters): Reading {
    switch (operator) {
      case "===":
        return ["equal", "identity", read(left, loops), read(right, loops)];
      case "!==":
        return ["not", ["equal", "identity", read(left, loops), read(right, loops)]];
      case "<":
      case "<=":
      case ">":
      case ">=": {
        const isCompared = left.type === "CallExpression" && left.callee.type === "Identifier";
        if (!isCompared || left.callee.type !== "Identifier" || left.callee.name !== "compareText") {
          return [operator, "plain", read(left, loops), read(right, loops)];
        }
        if (right.type !== "Literal" || right.value !== 0) return refuse();
        return [operator, "string", ...operandsOf("compareText", left.arguments, 2, loops)];
      }
      case "+":
      case "-":
      case "*":
      case "/":
      case "%":
        return [operator, "plain", read(left, loops), read(right, loops)];
      default:
        return refuse();
    }
  }

  /** A call of a function of the runtime. */
  function readHelper(name: string, given: Arguments, loops: Parameters): Reading {
    const operands = (count: number): readonly Reading[] => operandsOf(name, given, count, loops);
    switch (name) {
      case "member":
      case "hasMember": {
        const [first, ...path] = operandsOf(name, given, undefined, loops);
        const last = path.pop();
        if (first === undefined || last === undefined || !path.every(isString)) return refuse();
        const holder = path.reduce<Reading>((object, key) => ["member", object, key], first);
        if (name === "hasMember") return ["has", holder, last];
        return isString(last) ? ["member", holder, last] : refuse();
      }
      case "equal":
        return ["equal", "value", ...operands(2)];
      case "contains":
        return ["contains", ...operands(2)];
      case "matches": {
        const [target, pattern] = operands(2);
        const source = pattern !== undefined && isString(pattern) ? String(pattern[2]) : "(";
        return target === undefined || !canBeRun(source) ? refuse() : ["matches", patternReading(source), target];
      }
      case "textLength":
        return ["size", "string", ...operands(1)];
      case "timestamp":
      case "duration":
        return [name, ...operands(1)];
      case "divideIntegers":
        return ["/", "integer", ...operands(2)];
      case "remainder":
        return ["%", "integer", ...operands(2)];
      case "safeInteger":
        return checked("integer", operands(1), ["+", "-", "*"]);
      case "checkedTimestamp":
        return checked("timestamp", operands(1), ["+", "-"]);
      case "checkedDuration":
        return checked("duration", operands(1), ["+", "-"]);
      case "all":
      case "exists": {
        helperNamed(name, loops);
        const [list, test, ...others] = given;
        if (list === undefined || others.length > 0 || test?.type !== "ArrowFunctionExpression") return refuse();
        const [item, ...more] = parameterNames(test);
        if (item === undefined || more.length > 0 || test.async || test.body.type === "BlockStatement") return refuse();
        return [name, read(list, loops), read(test.body, [...loops, item])];
      }
      default:
        return refuse();
    }
  }

  function readMethod(callee: Expression, given: Arguments, loops: Parameters): Reading {
    if (callee.type !== "MemberExpression" || callee.computed || callee.optional) return refuse();
    const { object, property } = callee;
    const [argument, ...others] = given;
    if (argument === undefined || others.length > 0 || object.type === "Super" || property.type !== "Identifier") {
      return refuse();
    }
    switch (property.name) {
      case "includes":
      case "startsWith":
      case "endsWith":
        return [property.name, read(object, loops), read(argument, loops)];
      case "test":
        if (object.type !== "Literal" || object.regex?.flags !== "u") return refuse();
        return ["matches", patternReading(object.regex.pattern), read(argument, loops)];
      default:
        return refuse();
    }
  }

  function operandsOf(
    helper: string,
    given: Arguments,
    count: number | undefined,
    loops: Parameters,
  ): readonly Reading[] {
    helperNamed(helper, loops);
    if (count !== undefined && given.length !== count) return refuse();
    return given.map((each) => read(each, loops));
  }

  function helperNamed(name: string, loops: Parameters): void {
    // The item of a loop hides a function of the same name.
    if (loops.includes(name)) refuse();
    helpers.add(name);
  }
}

type Arguments = readonly (Expression | SpreadElement)[];

class Unreadable extends Error {}

function refuse(): never {
  throw new Unreadable();
}

function parameterNames({ params }: ArrowFunctionExpression): readonly string[] {
  return params.map((each) => (each.type === "Identifier" ? each.name : refuse()));
}

/** The argument of `Object.keys`. */
function keysOf(node: Expression, loops: Parameters): Expression | undefined {
  if (node.type !== "CallExpression" || node.optional || node.callee.type !== "MemberExpression") return undefined;
  const { object, property, computed } = node.callee;
  const isKeys = !computed && property.type === "Identifier" && property.name === "keys";
  if (!isKeys || object.type !== "Identifier" || object.name !== "Object" || loops.includes("Object")) return undefined;
  const [only, ...others] = node.arguments;
  return only === undefined || only.type === "SpreadElement" || others.length > 0 ? undefined : only;
}

/** Arithmetic whose result a function checks; unchecked, it is of another domain. */
function checked(domain: string, [computed]: readonly Reading[], operators: readonly string[]): Reading {
  const [operator, of, ...operands] = computed ?? refuse();
  return operators.includes(operator) && of === "plain" ? [operator, domain, ...operands] : refuse();
}

function isString([construct, type]: Reading): boolean {
  return construct === "literal" && type === "string";
}
