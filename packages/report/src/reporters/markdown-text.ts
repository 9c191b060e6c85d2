import { visibleText } from "../../../compiler/src/text/visible-text.js";

/**
 * Returns a text for a table cell, heading or list item, so that GitHub shows it as it stands. Backslashes take the
 * meaning from markup. They do not keep GitHub from linking what looks like a URL, an address, a mention or an issue; an
 * empty comment in the middle does.
 */
export function markdownText(text: string): string {
  return visibleText(text)
    .replaceAll(/[\\`*_{}[\]<>|~!&$]|^\s*[-+=]|^\s*\d+(?=[.)])/g, (match) =>
      /\d/.test(match) ? `${match}<!-- -->` : match.replace(/.$/, "\\$&"),
    )
    .replaceAll(/:(?=\/\/)|(?<=mailto|xmpp):|www(?=\.)|[@#]|\bGH(?=-\d)/giu, (match) => `${match}<!-- -->`);
}

/** Returns a text as code that may be in a table cell. */
export function markdownCode(text: string): string {
  return `\`${visibleText(text).replaceAll(/[`|]/g, "'")}\``;
}

/** Prints a table of rows that {@link markdownRow} printed. A heading that ends in a colon aligns to the right. */
export function markdownTable(headings: readonly string[], rows: readonly string[]): string {
  const marks = headings.map((heading) => (heading.endsWith(":") ? "--:" : "---"));
  const titles = headings.map((heading) => heading.replace(/:$/u, ""));
  return [markdownRow(titles), `|${marks.join("|")}|`, ...rows].join("\n");
}

/** Prints a row of a table; its cells are Markdown. */
export function markdownRow(cells: readonly string[]): string {
  return ["|", ...cells.map((cell) => (cell === "" ? "|" : `${cell} |`))].join(" ");
}
