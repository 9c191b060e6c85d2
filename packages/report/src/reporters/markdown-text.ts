import { visibleText } from "../../../compiler/src/text/visible-text.js";

/**
 * Escapes a text for a table cell, heading or list item on GitHub. Backslashes do not keep GitHub from linking URLs,
 * addresses, mentions and issues; an empty comment in the middle does.
 */
export function markdownText(text: string): string {
  return visibleText(text)
    .replaceAll(/[\\`*_{}[\]<>|~!&$]|^\s*[-+=]|^\s*\d+(?=[.)])/g, (match) =>
      /\d/.test(match) ? `${match}<!-- -->` : match.replace(/.$/, "\\$&"),
    )
    .replaceAll(/:(?=\/\/)|(?<=mailto|xmpp):|www(?=\.)|[@#]|\bGH(?=-\d)/giu, (match) => `${match}<!-- -->`);
}

/** Formats code for a table cell. */
export function markdownCode(text: string): string {
  return `\`${visibleText(text).replaceAll(/[`|]/g, "'")}\``;
}

/** Prints a table of {@link markdownRow} rows. A heading with a final colon aligns to the right. */
export function markdownTable(headings: readonly string[], rows: readonly string[]): string {
  const marks = headings.map((heading) => (heading.endsWith(":") ? "--:" : "---"));
  const titles = headings.map((heading) => heading.replace(/:$/u, ""));
  return [markdownRow(titles), `|${marks.join("|")}|`, ...rows].join("\n");
}

export function markdownRow(cells: readonly string[]): string {
  return ["|", ...cells.map((cell) => (cell === "" ? "|" : `${cell} |`))].join(" ");
}
