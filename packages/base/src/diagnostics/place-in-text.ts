import type { Location, Position } from "./diagnostic.js";

/** A span of text in UTF-16 units; `end` is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Finds the start of the line that an offset is in. */
export function findLineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Reads how a text ends its lines. */
export function readLineBreak(text: string): "\r\n" | "\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Prints the line and column of an offset in a text, such as `3:20`. */
export function placeAt(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `${before.split("\n").length}:${offset - before.lastIndexOf("\n")}`;
}

/** Locates a part of a text in its file, in any style. Returns `location` if it cannot, such as through an alias. */
export function placeInText(
  file: { readonly uri: string; readonly text: string },
  location: Location,
  text: string,
  span: TextSpan,
): Location {
  const { start, end } = location.range;
  if (location.uri !== file.uri) return location;
  const offsets = offsetsIn(file.text.slice(start.offset, end.offset), text);
  const final = offsets?.at(-1);
  if (final !== undefined && span.start >= text.length) {
    const after = moved(start, file.text, final + 1);
    return { ...location, range: { start: after, end: after } };
  }
  const first = offsets?.[span.start];
  const last = offsets?.[Math.max(span.start, span.end - 1)];
  if (first === undefined || last === undefined) return location;
  return {
    ...location,
    range: { start: moved(start, file.text, first), end: moved(start, file.text, last + 1) },
  };
}

/** Maps each unit of a text to its source offset; `undefined` if more than layout, quotes and escapes differ. */
function offsetsIn(source: string, text: string): readonly number[] | undefined {
  const units = unitsOf(source);
  const offsets: number[] = [];
  let next = 0;
  for (let index = 0; index < text.length; index += 1) {
    const wanted = text.charAt(index);
    while (next < units.length && isSpace(units[next]?.text) && units[next]?.text !== wanted) next += 1;
    const unit = units[next];
    if (unit?.text === wanted) {
      offsets.push(unit.at);
      next += 1;
    } else if (isSpace(wanted)) offsets.push(Math.max(0, (unit?.at ?? source.length) - 1));
    else return undefined;
  }
  return offsets;
}

interface Unit {
  readonly text: string;
  readonly at: number;
}

function unitsOf(source: string): readonly Unit[] {
  if (source.startsWith('"')) return unitsBetween(source, 1, source.length - 1, DOUBLE_QUOTED, unescaped);
  if (source.startsWith("'")) return unitsBetween(source, 1, source.length - 1, /''|[^]/gu, ([first = ""]) => first);
  const header = /^[|>][^\n]*\n/u.exec(source)?.[0].length ?? 0;
  return unitsBetween(source, header, source.length, /[^]/gu, (unit) => unit);
}

function unitsBetween(
  source: string,
  start: number,
  end: number,
  pattern: RegExp,
  valueOf: (written: string) => string,
): readonly Unit[] {
  return [...source.slice(start, end).matchAll(pattern)].flatMap(({ 0: written, index }) =>
    valueOf(written)
      .split("")
      .map((text, nth) => ({
        text,
        at: start + index + (written.length === 1 ? 0 : Math.min(nth, written.length - 1)),
      })),
  );
}

const DOUBLE_QUOTED = /\\(?:x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8}|[^])|[^]/giu;
// prettier-ignore
const ESCAPES: Readonly<Record<string, string>> = {
  0: "\0", a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029", "\n": "",
};

function unescaped(written: string): string {
  if (!written.startsWith("\\")) return written;
  const code = /^\\[xuU]([\da-f]+)$/iu.exec(written)?.[1];
  if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10_ff_ff));
  return ESCAPES[written.slice(1)] ?? written.slice(1);
}

function isSpace(unit: string | undefined): boolean {
  return unit !== undefined && /\s/u.test(unit);
}

function moved(start: Position, text: string, by: number): Position {
  const lines = text.slice(start.offset, start.offset + by).split("\n");
  return {
    offset: start.offset + by,
    line: start.line + lines.length - 1,
    column: (lines.length === 1 ? start.column : 1) + (lines.at(-1) ?? "").length,
  };
}
