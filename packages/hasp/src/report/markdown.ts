import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { Reporter } from "./report.js";
import { countSeverities } from "./report.js";
import { visibleText } from "./visible-text.js";
import { counted } from "./words.js";

// A cell must hold neither a bar nor a break, and a spec's text must not become markup of the page.
const cell = (text: string): string => visibleText(text).replaceAll(/[\\`*_{}[\]<>|#~@!&]/g, (character) => `\\${character}`);
const code = (text: string): string => `\`${visibleText(text).replaceAll(/[`|]/g, "'")}\``;

/** A table for a pull-request comment or a job summary. */
export const markdown: Reporter = (report, view) => {
  const { errors, warnings, infos } = countSeverities(report.diagnostics);
  const title = `### hasp: ${counted(errors, "error")}, ${counted(warnings, "warning")}, ${counted(infos, "note")}`;
  if (report.diagnostics.length === 0) return `${title}\n`;
  const row = ({ severity, code: id, message, help, location }: Diagnostic): string => {
    const place = location === undefined ? "" : code(`${view.prefix}${location.uri}:${location.range.start.line}`);
    const text = help === undefined ? cell(message) : `${cell(message)}<br>${cell(help)}`;
    return `| ${severity === "info" ? "note" : severity} | ${place} | ${text} | ${code(id)} |`;
  };
  return [title, "", "| | where | what | rule |", "|---|---|---|---|", ...report.diagnostics.map(row), ""].join("\n");
};
