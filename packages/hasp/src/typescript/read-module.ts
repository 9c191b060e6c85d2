import type { JsonValue } from "@hasp/schema";
import { type Expression, type Node, parseExpression, type SpreadElement } from "./javascript.js";

/** A value of a module's constant: data, or code in its place. */
export type ReadValue = JsonValue | ReadCode | readonly ReadValue[] | { readonly [key: string]: ReadValue };

/** Code in the place of data, such as a name or a function. */
export class ReadCode {
  readonly node: Expression;
  readonly text: string;

  constructor(node: Expression, text: string) {
    this.node = node;
    this.text = text;
  }
}

/** A call of a function by its name. */
export class ReadCall extends ReadCode {
  readonly called: string;
  readonly values: readonly ReadValue[];

  constructor(node: Expression, text: string, called: string, values: readonly ReadValue[]) {
    super(node, text);
    this.called = called;
    this.values = values;
  }
}

/** Data where a test holds, and other data where it does not. */
export class ReadConditional extends ReadCode {
  readonly test: string;
  readonly values: readonly [whenTrue: ReadValue, whenFalse: ReadValue];

  constructor(node: Expression, text: string, test: string, values: readonly [ReadValue, ReadValue]) {
    super(node, text);
    this.test = test;
    this.values = values;
  }
}

/** What a list or an object takes from another. */
export class ReadSpread extends ReadCode {}

/** A name of another module; `*` for all that it exports. */
export interface ImportedName {
  readonly from: string;
  readonly name: string;
}

/** A generated module, read back from its text. */
export interface ReadModule {
  readonly path: string;
  /** The first line of each statement of a kind that no generated module has; none in a sound module. */
  readonly unknown: readonly string[];
  /** The names of its constants. */
  readonly names: readonly string[];
  /** The value of a constant; `undefined` where there is none, or nothing that can be read. */
  constant(name: string): ReadValue | undefined;
  /**
   * A value with the values of the module's own constants in place of their names; `imported` knows those of other
   * modules.
   */
  resolve(value: ReadValue, imported?: (name: ImportedName) => ReadValue | undefined): ReadValue;
  /** Where each imported name comes from. */
  readonly imports: ReadonlyMap<string, ImportedName>;
}

/** The module that a function does nothing but import; `undefined` for anything else. */
export function loadedModule(value: ReadValue | undefined): string | undefined {
  if (!(value instanceof ReadCode) || value.node.type !== "ArrowFunctionExpression") return undefined;
  const { params, body } = value.node;
  if (params.length > 0 || body.type !== "ImportExpression" || body.source.type !== "Literal") return undefined;
  return typeof body.source.value === "string" ? body.source.value : undefined;
}

/** What a function that is one expression returns; `undefined` for anything else. */
export function returnedValue(value: ReadValue): ReadValue | undefined {
  if (!(value instanceof ReadCode) || value.node.type !== "ArrowFunctionExpression") return undefined;
  const node = parseExpression(value.text);
  if (node.type !== "ArrowFunctionExpression" || node.body.type === "BlockStatement") return undefined;
  return valueOf(node.body, value.text);
}

/**
 * Reads a generated module: its imports at once, each constant when it is asked for. Types are left to the TypeScript
 * compiler. The reader shares nothing with the emitters: what one of them gets wrong, the other does not repeat.
 */
export function readModule({ path, text }: { readonly path: string; readonly text: string }): ReadModule {
  const imports = new Map<string, ImportedName>();
  const initializers = new Map<string, string>();
  const values = new Map<string, ReadValue | undefined>();
  const unknown: string[] = [];
  const statements = Array.from(text.matchAll(STATEMENT), ({ index }) => index);
  for (const [number, index] of statements.entries()) {
    if (isAt(TYPE, text, index) !== undefined) continue;
    const constant = isAt(CONSTANT, text, index);
    const called = constant?.groups?.["name"] ?? "";
    if (constant !== undefined && !initializers.has(called)) {
      initializers.set(called, text.slice(index + constant[0].length, statements[number + 1]));
    } else if (!readImport(text, index, imports)) unknown.push(lineAt(text, index));
  }

  function constant(name: string): ReadValue | undefined {
    if (!values.has(name)) values.set(name, valueIn(initializers.get(name)));
    return values.get(name);
  }

  function resolve(value: ReadValue, imported: (name: ImportedName) => ReadValue | undefined = nothing): ReadValue {
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof ReadCode) {
      if (value.node.type !== "Identifier" || value instanceof ReadSpread) return value;
      const own = constant(value.text);
      if (own !== undefined) return resolve(own, imported);
      const name = imports.get(value.text);
      return (name === undefined ? undefined : imported(name)) ?? value;
    }
    if (Array.isArray(value)) return value.map((item: ReadValue) => resolve(item, imported));
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]: [string, ReadValue]) => [key, resolve(inner, imported)]),
    );
  }

  return { path, unknown, names: [...initializers.keys()], constant, resolve, imports };
}

