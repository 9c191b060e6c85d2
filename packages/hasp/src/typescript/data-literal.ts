import type { JsonValue } from "@hasp/schema";
import { literalKey, stringLiteral } from "./string-literal.js";
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
  readonly trailingComma: "," | "";
  /** Whether a long text moves to a line of its own, below its key. */
  readonly movesLongText: boolean;
  /** What stands behind a list or object under a key. */
  readonly suffix: (key: string) => string;
}

const typescript: Notation = { key: literalKey, string: stringLiteral, trailingComma: ",", movesLongText: true, suffix: assertion };
const json: Notation = { key: jsonString, string: jsonString, trailingComma: "", movesLongText: false, suffix: () => "" };

/**
 * JSON data as a TypeScript literal. `column` is where it begins on its line, `indent` the indentation of that line, `tail`
 * the characters that follow its end on the same line (a comma, a semicolon).
 */
export function dataLiteral(
  value: LiteralValue,
  at: { readonly indent?: number; readonly column?: number; readonly tail?: number } = {},
): string {
  return printed(value, typescript, at.indent ?? 0, at.column ?? 0, at.tail ?? 1);
}

/** `key: value` inside a TypeScript object literal whose entries are indented by `indent`. */
export function dataProperty(key: string, value: LiteralValue, indent: number): string {
  return property(literalKey(key), value, typescript, indent, 1);
}

/** JSON data as the text of a file. */
export function jsonText(value: JsonValue): string {
  return `${printed(value, json, 0, 0, 0)}\n`;
}

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

function printed(value: LiteralValue, notation: Notation, indent: number, column: number, tail: number): string {
  if (!isContainer(value)) return leaf(value, notation);
  if (isEmpty(value)) return isList(value) ? "[]" : "{}";
  const flat = flatText(value, notation, pageWidth - column - tail);
  if (flat !== undefined) return flat;
  return isList(value) ? brokenArray(value, notation, indent) : brokenObject(value, notation, indent);
}

type Leaf = null | boolean | number | string | Variable;
type Container = readonly LiteralValue[] | LiteralObject;

function isContainer(value: LiteralValue): value is Container {
  return typeof value === "object" && value !== null && !isVariable(value);
}

function isVariable(value: object): value is Variable {
  return variableName in value;
}

/** Whether a key and the constant behind it bear one name. */
function isNamedBy(value: LiteralValue, key: string): boolean {
  return typeof value === "object" && value !== null && isVariable(value) && value[variableName] === key;
}

function isList(value: LiteralValue): value is readonly LiteralValue[] {
  return Array.isArray(value);
}

function isEmpty(value: Container): boolean {
  return isList(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function hasSeveralEntries(value: Container): boolean {
  return isList(value) ? value.length > 1 : Object.keys(value).length > 1;
}

function leaf(value: Leaf, notation: Notation): string {
  if (typeof value === "string") return notation.string(value);
  if (typeof value === "object" && value !== null) return value[variableName];
  return typeof value === "number" ? numberLiteral(value) : String(value);
}

/** The value on one line, or `undefined` where it does not fit into `room` or must be broken. */
function flatText(value: LiteralValue, notation: Notation, room: number): string | undefined {
  if (room < 1) return undefined;
  if (!isContainer(value)) {
    // A quick no: a character has at most two units, and all but marks take a column.
    if (typeof value === "string" && value.length > room && (value.length > 4 * room || onlyAscii.test(value))) return undefined;
    const text = leaf(value, notation);
    return textWidth(text) <= room ? text : undefined;
  }
  if (isEmpty(value)) return room < 2 ? undefined : isList(value) ? "[]" : "{}";
  if (!isList(value)) return flatObject(value, notation, room);
  return mustBreak(value) ? undefined : flatArray(value, notation, room);
}

const onlyAscii = /^[\u0000-\u007f]*$/u;

function flatArray(items: readonly LiteralValue[], notation: Notation, room: number): string | undefined {
  let text = "[";
  let left = room - 2;
  for (const [index, item] of items.entries()) {
    const separator = index === 0 ? "" : ", ";
    const flat = flatText(item, notation, left - separator.length);
    if (flat === undefined) return undefined;
    left -= separator.length + textWidth(flat);
    text += separator + flat;
  }
  return `${text}]`;
}

function flatObject(value: LiteralObject, notation: Notation, room: number): string | undefined {
  let text = "{ ";
  let left = room - 4;
  let separator = "";
  for (const key of Object.keys(value)) {
    const entry = value[key] ?? null;
    const before = isNamedBy(entry, key) ? separator : `${separator}${notation.key(key)}: `;
    const after = isContainer(entry) ? notation.suffix(notation.key(key)) : "";
    left -= textWidth(before) + after.length;
    const flat = flatText(entry, notation, left);
    if (flat === undefined) return undefined;
    left -= textWidth(flat);
    text += before + flat + after;
    separator = ", ";
  }
  return `${text} }`;
}

/** Prettier's rule: a list of several objects (or of several lists), each with more than one entry, is always broken. */
function mustBreak(items: readonly LiteralValue[]): boolean {
  const [first] = items;
  if (items.length < 2 || first === undefined || !isContainer(first)) return false;
  const ofLists = isList(first);
  return items.every((item) => isContainer(item) && isList(item) === ofLists && hasSeveralEntries(item));
}

function brokenObject(value: LiteralObject, notation: Notation, indent: number): string {
  const inner = indent + 2;
  const margin = " ".repeat(inner);
  const keys = Object.keys(value);
  const last = keys.length - 1;
  let text = "{\n";
  for (const [index, key] of keys.entries()) {
    const comma = index === last ? notation.trailingComma : ",";
    text += `${margin}${property(notation.key(key), value[key] ?? null, notation, inner, comma.length)}${comma}\n`;
  }
  return `${text}${" ".repeat(indent)}}`;
}

function property(key: string, value: LiteralValue, notation: Notation, indent: number, tail: number): string {
  // An object literal may name a key and its value at once.
  if (isNamedBy(value, key)) return key;
  const keyWidth = textWidth(key);
  const column = indent + keyWidth + 2;
  const suffix = isContainer(value) ? notation.suffix(key) : "";
  const text = printed(value, notation, indent, column, tail + suffix.length) + suffix;
  if (!notation.movesLongText || column + firstLineWidth(value, text) <= pageWidth) return `${key}: ${text}`;
  // Below a key this short, a line of its own would win nothing.
  if (typeof value === "string" && keyWidth < 5) return `${key}: ${text}`;
  return `${key}:\n${" ".repeat(indent + 2)}${printed(value, notation, indent + 2, indent + 2, tail + suffix.length)}${suffix}`;
}

/** What must stand beside the key: a text with its comma, the bracket that opens a list; a bare number or word always stays. */
function firstLineWidth(value: LiteralValue, text: string): number {
  if (typeof value === "boolean" || (typeof value === "number" && !text.startsWith("-"))) return -Infinity;
  return isContainer(value) && !isEmpty(value) ? 1 : textWidth(text) + 1;
}

function brokenArray(items: readonly LiteralValue[], notation: Notation, indent: number): string {
  const inner = indent + 2;
  const margin = " ".repeat(inner);
  const last = items.length - 1;
  const tail = notation.trailingComma.length;
  const texts = items.map((item, index) => printed(item, notation, inner, inner, index === last ? tail : 1));
  const body = items.every((item) => typeof item === "number") ? filled(texts, margin, tail) : texts.map((text) => margin + text).join(",\n");
  return `[\n${body}${notation.trailingComma}\n${" ".repeat(indent)}]`;
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
