import { once, sumBy } from "@hasp/base/json";

// Two columns: East Asian wide scripts, full-width forms and emoji.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const ZERO = /^[\p{Mn}\p{Me}]+$/u;
// Nearly every line of a spec is plain ASCII and needs no segmentation.
const PLAIN = /^[\x20-\x7e]*$/;

// Loaded on demand: the tables load slower than the rest of a start.
const graphemes = once(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

/** Splits a text into characters as readers count them, with their columns. */
export function measureCharacters(text: string): readonly { readonly text: string; readonly width: number }[] {
  if (PLAIN.test(text)) return Array.from(text, (character) => ({ text: character, width: 1 }));
  return Array.from(graphemes().segment(text), ({ segment }) => ({
    text: segment,
    width: ZERO.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1,
  }));
}

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return sumBy(measureCharacters(text), (character) => character.width);
}

/** No visible character takes more code units per column. */
const UNITS_PER_COLUMN = 16;

/** Cuts a text to a number of columns, with `…` for the rest. Reads only the beginning of a long text. */
export function cutToWidth(text: string, columns: number): string {
  const beginning = text.slice(0, columns * UNITS_PER_COLUMN);
  if (beginning.length === text.length && displayWidth(text) <= columns) return text;
  let result = "";
  let used = 0;
  for (const character of measureCharacters(beginning)) {
    if (used + character.width > columns - 1) break;
    result += character.text;
    used += character.width;
  }
  return `${result}…`;
}

export function padToWidth(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}
