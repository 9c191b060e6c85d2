import type { JsonValue } from "@hasp/schema";
import { isExactNumber } from "@hasp/base/json";
import { DEPTH_LIMIT, UNSAFE_KEY } from "./source-text.js";
import { createSpanMapBuilder, type SourceSpan, type SpanMap } from "./span-map.js";

// Reads the YAML that most specs use, faster than the library and with equal results, and gives up on any other text.

/** Thrown if only the library can read a text. */
class NotPlain extends Error {}

/** Characters and lines that cannot be in a plain text: tabs, other line breaks, control characters, directives. */
const FOREIGN =
  /[^\n\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|^(?:%|---|\.\.\.)/mu;

const BLANK_LINES = /(?: *\n)*/uy;
const SPACES = / */uy;
const LINE_COMMENT = /#[^\n]*(?:\n|$(?![^]))/uy;
const LINE_END = / *(?: #[^\n]*)?(?:\n|$(?![^]))/uy;
const PLAIN_KEY = /([A-Za-z_$/][\w$./+-]*):(?=[ \n])/uy;
const DOUBLE_QUOTED = /"(?:[^"\\\n]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"/uy;
const SINGLE_QUOTED = /'(?:[^'\n]|'')*'/uy;
/** A scalar without quotes, up to the end of its line or to a comment. */
const PLAIN = /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=[0-9]))(?:[^ \n:#]|:(?=[^ \n])|(?<=[^ ])#| +(?=[^ #\n]))*/uy;
const PLAIN_IN_FLOW =
  /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=[0-9]))(?:[^ \n:#,[\]{}]|:(?=[^ \n,[\]{}])|(?<=[^ ])#| +(?=[^ #\n,[\]{}]))*/uy;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/u;
/** A scalar without quotes that is not a string in the core schema of YAML 1.2. */
const NO_STRING =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$/u;
const BLOCK_HEADER = /([|>])(-?)\n/uy;
/** Limits a key, since a longer one must not stand before a colon. */
const LONGEST_KEY = 500;

/** Reads a plain text; `undefined` if only the library can read it. */
export function parsePlainYaml(text: string): { readonly value: JsonValue; readonly spans: SpanMap } | undefined {
  if (FOREIGN.test(text)) return undefined;
  try {
    return new PlainReader(text).read();
  } catch (error) {
    // A scalar of many megabytes exhausts the stack of a regular expression; the library reads it without any.
    if (error instanceof NotPlain || error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Key {
  readonly name: string;
  readonly span: SourceSpan;
}

class PlainReader {
  readonly #text: string;
  readonly #spans = createSpanMapBuilder();
  #at = 0;
  #lineStart = 0;
  #end = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): { readonly value: JsonValue; readonly spans: SpanMap } {
    // Comments stand above the document only: elsewhere, they may become part of a value's span.
    this.#skip(BLANK_LINES);
    while (this.#text[this.#at] === "#") {
      this.#skip(LINE_COMMENT);
      this.#skip(BLANK_LINES);
    }
    this.#toNextLine();
    if (this.#isAtEnd() || this.#column !== 0) throw new NotPlain();
    const value = this.#block();
    if (!this.#isAtEnd()) throw new NotPlain();
    return { value, spans: this.#spans.build() };
  }

  get #column(): number {
    return this.#at - this.#lineStart;
  }

  #isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  #skip(pattern: RegExp): void {
    if (this.#take(pattern) === undefined) throw new NotPlain();
  }

  /** Moves from the beginning of a line to the content of the next line that has any. */
  #toNextLine(): void {
    this.#toContent();
    const column = this.#column;
    if (this.#text[this.#at] !== "#") return;
    do {
      this.#skip(LINE_COMMENT);
      this.#toContent();
    } while (this.#text[this.#at] === "#" && this.#column === column);
    // A comment that is not directly above its subject may become part of the value before it.
    if (this.#isAtEnd() || this.#column !== column) throw new NotPlain();
  }

  #toContent(): void {
    this.#skip(BLANK_LINES);
    this.#lineStart = this.#at;
    this.#skip(SPACES);
  }

  #endLine(): void {
    this.#skip(LINE_END);
    this.#end = this.#at;
    this.#toNextLine();
  }

  #collection(key: Key | undefined, read: () => JsonValue): JsonValue {
    this.#depth += 1;
    if (this.#depth >= DEPTH_LIMIT) throw new NotPlain();
    const index = this.#spans.open(this.#at, key?.name, key?.span);
    const value = read();
    this.#spans.close(index, this.#end);
    this.#depth -= 1;
    return value;
  }

  /** Reads a block map or list that begins here, up to the first line that is less indented. */
  #block(key?: Key): JsonValue {
    const column = this.#column;
    return this.#collection(key, () => (this.#isItem() ? this.#list(column) : this.#map(column)));
  }

  #isItem(): boolean {
    const next = this.#text[this.#at + 1];
    return this.#text[this.#at] === "-" && (next === " " || next === "\n");
  }

  #map(column: number): JsonValue {
    const value: Record<string, JsonValue> = {};
    while (!this.#isAtEnd() && this.#column === column) {
      const key = this.#key();
      if (key === undefined || Object.hasOwn(value, key.name)) throw new NotPlain();
      value[key.name] = this.#valueAfterKey(key, column);
    }
    if (!this.#isAtEnd() && this.#column > column) throw new NotPlain();
    return value;
  }

  #valueAfterKey(key: Key, column: number): JsonValue {
    if (this.#take(LINE_END) === undefined) return this.#inline(column, key);
    this.#toNextLine();
    const isBelow = this.#column > column || (this.#column === column && this.#isItem());
    if (this.#isAtEnd() || !isBelow || !(this.#isItem() || this.#isKey())) throw new NotPlain();
    return this.#block(key);
  }

  #list(column: number): JsonValue {
    const value: JsonValue[] = [];
    while (!this.#isAtEnd() && this.#column === column && this.#isItem()) {
      this.#at += 1;
      if (this.#take(LINE_END) === undefined) {
        this.#skip(SPACES);
        value.push(this.#isItem() || this.#isKey() ? this.#block() : this.#inline(column));
      } else {
        this.#toNextLine();
        if (this.#isAtEnd() || this.#column <= column || !(this.#isItem() || this.#isKey())) throw new NotPlain();
        value.push(this.#block());
      }
    }
    if (!this.#isAtEnd() && this.#column > column) throw new NotPlain();
    return value;
  }

  #isKey(): boolean {
    const at = this.#at;
    const key = this.#key();
    this.#at = at;
    return key !== undefined;
  }

  #key(): Key | undefined {
    const start = this.#at;
    const plain = this.#take(PLAIN_KEY)?.[1];
    const name = plain ?? this.#quoted();
    const end = plain === undefined ? this.#at : this.#at - 1;
    if (name === undefined) return undefined;
    if (plain === undefined && !this.#takeColon()) return undefined;
    if (name === UNSAFE_KEY || end - start > LONGEST_KEY) throw new NotPlain();
    if (plain !== undefined && NO_STRING.test(plain)) throw new NotPlain();
    return { name, span: { start, end } };
  }

  #takeColon(): boolean {
    const next = this.#text[this.#at + 1];
    if (this.#text[this.#at] !== ":" || (next !== " " && next !== "\n")) return false;
    this.#at += 1;
    return true;
  }

  #quoted(): string | undefined {
    const first = this.#text[this.#at];
    if (first === '"') {
      const [quoted] = this.#take(DOUBLE_QUOTED) ?? [];
      return quoted === undefined ? undefined : (JSON.parse(quoted) as string);
    }
    if (first === "'") return this.#take(SINGLE_QUOTED)?.[0].slice(1, -1).replaceAll("''", "'");
    return undefined;
  }

  /** Reads a value that begins on the line of its key or its dash. */
  #inline(column: number, key?: Key): JsonValue {
    this.#skip(SPACES);
    const first = this.#text[this.#at];
    if (first === "|" || first === ">") return this.#blockScalar(column, key);
    const value = first === "[" || first === "{" ? this.#flow(key) : this.#scalar(PLAIN, key);
    this.#endLine();
    return value;
  }

  #scalar(plain: RegExp, key?: Key): JsonValue {
    const start = this.#at;
    const index = this.#spans.open(start, key?.name, key?.span);
    const quoted = this.#quoted();
    const source = quoted === undefined ? this.#take(plain)?.[0] : undefined;
    this.#spans.close(index, this.#at);
    if (quoted !== undefined) return quoted;
    if (source === undefined) throw new NotPlain();
    return NO_STRING.test(source) ? constant(source) : source;
  }

  #flow(key?: Key): JsonValue {
    return this.#collection(key, () => {
      const value = this.#text[this.#at] === "[" ? this.#flowList() : this.#flowMap();
      this.#end = this.#at;
      return value;
    });
  }

  #flowList(): JsonValue {
    const value: JsonValue[] = [];
    this.#eachInFlow("]", () => value.push(this.#flowValue()));
    return value;
  }

  #flowMap(): JsonValue {
    const value: Record<string, JsonValue> = {};
    this.#eachInFlow("}", () => {
      const key = this.#key();
      if (key === undefined || Object.hasOwn(value, key.name)) throw new NotPlain();
      this.#skip(SPACES);
      value[key.name] = this.#flowValue(key);
    });
    return value;
  }

  #flowValue(key?: Key): JsonValue {
    const first = this.#text[this.#at];
    return first === "[" || first === "{" ? this.#flow(key) : this.#scalar(PLAIN_IN_FLOW, key);
  }

  /** Reads the items between commas, up to the closing bracket. */
  #eachInFlow(closing: string, read: () => void): void {
    this.#at += 1;
    this.#skip(SPACES);
    if (this.#text[this.#at] !== closing) {
      for (;;) {
        read();
        this.#skip(SPACES);
        if (this.#text[this.#at] !== ",") break;
        this.#at += 1;
        this.#skip(SPACES);
      }
    }
    if (this.#text[this.#at] !== closing) throw new NotPlain();
    this.#at += 1;
  }

  /** Reads a string in a block, whose lines are more indented than `column`. */
  #blockScalar(column: number, key?: Key): string {
    const index = this.#spans.open(this.#at, key?.name, key?.span);
    const [, style, chomping] = this.#take(BLOCK_HEADER) ?? [];
    const text = this.#text;
    const lines: string[] = [];
    let indent: number | undefined;
    let leading = 0;
    let end = this.#at;
    for (let start = this.#at; start < text.length;) {
      const found = text.indexOf("\n", start);
      const stop = found === -1 ? text.length : found;
      let own = 0;
      while (text[start + own] === " ") own += 1;
      if (start + own === stop) {
        // Extra indentation is significant, and so are lines above the first folded one.
        if (own > (indent ?? own) || (style === ">" && indent === undefined)) throw new NotPlain();
        if (indent === undefined) leading = Math.max(leading, own);
      } else {
        indent ??= own;
        if (own < indent) break;
        // Lines that are more indented, or end with a space, are not folded.
        if (style === ">" && (own > indent || text[stop - 1] === " ")) throw new NotPlain();
        end = stop + 1;
      }
      lines.push(indent === undefined ? "" : text.slice(start + indent, stop));
      start = stop + 1;
    }
    if (style === undefined || indent === undefined || indent <= Math.max(column, leading - 1) || end > text.length) {
      throw new NotPlain();
    }
    this.#at = end;
    this.#end = end;
    this.#toNextLine();
    this.#spans.close(index, end);
    while (lines.at(-1) === "") lines.pop();
    const value = style === ">" ? folded(lines) : lines.join("\n");
    return chomping === "-" ? value : `${value}\n`;
  }
}

/** Joins lines by spaces; a blank line between them is a line break. */
function folded(lines: readonly string[]): string {
  return lines.join("\n").replaceAll(/\n+/gu, (breaks) => (breaks.length === 1 ? " " : breaks.slice(1)));
}

/** Parses a constant in JSON's one spelling for it. */
function constant(source: string): JsonValue {
  if (source === "true") return true;
  if (source === "false") return false;
  if (source === "null") return null;
  const value = Number(source);
  if (!NUMBER.test(source) || (value === 0) !== (source === "0") || !isExactNumber(source, value)) throw new NotPlain();
  return value;
}
