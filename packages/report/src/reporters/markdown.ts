import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import {
  countSeverities,
  type Report,
  type ReportFormat,
  type ReportSection,
  type ReportView,
  sortBySeverity,
} from "./report.js";
import { pluralize } from "../../../compiler/src/text/words.js";
import { visibleText } from "../../../compiler/src/text/visible-text.js";

/** GitHub limits comments to 65,536 characters. */
const MOST_ROWS = 100;

/** For pull-request comments and job summaries: a table, and one for each part with a heading. */
export const markdown: ReportFormat = { start: /^### hasp: /u, hasCheckoutPaths: true, print };

function print(report: Report, { prefix, showsNotes }: ReportView): string {
  const { errors, warnings, infos } = countSeverities(report.diagnostics);
  const title = `### hasp: ${pluralize(errors, "error")}, ${pluralize(warnings, "warning")}, ${pluralize(infos, "note")}`;
  const sections = report.sections ?? [];
  const placed = new Set(sections.flatMap((section) => section.diagnostics));
  const others = report.diagnostics.filter(
    (diagnostic) => !placed.has(diagnostic) && (showsNotes || diagnostic.severity !== "info"),
  );
  const blocks = [
    title,
    ...(others.length === 0 ? [] : [table(others, prefix)]),
    ...sections.flatMap((section) => sectionBlocks(section, prefix)),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function sectionBlocks({ title, diagnostics, empty, lines }: ReportSection, prefix: string): readonly string[] {
  return [
    `#### ${markdownText(title)}`,
    diagnostics.length === 0 ? markdownText(empty) : table(diagnostics, prefix),
    ...(lines.length === 0 ? [] : [lines.map((line) => `- ${markdownText(line)}`).join("\n")]),
  ];
}

function table(diagnostics: readonly Diagnostic[], prefix: string): string {
  const row = ({ severity, code, message, help, location }: Diagnostic): string => {
    const position =
      location === undefined ? "" : markdownCode(`${prefix}${location.uri}:${location.range.start.line}`);
    const text = help === undefined ? markdownText(message) : `${markdownText(message)}<br>${markdownText(help)}`;
    return markdownRow([severity === "info" ? "note" : severity, position, text, markdownCode(code)]);
  };
  const shown = sortBySeverity(diagnostics).slice(0, MOST_ROWS).map(row);
  const more = `… and ${diagnostics.length - MOST_ROWS} more; all are in \`--format json\``;
  const rows = diagnostics.length > MOST_ROWS ? [...shown, markdownRow(["", "", more, ""])] : shown;
  return markdownTable(["", "where", "what", "rule"], rows);
}

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
