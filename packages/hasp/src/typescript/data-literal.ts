import type { JsonValue } from "@hasp/schema";
import { literalKey, plainText, stringLiteral } from "./string-literal.js";
import { textWidth } from "./text-width.js";

const pageWidth = 80;

/** Data for a literal in which some values are the names of constants. */
export type LiteralValue = null | boolean | number | string | Variable | readonly LiteralValue[] | LiteralObject;

interface LiteralObject {
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
interface Notation {
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

const typescript: Notation = { key: literalKey, string: stringLiteral, plainText, trailingComma: ",", movesLongText: true, suffix: assertion };
const json: Notation = { key: jsonString, string: jsonString, plainText: /^[ !#-[\]-~]*$/u, trailingComma: "", movesLongText: false, suffix: () => "" };

/** Where a value begins, and what follows its end on the same line. */
interface Place {
  readonly indent: number;
  readonly column: number;
  /** The characters that follow: a comma, a semicolon. */
  readonly tail: number;
}

/**
 * JSON data as a TypeScript literal. `column` is where it begins on its line, `indent` the indentation of that line, `tail`
 * the characters that follow its end on the same line (a comma, a semicolon).
 */
export function dataLiteral(value: LiteralValue, { indent = 0, column = 0, tail = 1 }: Partial<Place> = {}): string {
  return valueText(value, typescript, { indent, column, tail });
}

/** `key: value` inside a TypeScript object literal whose entries are indented by `indent`. */
export function dataProperty(key: string, value: LiteralValue, indent: number): string {
  return entryText(key, value, typescript, indent, 1);
}

/**
 * JSON data without a last line break, its outermost object or list broken, for a line that is indented by `indent`.
 * `known` are texts that were printed before, by the object and for the indentation: several lists have one schema.
 */
export function brokenJson(value: JsonValue, indent: number, known?: KnownTexts): string {
  return typeof value === "object" && value !== null && !isEmpty(value) ? brokenText(value, json, indent, known) : valueText(value, json, { indent, column: 0, tail: 0 });
}

/** The broken text of objects that are printed more than once, by their indentation. */
export type KnownTexts = Map<object, Map<number, string>>;

/** A number as both notations write it. */
export function numberLiteral(value: number): string {
  if (Object.is(value, -0)) return "-0";
  return String(value).replace("e+", "e");
}

/**
 * Under a key that every object inherits, TypeScript looks for the type of a literal at the inherited member, and forgets
 * which texts may stand there.
 */
function assertion(key: string): string {
  return inheritedKeys.has(key) ? " as const" : "";
}

const inheritedKeys: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype).map(literalKey));

function jsonString(text: string): string {
  return JSON.stringify(text);
}

type Composite = readonly LiteralValue[] | LiteralObject;

function isList(value: LiteralValue): value is readonly LiteralValue[] {
  return Array.isArray(value);
}

function isVariable(value: Variable | LiteralObject): value is Variable {
  return variableName in value;
}

/** A list or object with something in it: only these can be broken. */
function isComposite(value: LiteralValue): value is Composite {
  return typeof value === "object" && value !== null && (isList(value) ? value.length > 0 : !isVariable(value) && !isEmpty(value));
}

function isEmpty(value: object): boolean {
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

function valueText(value: LiteralValue, notation: Notation, { indent, column, tail }: Place, known?: KnownTexts): string {
  if (!isComposite(value)) return leafText(value, notation);
  return flatText(value, notation, pageWidth - column - tail)?.text ?? brokenText(value, notation, indent, known);
}

/** What is always on one line. */
function leafText(value: LiteralValue, notation: Notation): string {
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

/** A text of one line and the columns that it takes. */
interface FlatText {
  readonly text: string;
  readonly width: number;
}

/** The value on one line; nothing where that takes more than `room`, or where prettier breaks it in any case. */
function flatText(value: LiteralValue, notation: Notation, room: number): FlatText | undefined {
  if (!isComposite(value)) {
    // Long texts are mostly plain: they need not be written to be measured.
    if (typeof value === "string" && value.length + 2 > room && notation.plainText.test(value)) return undefined;
    const text = leafText(value, notation);
    const width = textWidth(text);
    return width > room ? undefined : { text, width };
  }
  return isList(value) ? flatList(value, notation, room) : flatObject(value, notation, room);
}

function flatList(values: readonly LiteralValue[], notation: Notation, room: number): FlatText | undefined {
  if (3 * values.length > room || mustBreak(values)) return undefined;
  let text = "";
  let width = 2 * values.length;
  for (const value of values) {
    const item = flatText(value, notation, room - width);
    if (item === undefined) return undefined;
    text += text === "" ? item.text : `, ${item.text}`;
    width += item.width;
  }
  return { text: `[${text}]`, width };
}

function flatObject(value: LiteralObject, notation: Notation, room: number): FlatText | undefined {
  let text = "";
  let width = 2;
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    if (width > room) return undefined;
    const key = notation.key(name);
    const inner = value[name] ?? null;
    width += 2 + textWidth(key);
    let entry = key;
    if (!isShorthand(inner, key)) {
      const flat = flatText(inner, notation, room - width - 2);
      if (flat === undefined) return undefined;
      const suffix = isComposite(inner) ? notation.suffix(key) : "";
      entry = `${key}: ${flat.text}${suffix}`;
      width += 2 + flat.width + suffix.length;
    }
    text += text === "" ? entry : `, ${entry}`;
  }
  return width > room ? undefined : { text: `{ ${text} }`, width };
}

/** A constant of the same name stands behind the key: the key alone is written. */
function isShorthand(value: LiteralValue, key: string): boolean {
  return typeof value === "object" && value !== null && !isList(value) && isVariable(value) && value[variableName] === key;
}

/** Prettier's rule: a list of several objects (or of several lists), each with more than one entry, is always broken. */
function mustBreak(items: readonly LiteralValue[]): boolean {
  const [first] = items;
  if (items.length < 2 || first === undefined || !isComposite(first)) return false;
  const areLists = isList(first);
  return items.every((item) => isComposite(item) && isList(item) === areLists && (isList(item) ? item.length : Object.keys(item).length) > 1);
}

/** A list or object with each of its items on lines of their own. */
function brokenText(value: Composite, notation: Notation, indent: number, known?: KnownTexts): string {
  const texts = known?.get(value);
  const before = texts?.get(indent);
  if (before !== undefined) return before;
  const text = isList(value) ? brokenList(value, notation, indent, known) : brokenObject(value, notation, indent, known);
  texts?.set(indent, text);
  return text;
}

function brokenObject(value: LiteralObject, notation: Notation, indent: number, known: KnownTexts | undefined): string {
  const names = Object.keys(value);
  const last = names.length - 1;
  const lines = names.map((name, index) => marginOf(indent + 2) + entryText(name, value[name] ?? null, notation, indent + 2, index === last ? notation.trailingComma.length : 1, known));
  // Joined, not added up: a text that is added up keeps all its pieces alive.
  return ["{\n", lines.join(",\n"), notation.trailingComma, "\n", marginOf(indent), "}"].join("");
}

function marginOf(indent: number): string {
  return margins[indent] ?? " ".repeat(indent);
}

/** The indentations that occur most. */
const margins: readonly string[] = Array.from({ length: 40 }, (_, indent) => " ".repeat(indent));

function entryText(name: string, value: LiteralValue, notation: Notation, indent: number, tail: number, known?: KnownTexts): string {
  const key = notation.key(name);
  const column = indent + textWidth(key) + 2;
  if (!isComposite(value)) {
    if (isShorthand(value, key)) return key;
    const text = leafText(value, notation);
    return notation.movesLongText && movesBelow(value, text, key, column) ? `${key}:\n${marginOf(indent + 2)}${text}` : `${key}: ${text}`;
  }
  const suffix = notation.suffix(key);
  const end = tail + suffix.length;
  // Only the bracket that opens it must stand beside the key.
  if (!notation.movesLongText || column + 1 <= pageWidth) return `${key}: ${valueText(value, notation, { indent, column, tail: end }, known)}${suffix}`;
  return `${key}:\n${marginOf(indent + 2)}${valueText(value, notation, { indent: indent + 2, column: indent + 2, tail: end }, known)}${suffix}`;
}

/** A long text moves below its key; a bare number or word always stays, and below a key this short, nothing would be won. */
function movesBelow(value: LiteralValue, text: string, key: string, column: number): boolean {
  if (typeof value === "boolean" || (typeof value === "number" && !text.startsWith("-"))) return false;
  return column + textWidth(text) + 1 > pageWidth && !(typeof value === "string" && text.length > 4 && textWidth(key) < 5);
}

function brokenList(items: readonly LiteralValue[], notation: Notation, indent: number, known: KnownTexts | undefined): string {
  const inner = indent + 2;
  const tail = notation.trailingComma.length;
  const end = `${notation.trailingComma}\n${marginOf(indent)}]`;
  if (items.every((item) => typeof item === "number")) return `[\n${filled(items.map((item) => leafText(item, notation)), marginOf(inner), tail)}${end}`;
  const last = items.length - 1;
  const lines = items.map((item, index) => marginOf(inner) + valueText(item, notation, { indent: inner, column: inner, tail: index === last ? tail : 1 }, known));
  return ["[\n", lines.join(",\n"), end].join("");
}

/** Numbers are set like the words of a paragraph. */
function filled(texts: readonly string[], margin: string, tail: number): string {
  const lines: string[] = [];
  let line = margin;
  for (const [index, text] of texts.entries()) {
    const isLast = index === texts.length - 1;
    const word = isLast ? text : `${text},`;
    const joined = line === margin ? line + word : `${line} ${word}`;
    if (joined.length + (isLast ? tail : 0) > pageWidth && line !== margin) {
      lines.push(line);
      line = margin + word;
    } else line = joined;
  }
  return [...lines, line].join("\n");
}
