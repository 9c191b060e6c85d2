import type { JsonValue } from "@hasp/schema";
import { flatText } from "./flat-text.js";
import {
  type Composite,
  isComposite,
  isList,
  isShorthand,
  json,
  leafText,
  type LiteralObject,
  type LiteralValue,
  type Notation,
  typescript,
} from "./notation.js";
import { textWidth } from "./text-width.js";

const pageWidth = 80;

/** Where a value begins, and what follows its end on the same line. */
interface Place {
  readonly indent: number;
  readonly column: number;
  /** The characters that follow: a comma, a semicolon. */
  readonly tail: number;
}

/**
 * JSON data as a TypeScript literal. `column` is where it begins on its line, `indent` the indentation of that line,
 * `tail` the characters that follow its end on the same line (a comma, a semicolon).
 */
export function dataLiteral(value: LiteralValue, { indent = 0, column = 0, tail = 1 }: Partial<Place> = {}): string {
  return written(typescript, undefined, (text) => writeValue(text, value, indent, column, tail));
}

/** `key: value` inside a TypeScript object literal whose entries are indented by `indent`. */
export function dataProperty(key: string, value: LiteralValue, indent: number): string {
  return written(typescript, undefined, (text) => writeEntry(text, key, value, indent, 1));
}

/**
 * JSON data without a last line break, its outermost object or list broken, for a line that is indented by `indent`.
 * `known` are texts that were printed before, by the object and for the indentation: several lists have one schema.
 */
export function brokenJson(value: JsonValue, indent: number, known?: KnownTexts): string {
  return written(json, known, (text) =>
    isComposite(value) ? writeBroken(text, value, indent) : writeValue(text, value, indent, 0, 0),
  );
}

/** The broken text of objects that are printed more than once, by their indentation. */
export type KnownTexts = Map<object, Map<number, string>>;

/** A text that is being written: pieces, to be joined once. What is added up bit by bit keeps all its bits alive. */
interface Text {
  readonly notation: Notation;
  readonly known: KnownTexts | undefined;
  readonly pieces: string[];
}

function written(notation: Notation, known: KnownTexts | undefined, write: (text: Text) => void): string {
  const text: Text = { notation, known, pieces: [] };
  write(text);
  return text.pieces.join("");
}

function writeValue(text: Text, value: LiteralValue, indent: number, column: number, tail: number): void {
  const { notation, pieces } = text;
  if (!isComposite(value)) pieces.push(leafText(value, notation));
  else {
    const flat = flatText(value, notation, pageWidth - column - tail);
    if (flat === undefined) writeBroken(text, value, indent);
    else pieces.push(flat);
  }
}

/** A list or object with each of its items on lines of their own. */
function writeBroken(text: Text, value: Composite, indent: number): void {
  const { notation, known } = text;
  const texts = known?.get(value);
  if (texts === undefined) {
    writeLines(text, value, indent);
    return;
  }
  const before = texts.get(indent) ?? written(notation, known, (own) => writeLines(own, value, indent));
  texts.set(indent, before);
  text.pieces.push(before);
}

function writeLines(text: Text, value: Composite, indent: number): void {
  if (isList(value)) writeList(text, value, indent);
  else writeObject(text, value, indent);
}

function writeObject(text: Text, value: LiteralObject, indent: number): void {
  const { pieces, notation } = text;
  const inner = indent + 2;
  const names = Object.keys(value);
  const last = names.at(-1);
  let start = `{\n${marginOf(inner)}`;
  const between = `,\n${marginOf(inner)}`;
  for (const name of names) {
    pieces.push(start);
    writeEntry(text, name, value[name] ?? null, inner, name === last ? notation.trailingComma.length : 1);
    start = between;
  }
  pieces.push(`${notation.trailingComma}\n${marginOf(indent)}}`);
}

function marginOf(indent: number): string {
  return margins[indent] ?? " ".repeat(indent);
}

/** The indentations that occur most. */
const margins: readonly string[] = Array.from({ length: 40 }, (_, indent) => " ".repeat(indent));

function writeEntry(text: Text, name: string, value: LiteralValue, indent: number, tail: number): void {
  const { pieces, notation } = text;
  const key = notation.key(name);
  if (!isComposite(value)) {
    pieces.push(isShorthand(value, key) ? key : leafEntry(key, value, notation, indent));
    return;
  }
  const column = indent + textWidth(key) + 2;
  const suffix = notation.suffix(key);
  const end = tail + suffix.length;
  // Only the bracket that opens it must stand beside the key.
  if (!notation.movesLongText || column + 1 <= pageWidth) {
    pieces.push(key, ": ");
    writeValue(text, value, indent, column, end);
  } else {
    pieces.push(key, ":\n", marginOf(indent + 2));
    writeValue(text, value, indent + 2, indent + 2, end);
  }
  if (suffix !== "") pieces.push(suffix);
}

function leafEntry(key: string, value: LiteralValue, notation: Notation, indent: number): string {
  const leaf = leafText(value, notation);
  return notation.movesLongText && movesBelow(value, leaf, key, indent)
    ? `${key}:\n${marginOf(indent + 2)}${leaf}`
    : `${key}: ${leaf}`;
}

/**
 * A long text moves below its key; a bare number or word always stays, and below a key this short, nothing would be
 * won.
 */
function movesBelow(value: LiteralValue, text: string, key: string, indent: number): boolean {
  if (typeof value === "boolean" || (typeof value === "number" && !text.startsWith("-"))) return false;
  const width = textWidth(key);
  return (
    indent + width + 2 + textWidth(text) + 1 > pageWidth && !(typeof value === "string" && text.length > 4 && width < 5)
  );
}

function writeList(text: Text, items: readonly LiteralValue[], indent: number): void {
  const { pieces, notation } = text;
  const inner = indent + 2;
  const tail = notation.trailingComma.length;
  if (items.every((item) => typeof item === "number")) {
    pieces.push(
      "[\n",
      filled(
        items.map((item) => leafText(item, notation)),
        marginOf(inner),
        tail,
      ),
    );
  } else {
    const last = items.length - 1;
    let start = `[\n${marginOf(inner)}`;
    for (const [index, item] of items.entries()) {
      pieces.push(start);
      writeValue(text, item, inner, inner, index === last ? tail : 1);
      start = `,\n${marginOf(inner)}`;
    }
  }
  pieces.push(`${notation.trailingComma}\n${marginOf(indent)}]`);
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
