import { type Diagnostic, pluralize, printVisibleText } from "@hasp/base/diagnostics";
import {
  countSeverities,
  type Report,
  type ReportFormat,
  type ReportSection,
  type ReportView,
  sortBySeverity,
} from "./report.js";

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
    `#### ${escapeMarkdown(title)}`,
    diagnostics.length === 0 ? escapeMarkdown(empty) : table(diagnostics, prefix),
    ...(lines.length === 0 ? [] : [lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n")]),
  ];
}

function table(diagnostics: readonly Diagnostic[], prefix: string): string {
  const row = ({ severity, code, message, help, location }: Diagnostic): string => {
    const position =
      location === undefined ? "" : printMarkdownCode(`${prefix}${location.uri}:${location.range.start.line}`);
    const text = help === undefined ? escapeMarkdown(message) : `${escapeMarkdown(message)}<br>${escapeMarkdown(help)}`;
    return printMarkdownRow([severity === "info" ? "note" : severity, position, text, printMarkdownCode(code)]);
  };
  const shown = sortBySeverity(diagnostics).slice(0, MOST_ROWS).map(row);
  const more = `… and ${diagnostics.length - MOST_ROWS} more; all are in \`--format json\``;
  const rows = diagnostics.length > MOST_ROWS ? [...shown, printMarkdownRow(["", "", more, ""])] : shown;
  return printMarkdownTable(["", "where", "what", "rule"], rows);
}

/**
 * Escapes a text for a table cell, heading or list item on GitHub. Backslashes do not keep GitHub from linking URLs,
 * addresses, mentions and issues; an empty comment in the middle does.
 */
export function escapeMarkdown(text: string): string {
  return printVisibleText(text)
    .replaceAll(/[\\`*_{}[\]<>|~!&$]|^\s*[-+=]|^\s*\d+(?=[.)])/g, (match) =>
      /\d/.test(match) ? `${match}<!-- -->` : match.replace(/.$/, "\\$&"),
    )
    .replaceAll(/:(?=\/\/)|(?<=mailto|xmpp):|www(?=\.)|[@#]|\bGH(?=-\d)/giu, (match) => `${match}<!-- -->`);
}

export function printMarkdownCode(text: string): string {
  return `\`${printVisibleText(text).replaceAll(/[`|]/g, "'")}\``;
}

/** Prints a table of {@link printMarkdownRow} rows. A heading with a final colon aligns to the right. */
export function printMarkdownTable(headings: readonly string[], rows: readonly string[]): string {
  const marks = headings.map((heading) => (heading.endsWith(":") ? "--:" : "---"));
  const titles = headings.map((heading) => heading.replace(/:$/u, ""));
  return [printMarkdownRow(titles), `|${marks.join("|")}|`, ...rows].join("\n");
}

export function printMarkdownRow(cells: readonly string[]): string {
  return ["|", ...cells.map((cell) => (cell === "" ? "|" : `${cell} |`))].join(" ");
}
