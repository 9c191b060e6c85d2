// Control, format and private-use characters, separators that break lines, and halves of surrogate pairs.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
const EVERY_INVISIBLE = new RegExp(INVISIBLE.source, "gu");

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\0", "\\0"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/**
 * The text with every character that a terminal would obey or hide written as an escape, so that a hostile spec can
 * neither drive the terminal nor look like something that it is not. Tabs and line breaks are escaped, too.
 */
export function visibleText(text: string): string {
  if (!INVISIBLE.test(text)) return text;
  return text.replaceAll(
    EVERY_INVISIBLE,
    (character) => SHORT_ESCAPES.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Like {@link visibleText} for text of several lines: line breaks stay, tabs become two spaces. */
export function visibleLines(text: string): string {
  return text
    .split(/\r\n|\n/)
    .map((line) => visibleText(line.replaceAll("\t", "  ")))
    .join("\n");
}
