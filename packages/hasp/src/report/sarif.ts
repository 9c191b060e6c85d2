import type { Location } from "../diagnostics/diagnostic.js";
import type { Reporter } from "./report.js";

const LEVELS = { error: "error", warning: "warning", info: "note" } as const;

/** SARIF 2.1.0, for code-scanning services. Places are relative to the folder in which hasp was started. */
export const sarif: Reporter = (report, view) => {
  const codes = [...new Set(report.diagnostics.map((diagnostic) => diagnostic.code))].toSorted();
  const physicalLocation = ({ uri, range }: Location): unknown => ({
    artifactLocation: { uri: (view.prefix + uri).split("/").map(encodeURIComponent).join("/") },
    region: {
      startLine: range.start.line,
      startColumn: range.start.column,
      endLine: range.end.line,
      endColumn: range.end.column,
    },
  });
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "hasp", rules: codes.map((id) => ({ id })) } },
        columnKind: "utf16CodeUnits",
        results: report.diagnostics.map(({ code, severity, message, location, help, related }) => ({
          ruleId: code,
          ruleIndex: codes.indexOf(code),
          level: LEVELS[severity],
          message: { text: help === undefined ? message : `${message}\n${help}` },
          ...(location === undefined ? {} : { locations: [{ physicalLocation: physicalLocation(location) }] }),
          ...(related === undefined || related.length === 0
            ? {}
            : {
                relatedLocations: related.map((entry) => ({
                  physicalLocation: physicalLocation(entry.location),
                  message: { text: entry.message },
                })),
              }),
        })),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
};
