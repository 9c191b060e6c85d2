import { INVISIBLE } from "../../compiler/src/text/visible-text.js";

/**
 * Prints a value as JSON that may be inside an HTML page: no character in it ends or begins an element, and none is
 * invisible or changes the direction of a text. A parser reads the same value.
 */
export function inertJson(value: unknown): string {
  // Nearly all characters are plain ones, which need no look at the tables of Unicode.
  return JSON.stringify(value).replaceAll(/[<>&]|[^\u0020-\u007e]+/gu, (part) =>
    part.length === 1 && "<>&".includes(part) ? escaped(part) : part.replaceAll(INVISIBLE, escaped),
  );
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
