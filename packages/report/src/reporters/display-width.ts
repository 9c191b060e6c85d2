import { once } from "../../../compiler/src/model/once.js";

// Two columns: East Asian wide scripts, full-width forms, and what is drawn as an emoji.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const ZERO = /^[\p{Mn}\p{Me}]+$/u;
// Nearly every line of a spec is plain ASCII: it need not pay for segmentation.
const PLAIN = /^[\x20-\x7e]*$/;

// Most runs show plain ASCII alone, and the tables behind this take longer to load than the rest of a start.
const graphemes = once(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

/** The characters of a text as a reader counts them, each with the columns that a terminal gives it. */
export function measuredCharacters(text: string): readonly { readonly text: string; readonly width: number }[] {
  if (PLAIN.test(text)) return Array.from(text, (character) => ({ text: character, width: 1 }));
  return Array.from(graphemes().segment(text), ({ segment }) => ({
    text: segment,
    width: ZERO.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1,
  }));
}

/** Counts the columns of a terminal that the text takes. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return measuredCharacters(text).reduce((sum, character) => sum + character.width, 0);
}

/** No character that is worth showing takes more code units for a column. */
const UNITS_PER_COLUMN = 16;

/**
 * The text cut to a number of columns, with `…` in place of what is missing. Of a long text only the beginning is
 * looked at.
 */
export function cutToWidth(text: string, columns: number): string {
  const beginning = text.slice(0, columns * UNITS_PER_COLUMN);
  if (beginning.length === text.length && displayWidth(text) <= columns) return text;
  let result = "";
  let used = 0;
  for (const character of measuredCharacters(beginning)) {
    if (used + character.width > columns - 1) break;
    result += character.text;
    used += character.width;
  }
  return `${result}…`;
}

/** The text followed by spaces up to a number of columns. */
export function padToWidth(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}
