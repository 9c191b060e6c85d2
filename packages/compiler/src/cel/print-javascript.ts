import { linearPattern } from "@hasp/schema/vocabulary";
import { RESERVED_WORDS } from "../model/reserved-names.js";
import type { Expression, TextForm } from "../model/conditions.js";

export interface PrintedPredicate {
  readonly javascript: string;
  readonly helpers: readonly string[];
}

type RootName = "input" | "call";

/** The precedence of each operator; an operand that binds less tightly needs parentheses. */
const BINDING = {
  condition: 1,
  or: 2,
  and: 3,
  equality: 4,
  order: 5,
  sum: 6,
  product: 7,
  unary: 8,
  access: 9,
} as const;
type Binding = (typeof BINDING)[keyof typeof BINDING];

/** Words that cannot name a parameter in a module, and names that predicates already use. */
const RESERVED = new Set([...RESERVED_WORDS, "input", "call"]);

/** Prints an expression as prettier would leave it. */
export function printJavaScript(expression: Expression, root: RootName = "input"): PrintedPredicate {
  const helpers = new Set<string>();
  const helper = (name: string, ...args: readonly string[]): string => {
    helpers.add(name);
    return `${name}(${args.join(", ")})`;
  };
  const javascript = body(expression, new Map());
  return { javascript, helpers: [...helpers].toSorted() };

  /** Puts a condition in parentheses where prettier does. */
  function body(of: Expression, names: ReadonlyMap<string, string>): string {
    const text = print(of, names, BINDING.condition);
    return of.kind === "condition" ? `(${text})` : text;
  }

  /** Prints `of` where the operand must bind at least as tightly as `least`. */
  function print(of: Expression, names: ReadonlyMap<string, string>, least: Binding): string {
    const [text, binding] = printed(of, names);
    return binding < least ? `(${text})` : text;
  }

  function printed(of: Expression, names: ReadonlyMap<string, string>): readonly [string, Binding] {
    const operand = (each: Expression, least: Binding = BINDING.condition): string => print(each, names, least);
    switch (of.kind) {
      case "literal":
        return printLiteral(of.value);
      case "input":
        return [root, BINDING.access];
      case "variable":
        return [names.get(of.name) ?? of.name, BINDING.access];
      case "member":
        return [field("member", of, names), BINDING.access];
      case "has":
        return [field("hasMember", of, names), BINDING.access];
      case "list":
        return [`[${of.items.map((item) => operand(item)).join(", ")}]`, BINDING.access];
      case "not":
        return [`!${operand(of.operand, BINDING.unary)}`, BINDING.unary];
      case "and":
        return [`${operand(of.left, BINDING.and)} && ${operand(of.right, BINDING.and)}`, BINDING.and];
      case "or":
        return [`${disjunct(of.left, names)} || ${disjunct(of.right, names)}`, BINDING.or];
      case "condition": {
        const test = operand(of.test, BINDING.or);
        return [`${test} ? ${body(of.consequent, names)} : ${operand(of.alternative)}`, BINDING.condition];
      }
      case "equals": {
        if (of.by === "value") {
          const call = helper("equal", operand(of.left), operand(of.right));
          return of.negated ? [`!${call}`, BINDING.unary] : [call, BINDING.access];
        }
        const operator = of.negated ? "!==" : "===";
        return [`${operand(of.left, BINDING.order)} ${operator} ${operand(of.right, BINDING.order)}`, BINDING.equality];
      }
      case "order": {
        if (of.of !== "string") {
          return [`${operand(of.left, BINDING.sum)} ${of.operator} ${operand(of.right, BINDING.sum)}`, BINDING.order];
        }
        return [`${helper("compareText", operand(of.left), operand(of.right))} ${of.operator} 0`, BINDING.order];
      }
      case "in-list":
        if (of.by === "identity") {
          return [`${operand(of.list, BINDING.access)}.includes(${operand(of.item)})`, BINDING.access];
        }
        return [helper("contains", operand(of.list), operand(of.item)), BINDING.access];
      case "in-map":
        return [helper("hasMember", operand(of.map), operand(of.key)), BINDING.access];
      case "arithmetic":
        return printArithmetic(of, names);
      case "negate": {
        const inner = operand(of.operand, BINDING.access);
        return [`-${inner}`, BINDING.unary];
      }
      case "size":
        if (of.of === "string") return [helper("textLength", operand(of.operand)), BINDING.access];
        if (of.of === "list") return [`${operand(of.operand, BINDING.access)}.length`, BINDING.access];
        return [`Object.keys(${operand(of.operand)}).length`, BINDING.access];
      case "string-test": {
        const method = of.test === "contains" ? "includes" : of.test;
        return [`${operand(of.target, BINDING.access)}.${method}(${operand(of.part)})`, BINDING.access];
      }
      case "text-form":
        return [`${operand(of.operand, BINDING.access)}.${TEXT_FORM_METHODS[of.form]}()`, BINDING.access];
      case "matches":
        // JavaScript's own engine backtracks, so it runs only cheap patterns.
        return linearPattern(of.pattern) instanceof RegExp
          ? [`${printPattern(of.pattern)}.test(${operand(of.target)})`, BINDING.access]
          : [helper("matches", operand(of.target), printText(of.pattern)), BINDING.access];
      case "time":
        return [helper(of.of, operand(of.target)), BINDING.access];
      case "quantifier": {
        const name = freshName(of.variable, names);
        const test = body(of.body, new Map([...names, [of.variable, name]]));
        return [helper(of.quantifier, operand(of.list), `(${name}) => ${test}`), BINDING.access];
      }
    }
  }

  /** Prints an operand of `||`, with prettier's parentheses around `&&`. */
  function disjunct(of: Expression, names: ReadonlyMap<string, string>): string {
    return of.kind === "and" ? `(${print(of, names, BINDING.condition)})` : print(of, names, BINDING.or);
  }

  /** Prints a read or a test of a field. The helpers throw if an object on the way to it is absent. */
  function field(call: "member" | "hasMember", of: FieldExpression, names: ReadonlyMap<string, string>): string {
    const path = [printText(of.name)];
    let { object } = of;
    for (; object.kind === "member"; object = object.object) path.unshift(printText(object.name));
    return helper(call, print(object, names, BINDING.condition), ...path);
  }

  function printArithmetic(
    of: Expression & { readonly kind: "arithmetic" },
    names: ReadonlyMap<string, string>,
  ): readonly [string, Binding] {
    const { operator, left, right } = of;
    const plain = (each: Expression): string => print(each, names, BINDING.condition);
    if (of.of === "integer" && operator === "/") {
      return [helper("divideIntegers", plain(left), plain(right)), BINDING.access];
    }
    if (of.of === "integer" && operator === "%") {
      return [helper("remainder", plain(left), plain(right)), BINDING.access];
    }
    const binding = operator === "+" || operator === "-" ? BINDING.sum : BINDING.product;
    const tighter = binding === BINDING.sum ? BINDING.product : BINDING.unary;
    // prettier puts parentheses around `*` inside `/` and the other way round.
    const isMixed =
      left.kind === "arithmetic" && left.of === "double" && binding === BINDING.product && left.operator !== operator;
    const text = `${print(left, names, isMixed ? tighter : binding)} ${operator} ${print(right, names, tighter)}`;
    switch (of.of) {
      case "integer":
        return [helper("safeInteger", text), BINDING.access];
      case "timestamp":
        return [helper("checkedTimestamp", text), BINDING.access];
      case "duration":
        return [helper("checkedDuration", text), BINDING.access];
      case "double":
      case "string":
        return [text, binding];
    }
  }
}

