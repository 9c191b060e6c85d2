import { INVISIBLE } from "../../compiler/src/text/visible-text.js";

/**
 * Prints JSON for an HTML page: no character ends or begins an element, is invisible, or changes the direction of text.
 */
export function inertJson(value: unknown): string {
  // Nearly all characters are plain and need no Unicode tables.
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
