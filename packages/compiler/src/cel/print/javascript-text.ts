// Characters that would change how the source is read, shown or embedded: controls, line separators, marks of writing
// direction, invisible ones and halves of surrogate pairs.
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

/** A string literal as prettier would write it, safe inside a script element and free of anything invisible. */
export function printText(text: string): string {
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

/** A regular expression literal with the flag `u`, with the same care for what a reader and a browser see. */
export function printPattern(pattern: string): string {
  const { source } = new RegExp(pattern, "u");
  // Never the short escapes here: in a pattern \b is the boundary of a word.
  const body = source.replaceAll(UNPRINTABLE, escapedByCode).replaceAll(/<(?=\\\/script|!--)/giu, "\\x3C");
  return `/${body}/u`;
}

/** A number literal as prettier would write it. */
export function printNumber(value: number): string {
  return String(value).replace("e+", "e");
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
