/**
 * Characters that a reader cannot see or that drive a terminal: controls, formats (bidi overrides, zero-width joiners),
 * private use, line separators, halves of surrogate pairs, fillers that render as nothing, and noncharacters, which XML
 * forbids. The two variation selectors of emoji stay.
 */
export const INVISIBLE: RegExp =
  /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/**
 * Patterns that make a line of a CI log a command: `::name::` at the start of a line (GitHub, which ignores the
 * indentation), `##[name]` and `##vso[name]` anywhere in it (GitHub, Azure), `##teamcity[name]` (TeamCity).
 */
const COMMAND = /^\s*(:)(?=:)|#(#)(?=[a-z]*\[)/giu;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\0", "\\0"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escapeOf(character: string): string {
  return SHORT_ESCAPES.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Returns the text with escapes in place of every character that a terminal would obey or hide, and of what would start
 * a command in a CI log, so that a hostile spec can neither drive the terminal nor disguise itself. Escapes tabs and
 * line breaks, too.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll(INVISIBLE, escapeOf)
    .replaceAll(COMMAND, (match) => match.slice(0, -1) + escapeOf(match.slice(-1)));
}

/** Like {@link visibleText}, but for text of several lines: keeps line breaks and turns tabs into two spaces. */
export function visibleLines(text: string): string {
  return text
    .split(/\r\n|\n/)
    .map((line) => visibleText(line.replaceAll("\t", "  ")))
    .join("\n");
}

/**
 * Prints a value as JSON, indented unless `indent` is 0. What is invisible, or would start a command in a CI log, is escaped; a parser reads
 * the same value.
 */
export function visibleJson(value: unknown, indent = 2): string {
  const unitsOf = (text: string): string =>
    Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, "0"))
      .map((unit) => `\\u${unit}`)
      .join("");
  const text = JSON.stringify(value, undefined, indent)
    .replaceAll(INVISIBLE, (character) => (character === "\n" ? character : unitsOf(character)))
    .replaceAll(/#(?=#[a-z]*\[)/giu, unitsOf);
  return `${text}\n`;
}
