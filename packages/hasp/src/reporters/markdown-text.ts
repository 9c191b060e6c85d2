import { visibleText } from "../text/visible-text.js";

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
