import { RIGHT_TO_LEFT } from "./right-to-left.js";

/** Characters that readers cannot see, terminals obey or XML forbids, except for the variation selectors of emoji. */
export const INVISIBLE: RegExp =
  /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** Commands in CI logs: `::name::` at the start of a line, `##[name]` (GitHub), `##vso[…]` (Azure), `##teamcity[…]`. */
const COMMAND = /^\s*(:)(?=:)|#(#)(?=[a-z]*\[)/giu;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\0", "\\0"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** True for a text in which a reader sees nothing. */
export function isBlankText(text: string): boolean {
  return !/[^\s\p{Z}\ufe0e\ufe0f\u2800]/u.test(text.replaceAll(INVISIBLE, ""));
}

function escapeOf(character: string): string {
  return SHORT_ESCAPES.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Escapes invisible and control characters, line breaks, CI commands, and letters from right to left, which move what
 * surrounds them: a hostile spec can neither hide nor reorder anything.
 */
export function printVisibleText(text: string): string {
  return text
    .replaceAll(INVISIBLE, escapeOf)
    .replaceAll(RIGHT_TO_LEFT, escapeOf)
    .replaceAll(COMMAND, (match) => match.slice(0, -1) + escapeOf(match.slice(-1)));
}

/** Keeps line breaks, turns tabs into two spaces, and otherwise works like {@link printVisibleText}. */
export function printVisibleLines(text: string): string {
  return text
    .split(/\r\n|\n/)
    .map((line) => printVisibleText(line.replaceAll("\t", "  ")))
    .join("\n");
}

/** Escapes each UTF-16 code unit of a text as `\uXXXX`, the form of JSON and JavaScript. */
export function escapeUnits(text: string): string {
  return Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** Prints JSON whose invisible characters and CI commands are escaped; a parser reads the same value. */
export function printVisibleJson(value: unknown, indent = 2): string {
  const text = JSON.stringify(value, undefined, indent)
    .replaceAll(INVISIBLE, (character) => (character === "\n" ? character : escapeUnits(character)))
    .replaceAll(/#(?=#[a-z]*\[)/giu, escapeUnits);
  return `${text}\n`;
}