const TEXT_FORM_METHODS: { readonly [Form in TextForm]: string } = {
  lower: "toLowerCase",
  upper: "toUpperCase",
  trim: "trim",
};

type FieldExpression = Extract<Expression, { readonly kind: "member" | "has" }>;

function printLiteral(value: null | boolean | number | string): readonly [string, Binding] {
  if (typeof value === "string") return [printText(value), BINDING.access];
  if (typeof value !== "number") return [String(value), BINDING.access];
  return [
    Object.is(value, -0) ? "-0" : String(value).replace("e+", "e"),
    value < 0 || Object.is(value, -0) ? BINDING.unary : BINDING.access,
  ];
}

/** Helpers share the module's scope with the predicate, so a loop must not take their names either. */
const HELPERS = new Set(
  (
    "all checkedDuration checkedTimestamp compareText contains divideIntegers duration equal exists hasMember matches member " +
    "remainder safeInteger textLength timestamp Object"
  ).split(" "),
);

/** Returns a valid JavaScript name for a loop's item. It may shadow an outer one, as in CEL. */
function freshName(wanted: string, names: ReadonlyMap<string, string>): string {
  const taken = new Set(names.values());
  let name = wanted;
  while (RESERVED.has(name) || HELPERS.has(name) || (taken.has(name) && names.get(wanted) !== name)) name += "_";
  return name;
}

// Characters that change how source is read or shown: controls, separators, directions, invisible ones, surrogates.
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

const SHORT_ESCAPES = new Map([
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
]);

/** Prints a string literal as prettier does, safe inside a script element and free of invisible characters. */
function printText(text: string): string {
  const quote = count(text, '"') > count(text, "'") ? "'" : '"';
  const body = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replaceAll(UNPRINTABLE, escaped)
    .replaceAll(/<(?=\/script|!--)/giu, "\\x3C");
  return quote + body + quote;
}

function escaped(character: string): string {
  return SHORT_ESCAPES.get(character) ?? escapedByCode(character);
}

function escapedByCode(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Prints a regular expression literal with the flag `u`, as safe as {@link printText} makes strings. */
function printPattern(pattern: string): string {
  const { source } = new RegExp(pattern, "u");
  // Use no short escapes: in a pattern, \b is a word boundary.
  const body = source.replaceAll(UNPRINTABLE, escapedByCode).replaceAll(/<(?=\\\/script|!--)/giu, "\\x3C");
  return `/${body}/u`;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
