import type { JsonValue } from "@hasp/schema";
import { literalKey, stringLiteral } from "./string-literal.js";
import { textWidth } from "./text-width.js";

const pageWidth = 80;

/** How data is written: as a TypeScript literal or as JSON. Both are laid out exactly as prettier lays them out. */
interface Notation {
  readonly key: (name: string) => string;
  readonly string: (text: string) => string;
  readonly trailingComma: "," | "";
  /** Whether a long text moves to a line of its own, below its key. */
  readonly movesLongText: boolean;
}

const typescript: Notation = { key: literalKey, string: stringLiteral, trailingComma: ",", movesLongText: true };
const json: Notation = { key: jsonString, string: jsonString, trailingComma: "", movesLongText: false };

/**
 * JSON data as a TypeScript literal. `column` is where it begins on its line, `indent` the indentation of that line, `tail`
 * the characters that follow its end on the same line (a comma, a semicolon).
 */
export function dataLiteral(value: JsonValue, at: { readonly indent?: number; readonly column?: number; readonly tail?: number } = {}): string {
  return printed(value, typescript, at.indent ?? 0, at.column ?? 0, at.tail ?? 1);
}

/** `key: value` inside a TypeScript object literal whose entries are indented by `indent`. */
export function dataProperty(key: string, value: JsonValue, indent: number): string {
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

function jsonString(text: string): string {
  return JSON.stringify(text);
}

function printed(value: JsonValue, notation: Notation, indent: number, column: number, tail: number): string {
  if (typeof value !== "object" || value === null) return scalar(value, notation);
  if (Object.keys(value).length === 0) return isList(value) ? "[]" : "{}";
  const flat = flatText(value, notation, pageWidth - column - tail);
  if (flat !== undefined) return flat;
  return isList(value) ? brokenArray(value, notation, indent) : brokenObject(value, notation, indent);
}

function scalar(value: null | boolean | number | string, notation: Notation): string {
  if (typeof value === "string") return notation.string(value);
  return typeof value === "number" ? numberLiteral(value) : String(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The value on one line, or `undefined` where it does not fit into `room` or must be broken. */
function flatText(value: JsonValue, notation: Notation, room: number): string | undefined {
  if (room < 0) return undefined;
  if (typeof value !== "object" || value === null) {
    // A quick no: a character has at most two units, and all but marks take a column.
    if (typeof value === "string" && value.length > 4 * room) return undefined;
    const text = scalar(value, notation);
    return textWidth(text) <= room ? text : undefined;
  }
  if (isList(value)) {
    return value.length === 0 ? "[]" : mustBreak(value) ? undefined : flatList("[", value, undefined, notation, room, "]");
  }
  const keys = Object.keys(value);
  return keys.length === 0 ? "{}" : flatList("{ ", keys.map((key) => value[key] ?? null), keys, notation, room, " }");
}

function flatList(
  open: string,
  items: readonly JsonValue[],
  keys: readonly string[] | undefined,
  notation: Notation,
  room: number,
  close: string,
): string | undefined {
  let text = open;
  let used = open.length + close.length;
  for (const [index, item] of items.entries()) {
    const key = keys?.[index];
    const before = (index === 0 ? "" : ", ") + (key === undefined ? "" : `${notation.key(key)}: `);
    used += textWidth(before);
    const flat = flatText(item, notation, room - used);
    if (flat === undefined) return undefined;
    used += textWidth(flat);
    text += before + flat;
  }
  return used <= room ? text + close : undefined;
}

/** Prettier's rule: a list of several objects (or of several lists), each with more than one entry, is always broken. */
function mustBreak(items: readonly JsonValue[]): boolean {
  const [first] = items;
  if (items.length < 2 || typeof first !== "object" || first === null) return false;
  const ofLists = isList(first);
  return items.every(
    (item) => typeof item === "object" && item !== null && isList(item) === ofLists && Object.keys(item).length > 1,
  );
}

function brokenObject(value: { readonly [key: string]: JsonValue }, notation: Notation, indent: number): string {
  const inner = indent + 2;
  const margin = " ".repeat(inner);
  const keys = Object.keys(value);
  const tails = tailsOf(keys.length, notation);
  const lines = keys.map((key, index) => margin + property(notation.key(key), value[key] ?? null, notation, inner, tails(index)));
  return `{\n${lines.join(",\n")}${notation.trailingComma}\n${" ".repeat(indent)}}`;
}

/** The width of the comma behind each entry of a broken list or object. */
function tailsOf(length: number, notation: Notation): (index: number) => number {
  return (index) => (index < length - 1 ? 1 : notation.trailingComma.length);
}

function property(key: string, value: JsonValue, notation: Notation, indent: number, tail: number): string {
  const column = indent + textWidth(key) + 2;
  const text = printed(value, notation, indent, column, tail);
  if (!notation.movesLongText || column + firstLineWidth(value, text) <= pageWidth) return `${key}: ${text}`;
  // Below a key this short, a line of its own would win nothing.
  if (typeof value === "string" && textWidth(key) < 5) return `${key}: ${text}`;
  return `${key}:\n${" ".repeat(indent + 2)}${printed(value, notation, indent + 2, indent + 2, tail)}`;
}

/** What must stand beside the key: a text with its comma, the bracket that opens a list; a bare number or word always stays. */
function firstLineWidth(value: JsonValue, text: string): number {
  if (typeof value === "boolean" || (typeof value === "number" && !text.startsWith("-"))) return -Infinity;
  return typeof value === "object" && value !== null && Object.keys(value).length > 0 ? 1 : textWidth(text) + 1;
}

function brokenArray(items: readonly JsonValue[], notation: Notation, indent: number): string {
  const inner = indent + 2;
  const margin = " ".repeat(inner);
  const tails = tailsOf(items.length, notation);
  const texts = items.map((item, index) => printed(item, notation, inner, inner, tails(index)));
  const body = items.every((item) => typeof item === "number") ? filled(texts, margin, notation.trailingComma.length) : texts.map((text) => margin + text).join(",\n");
  return `[\n${body}${notation.trailingComma}\n${" ".repeat(indent)}]`;
}

/** Numbers are set like the words of a paragraph. */
function filled(texts: readonly string[], margin: string, tail: number): string {
  const lines: string[] = [];
  let line = margin;
  for (const [index, text] of texts.entries()) {
    const word = index === texts.length - 1 ? text : `${text},`;
    const joined = line === margin ? line + word : `${line} ${word}`;
    if (joined.length + (index === texts.length - 1 ? tail : 0) > pageWidth && line !== margin) {
      lines.push(line);
      line = margin + word;
    } else line = joined;
  }
  return [...lines, line].join("\n");
}
