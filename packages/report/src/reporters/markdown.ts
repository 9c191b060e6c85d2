import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import { markdownCode as code, markdownRow, markdownTable, markdownText as cell } from "./markdown-text.js";
import type { Report, ReportFormat, ReportSection, ReportView } from "./report.js";
import { countSeverities } from "./report.js";
import { pluralize } from "../../../compiler/src/text/words.js";

/** GitHub limits comments to 65,536 characters. */
const MOST_ROWS = 100;

/** For pull-request comments and job summaries: a table, and one for each part with a heading. */
export const markdown: ReportFormat = { start: /^### hasp: /u, hasCheckoutPaths: true, print };

function print(report: Report, { prefix }: ReportView): string {
  const { errors, warnings, infos } = countSeverities(report.diagnostics);
  const title = `### hasp: ${pluralize(errors, "error")}, ${pluralize(warnings, "warning")}, ${pluralize(infos, "note")}`;
  const sections = report.sections ?? [];
  const placed = new Set(sections.flatMap((section) => section.diagnostics));
  const others = report.diagnostics.filter((diagnostic) => !placed.has(diagnostic));
  const blocks = [
    title,
    ...(others.length === 0 ? [] : [table(others, prefix)]),
    ...sections.flatMap((section) => sectionBlocks(section, prefix)),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function sectionBlocks({ title, diagnostics, empty, lines }: ReportSection, prefix: string): readonly string[] {
  return [
    `#### ${cell(title)}`,
    diagnostics.length === 0 ? cell(empty) : table(diagnostics, prefix),
    ...(lines.length === 0 ? [] : [lines.map((line) => `- ${cell(line)}`).join("\n")]),
  ];
}

function table(diagnostics: readonly Diagnostic[], prefix: string): string {
  const row = ({ severity, code: id, message, help, location }: Diagnostic): string => {
    const position = location === undefined ? "" : code(`${prefix}${location.uri}:${location.range.start.line}`);
    const text = help === undefined ? cell(message) : `${cell(message)}<br>${cell(help)}`;
    return markdownRow([severity === "info" ? "note" : severity, position, text, code(id)]);
  };
  const shown = diagnostics.slice(0, MOST_ROWS).map(row);
  const more = `… and ${diagnostics.length - MOST_ROWS} more; all are in \`--format json\``;
  const rows = diagnostics.length > MOST_ROWS ? [...shown, markdownRow(["", "", more, ""])] : shown;
  return markdownTable(["", "where", "what", "rule"], rows);
}
