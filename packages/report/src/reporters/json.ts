import { printVisibleJson } from "@hasp/base/diagnostics";
import { type ReportFormat, countSeverities } from "./report.js";

/** For programs: `{ diagnostics, summary }` and the command's own keys. Every key of a diagnostic is always present. */
export const json: ReportFormat = {
  start: /^\{\s*"diagnostics":/u,
  print: (report) =>
    printVisibleJson({
      diagnostics: report.diagnostics.map((diagnostic) => {
        const { code, severity, message, tool, location, help, data } = diagnostic;
        return {
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
          fix: report.findEdit?.(diagnostic) ?? null,
        };
      }),
      ...report.data,
      summary: { ...countSeverities(report.diagnostics), ...report.summary },
    }),
};
