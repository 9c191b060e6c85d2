import type { Diagnostic, Location } from "../../../compiler/src/diagnostics/diagnostic.js";
import { fingerprintsOf } from "./fingerprint.js";
import type { Report, ReportFormat, ReportView } from "./report.js";
import { SARIF_LEVELS, sarifRule } from "./sarif-rules.js";
import { visibleJson, visibleLines } from "../../../compiler/src/text/visible-text.js";

/** The starting folder, or GitHub's checkout, so that a log means the same on every machine. */
const BASE = "%SRCROOT%";

/** SARIF 2.1.0 (OASIS, 27 March 2020), for code-scanning services. */
export const sarif: ReportFormat = {
  start: /^\{\s*"\$schema":\s*"[^"]*sarif/u,
  hasCheckoutPaths: true,
  print,
};

function print(report: Report, { prefix }: ReportView): string {
  const codes = [...new Set(report.diagnostics.map(({ code }) => code))].toSorted();
  const fingerprints = fingerprintsOf(report.diagnostics);
  const placed = (location: Location | undefined): { readonly physicalLocation: unknown } => ({
    physicalLocation: physicalLocation(location, prefix),
  });
  const result = ({ code, severity, message, help, location, related = [] }: Diagnostic, index: number): unknown => ({
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: SARIF_LEVELS[severity],
    message: { text: plain(help === undefined ? message : `${message}\n${help}`) },
    locations: [placed(location)],
    partialFingerprints: { "haspPlace/v1": fingerprints[index] },
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((each) => ({
            ...placed(each.location),
            message: { text: plain(each.message) },
          })),
        }),
  });
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "hasp", rules: codes.map((code) => sarifRule(code, report.rules)) } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: {
          [BASE]: {
            description: { text: "The folder in which hasp was started, or the checkout where GitHub runs it." },
          },
        },
        invocations: [{ executionSuccessful: report.couldNotCheck !== true }],
        results: report.diagnostics.map(result),
      },
    ],
  };
  return visibleJson(log);
}

/** Escapes links, `[text](target)` in SARIF (§3.11.6). */
function plain(text: string): string {
  return visibleLines(text).replaceAll("](", "] (");
}

/** Falls back to the project's folder: services refuse a whole log for one result without a place. */
function physicalLocation(location: Location | undefined, prefix: string): unknown {
  if (location === undefined) {
    return { artifactLocation: { uri: prefix === "" ? "./" : encoded(prefix), uriBaseId: BASE } };
  }
  const { uri, range } = location;
  return {
    artifactLocation: { uri: encoded(prefix + uri), uriBaseId: BASE },
    region: {
      startLine: range.start.line,
      startColumn: range.start.column,
      endLine: range.end.line,
      endColumn: range.end.column,
    },
  };
}

function encoded(path: string): string {
  // Half of a surrogate pair has no percent-encoding; use the replacement character.
  const whole = path.replaceAll(/\p{Surrogate}/gu, "\ufffd");
  return whole.split("/").map(encodeURIComponent).join("/");
}
