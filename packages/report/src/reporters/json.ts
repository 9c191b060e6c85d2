import { type ReportFormat, countSeverities } from "./report.js";
import { printVisibleJson } from "@hasp/base/diagnostics";

/** For programs: `{ diagnostics, summary }` and the command's own keys. Every key of a diagnostic is always present. */
export const json: ReportFormat = {
  start: /^\{\s*"diagnostics":/u,
  print: (report) =>
    printVisibleJson({
      diagnostics: report.diagnostics.map(({ code, severity, message, tool, location, help, data }) => ({
        code,
        severity,
        message,
        tool: tool ?? null,
        uri: location?.uri ?? null,
        line: location?.range.start.line ?? null,
        column: location?.range.start.column ?? null,
        pointer: location?.pointer ?? null,
        help: help ?? null,
        data: data ?? null,
      })),
      ...report.data,
      summary: { ...countSeverities(report.diagnostics), ...report.summary },
    }),
};
