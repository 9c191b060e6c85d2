import { literalKey, plainText, stringLiteral } from "./string-literal.js";

/** Data for a literal in which some values are the names of constants. */
export type LiteralValue = null | boolean | number | string | Variable | readonly LiteralValue[] | LiteralObject;

/** An object of such data. */
export interface LiteralObject {
  readonly [key: string]: LiteralValue;
}

/** The name of a constant, in the place of a value. */
export interface Variable {
  readonly [variableName]: string;
}

const variableName: unique symbol = Symbol("variable");

/** A constant in the place of a value. */
export function variable(name: string): Variable {
  return { [variableName]: name };
}

/** How data is written: as a TypeScript literal or as JSON. Both are laid out exactly as prettier lays them out. */
export interface Notation {
  readonly key: (name: string) => string;
  readonly string: (text: string) => string;
  /** Texts that only need quotes. */
  readonly plainText: RegExp;
  readonly trailingComma: "," | "";
  /** Whether a long text moves to a line of its own, below its key. */
  readonly movesLongText: boolean;
  /** What stands behind a list or object under a key. */
  readonly suffix: (key: string) => string;
}

/** An object or list literal of TypeScript. */
export const typescript: Notation = {
  key: literalKey,
  string: stringLiteral,
  plainText,
  trailingComma: ",",
  movesLongText: true,
  suffix: assertion,
};

const plainJson = /^[ !#-[\]-~]*$/u;

/** JSON. */
export const json: Notation = {
  key: jsonString,
  string: jsonString,
  plainText: plainJson,
  trailingComma: "",
  movesLongText: false,
  suffix: () => "",
};

/** A number as both notations write it. */
export function numberLiteral(value: number): string {
  if (Object.is(value, -0)) return "-0";
  return String(value).replace("e+", "e");
}

/**
 * Under a key that every object inherits, TypeScript looks for the type of a literal at the inherited member, and
 * forgets which texts may stand there.
 */
function assertion(key: string): string {
  return inheritedKeys.has(key) ? " as const" : "";
}

const inheritedKeys: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype).map(literalKey));

function jsonString(text: string): string {
  return plainJson.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** A list or object with something in it: only these can be broken. */
export type Composite = readonly LiteralValue[] | LiteralObject;

/** Whether a value is a list. */
export function isList(value: LiteralValue): value is readonly LiteralValue[] {
  return Array.isArray(value);
}

/** Whether a value is a list or object with something in it. */
export function isComposite(value: LiteralValue): value is Composite {
  return (
    typeof value === "object" &&
    value !== null &&
    (isList(value) ? value.length > 0 : !isVariable(value) && !isEmpty(value))
  );
}

function isVariable(value: Variable | LiteralObject): value is Variable {
  return variableName in value;
}

function isEmpty(value: object): boolean {
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

/** A constant of the same name stands behind the key: the key alone is written. */
export function isShorthand(value: LiteralValue, key: string): boolean {
  return (
    typeof value === "object" && value !== null && !isList(value) && isVariable(value) && value[variableName] === key
  );
}

/** What is always on one line. */
export function leafText(value: LiteralValue, notation: Notation): string {
  switch (typeof value) {
    case "string":
      return notation.plainText.test(value) ? `"${value}"` : notation.string(value);
    case "number":
      return numberLiteral(value);
    case "boolean":
      return value ? "true" : "false";
    default:
      if (value === null) return "null";
      if (isList(value)) return "[]";
      return isVariable(value) ? value[variableName] : "{}";
  }
}
