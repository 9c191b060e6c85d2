import type { Reporter } from "./report.js";
import { countSeverities } from "./report.js";

/**
 * For programs: `{ diagnostics, summary }` and whatever else the command gives. Every key of a diagnostic is always
 * there.
 */
export const json: Reporter = (report) =>
  `${JSON.stringify(
    {
      diagnostics: report.diagnostics.map(({ code, severity, message, tool, location, help }) => ({
        code,
        severity,
        message,
        tool: tool ?? null,
        uri: location?.uri ?? null,
        line: location?.range.start.line ?? null,
        column: location?.range.start.column ?? null,
        pointer: location?.pointer ?? null,
        help: help ?? null,
      })),
      ...report.data,
      summary: { ...countSeverities(report.diagnostics), ...report.summary },
    },
    undefined,
    2,
  )}\n`;
