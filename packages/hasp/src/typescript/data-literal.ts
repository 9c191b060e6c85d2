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
  const node = objectNode({ [key]: value }, typescript);
  const [entry] = node.kind === "object" ? node.entries : [];
  if (entry === undefined) throw new Error("An object of one key has one entry.");
  return entryText(entry, typescript, indent, 1);
}

/** JSON data as the text of a file. */
export function jsonText(value: JsonValue): string {
  return `${printed(value, json, 0, 0, 0)}\n`;
}

/** The same without the last line break, its outermost object or list broken, for a line that is indented by `indent`. */
export function brokenJson(value: JsonValue, indent: number): string {
  const notation = { ...json, key: remembered(json.key) };
  const node = nodeOf(value, notation);
  if (node.kind === "object") return brokenObject(node, notation, indent);
  return node.kind === "list" ? brokenList(node, notation, indent) : node.flat;
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

function printed(value: LiteralValue, plainNotation: Notation, indent: number, column: number, tail: number): string {
  const notation = { ...plainNotation, key: remembered(plainNotation.key) };
  return isSurelyBroken(value) ? longList(value, notation, indent) : nodeText(nodeOf(value, notation), notation, indent, column, tail);
}

/** The same function, which writes each key once: a schema repeats a few words thousands of times. */
function remembered(key: Notation["key"]): Notation["key"] {
  const keys = new Map<string, string>();
  return (name) => {
    const known = keys.get(name);
    if (known !== undefined) return known;
    const written = key(name);
    keys.set(name, written);
    return written;
  };
}

/** A list that prettier always breaks: of several objects with several entries each. */
function isSurelyBroken(value: LiteralValue): value is readonly LiteralObject[] {
  return isList(value) && value.length > 1 && value.every((item) => isObject(item) && Object.keys(item).length > 1);
}

function isObject(value: LiteralValue): value is LiteralObject {
  return typeof value === "object" && value !== null && !isList(value) && !isVariable(value);
}

/** Written item by item, so that what was made ready for one is forgotten before the next: lists may hold thousands of tools. */
function longList(items: readonly LiteralObject[], notation: Notation, indent: number): string {
  const margin = " ".repeat(indent + 2);
  const texts = items.map((item, index) => {
    const tail = index === items.length - 1 ? notation.trailingComma.length : 1;
    return margin + nodeText(nodeOf(item, notation), notation, indent + 2, indent + 2, tail);
  });
  return `[\n${texts.join(",\n")}${notation.trailingComma}\n${" ".repeat(indent)}]`;
}

/** A value made ready: each leaf is written once, each list and object that may fit on a line is written on one. */
type PrintNode = LeafNode | ListNode | ObjectNode;

interface LeafNode {
  readonly kind: "text" | "word" | "name";
  readonly flat: string;
  readonly width: number;
}

interface ListNode {
  readonly kind: "list";
  /** `undefined` where it never fits on a line, or must not stand on one. */
  readonly flat: string | undefined;
  readonly width: number;
  readonly items: readonly PrintNode[];
  readonly isOfNumbers: boolean;
}

interface ObjectNode {
  readonly kind: "object";
  readonly flat: string | undefined;
  readonly width: number;
  readonly entries: readonly EntryNode[];
}

interface EntryNode {
  readonly key: string;
  readonly keyWidth: number;
  readonly value: PrintNode;
  /** A constant of the same name stands behind the key: the key alone is written. */
  readonly isShorthand: boolean;
  readonly suffix: string;
}

function nodeOf(value: LiteralValue, notation: Notation): PrintNode {
  if (typeof value === "string") {
    // Most texts are plain: then their width is known without another look.
    if (notation.plainText.test(value)) return { kind: "text", flat: `"${value}"`, width: value.length + 2 };
    const flat = notation.string(value);
    return { kind: "text", flat, width: textWidth(flat) };
  }
  if (typeof value === "number") {
    const flat = numberLiteral(value);
    // Prettier sees a minus as an operator.
    return { kind: flat.startsWith("-") ? "text" : "word", flat, width: flat.length };
  }
  if (typeof value === "boolean") return { kind: "word", flat: String(value), width: value ? 4 : 5 };
  if (value === null) return { kind: "text", flat: "null", width: 4 };
  if (isList(value)) return listNode(value, notation);
  if (isVariable(value)) return { kind: "name", flat: value[variableName], width: value[variableName].length };
  return objectNode(value, notation);
}

function isVariable(value: Variable | LiteralObject): value is Variable {
  return variableName in value;
}

function isList(value: LiteralValue): value is readonly LiteralValue[] {
  return Array.isArray(value);
}

function listNode(values: readonly LiteralValue[], notation: Notation): PrintNode {
  if (values.length === 0) return { kind: "name", flat: "[]", width: 2 };
  const items = values.map((value) => nodeOf(value, notation));
  const isOfNumbers = values.every((value) => typeof value === "number");
  let width = 2 * items.length;
  for (const item of items) width += item.flat === undefined ? Infinity : item.width;
  if (width > pageWidth || mustBreak(items)) return { kind: "list", flat: undefined, width: Infinity, items, isOfNumbers };
  return { kind: "list", flat: `[${items.map(({ flat }) => flat).join(", ")}]`, width, items, isOfNumbers };
}

function objectNode(value: LiteralObject, notation: Notation): PrintNode {
  const keys = Object.keys(value);
  if (keys.length === 0) return { kind: "name", flat: "{}", width: 2 };
  let width = 2 + 2 * keys.length;
  const entries = keys.map((name): EntryNode => {
    const key = notation.key(name);
    const entry = value[name] ?? null;
    const node = nodeOf(entry, notation);
    const isShorthand = node.kind === "name" && node.flat === key;
    const keyWidth = textWidth(key);
    const suffix = node.kind === "list" || node.kind === "object" ? notation.suffix(key) : "";
    width += (isShorthand ? 0 : keyWidth + 2) + (node.flat === undefined ? Infinity : node.width) + suffix.length;
    return { key, keyWidth, value: node, isShorthand, suffix };
  });
  if (width > pageWidth) return { kind: "object", flat: undefined, width: Infinity, entries };
  const texts = entries.map(({ key, value: node, isShorthand, suffix }) => (isShorthand ? key : `${key}: ${node.flat}${suffix}`));
  return { kind: "object", flat: `{ ${texts.join(", ")} }`, width, entries };
}

/** Prettier's rule: a list of several objects (or of several lists), each with more than one entry, is always broken. */
function mustBreak(items: readonly PrintNode[]): boolean {
  const [first] = items;
  if (items.length < 2 || first === undefined || (first.kind !== "list" && first.kind !== "object")) return false;
  return items.every((item) => item.kind === first.kind && (item.kind === "list" ? item.items.length > 1 : item.kind === "object" && item.entries.length > 1));
}

function nodeText(node: PrintNode, notation: Notation, indent: number, column: number, tail: number): string {
  if (node.kind !== "list" && node.kind !== "object") return node.flat;
  if (node.flat !== undefined && column + node.width + tail <= pageWidth) return node.flat;
  return node.kind === "list" ? brokenList(node, notation, indent) : brokenObject(node, notation, indent);
}

function brokenObject({ entries }: ObjectNode, notation: Notation, indent: number): string {
  const inner = indent + 2;
  const margin = margins[inner] ?? " ".repeat(inner);
  const last = entries.length - 1;
  // Joined, not added up: a text that is added up keeps all its pieces alive.
  const lines = entries.map((entry, index) => margin + entryText(entry, notation, inner, index === last ? notation.trailingComma.length : 1));
  return ["{\n", lines.join(",\n"), notation.trailingComma, "\n", margins[indent] ?? " ".repeat(indent), "}"].join("");
}

/** The indentations that occur most. */
const margins: readonly string[] = Array.from({ length: 40 }, (_, indent) => " ".repeat(indent));

function entryText({ key, keyWidth, value, isShorthand, suffix }: EntryNode, notation: Notation, indent: number, tail: number): string {
  if (isShorthand) return key;
  const column = indent + keyWidth + 2;
  const text = nodeText(value, notation, indent, column, tail + suffix.length);
  if (!notation.movesLongText || column + firstLineWidth(value) <= pageWidth) return `${key}: ${text}${suffix}`;
  // Below a key this short, a line of its own would win nothing.
  if (value.kind === "text" && value.flat.length > 4 && keyWidth < 5 && isQuoted(value.flat)) return `${key}: ${text}`;
  return `${key}:\n${" ".repeat(indent + 2)}${nodeText(value, notation, indent + 2, indent + 2, tail + suffix.length)}${suffix}`;
}

function isQuoted(text: string): boolean {
  return text.startsWith('"') || text.startsWith("'");
}

/** What must stand beside the key: a text with its comma, the bracket that opens a list; a bare number or word always stays. */
function firstLineWidth({ kind, width }: PrintNode): number {
  if (kind === "word") return -Infinity;
  return kind === "list" || kind === "object" ? 1 : width + 1;
}

function brokenList({ items, isOfNumbers }: ListNode, notation: Notation, indent: number): string {
  const inner = indent + 2;
  const margin = margins[inner] ?? " ".repeat(inner);
  const last = items.length - 1;
  const tail = notation.trailingComma.length;
  const end = `${notation.trailingComma}\n${margins[indent] ?? " ".repeat(indent)}]`;
  if (isOfNumbers) return `[\n${filled(items.map(({ flat }) => flat ?? ""), margin, tail)}${end}`;
  const lines = items.map((item, index) => margin + nodeText(item, notation, inner, inner, index === last ? tail : 1));
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