function nothing(): undefined {
  return undefined;
}

/** Where a statement begins: in formatted code, nothing else has a letter in the first column. */
const STATEMENT = /^[a-z]/gmu;
const TYPE = /(?:export (?:interface|type)|declare const) [\w{]/uy;
/** A constant up to its value. Of a function, the value is what it returns. */
const CONSTANT =
  /(?:export )?const (?<name>[\w$]+)(?:: [^=]+)? =\s+(?:\(\s*(?:features: Features,?\s*)?\)(?:: [^=]+)? =>\s+)?/uy;
const IMPORT = /import (?:type )?(?:\* as (?<whole>[\w$]+)|\{(?<names>[^}]*)\}) from (?<from>"[^"\n]*");$/muy;

/** What follows a value. */
const END = /\)?(?: as const)?;$/muy;

function isAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  const at = new RegExp(pattern);
  at.lastIndex = index;
  return at.exec(text) ?? undefined;
}

function lineAt(text: string, index: number): string {
  const end = text.indexOf("\n", index);
  return text.slice(index, end === -1 ? undefined : end);
}

function readImport(text: string, index: number, imports: Map<string, ImportedName>): boolean {
  const { whole, names, from } = isAt(IMPORT, text, index)?.groups ?? {};
  if (from === undefined) return false;
  const path = JSON.parse(from) as string;
  if (whole !== undefined) imports.set(whole, { from: path, name: "*" });
  for (const each of names?.split(",") ?? []) {
    const [imported = "", alias = imported] = each
      .trim()
      .replace(/^type /u, "")
      .split(" as ");
    if (imported !== "") imports.set(alias, { from: path, name: imported });
  }
  return true;
}

/** The value that a statement begins with. */
function valueIn(statement: string | undefined): ReadValue | undefined {
  if (statement === undefined) return undefined;
  // A call may name its types, which is no JavaScript.
  const text = statement.replace(/^(?<called>[\w$]+)<[\w$, \n]+>(?=\()/u, "$<called>");
  try {
    const node = parseExpression(text);
    return isAt(END, text, node.end) !== undefined ? valueOf(node, text) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function valueOf(node: Expression | SpreadElement | null, text: string): ReadValue {
  switch (node?.type) {
    case "Literal":
      if (typeof node.value === "object" && node.value !== null) break;
      if (typeof node.value === "bigint") break;
      return node.value ?? null;
    case "UnaryExpression":
      if (node.operator === "-" && node.argument.type === "Literal" && typeof node.argument.value === "number") {
        return -node.argument.value;
      }
      break;
    case "ArrayExpression":
      return node.elements.map((element) =>
        element?.type === "SpreadElement" ? spreadOf(element, text) : valueOf(element, text),
      );
    case "ObjectExpression":
      return Object.fromEntries(
        node.properties.map((property): [string, ReadValue] => {
          if (property.type === "SpreadElement") return [sourceOf(property, text), spreadOf(property, text)];
          if (property.type !== "Property" || property.kind !== "init" || property.method) {
            throw new SyntaxError("Only properties with values can be read.");
          }
          return [keyOf(property.key, property.computed), valueOf(property.value as Expression, text)];
        }),
      );
    case "CallExpression":
      if (node.callee.type !== "Identifier" || node.optional) break;
      return new ReadCall(
        node,
        sourceOf(node, text),
        node.callee.name,
        node.arguments.map((argument) => valueOf(argument, text)),
      );
    case "ConditionalExpression":
      return new ReadConditional(node, sourceOf(node, text), sourceOf(node.test, text), [
        valueOf(node.consequent, text),
        valueOf(node.alternate, text),
      ]);
    default:
      break;
  }
  if (node === null || node.type === "SpreadElement") throw new SyntaxError("Only values can be read.");
  return new ReadCode(node, sourceOf(node, text));
}

function spreadOf({ argument }: SpreadElement, text: string): ReadSpread {
  return new ReadSpread(argument, sourceOf(argument, text));
}

function keyOf(key: Node, isComputed: boolean): string {
  const named = key as Expression;
  if (named.type === "Literal" && typeof named.value === "string" && (isComputed || named.value !== "__proto__")) {
    return named.value;
  }
  if (named.type === "Identifier" && !isComputed && named.name !== "__proto__") return named.name;
  if (named.type === "Literal" && typeof named.value === "number" && !isComputed) return String(named.value);
  throw new SyntaxError("A key is a name or a string, and `__proto__` stands in brackets.");
}

function sourceOf({ start, end }: Node, text: string): string {
  return text.slice(start, end);
}
