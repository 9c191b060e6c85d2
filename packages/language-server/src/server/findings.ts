import type { Diagnostic as ProtocolDiagnostic, DiagnosticSeverity } from "vscode-languageserver";
import type { Severity } from "@hasp/schema";
import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { LanguageProject } from "../model/language-project.js";
import { groupBy } from "../../../compiler/src/model/group-by.js";
import { Positions } from "./positions.js";

const SEVERITIES: { readonly [severity in Severity]: DiagnosticSeverity } = { error: 1, warning: 2, info: 3 };

/** Converts a finding; `pageOf` returns the address of a code's page. */
export function toProtocol(
  { code, severity, message, help, location, related }: Diagnostic,
  positions: Positions,
  pageOf: (code: string) => string,
): ProtocolDiagnostic {
  return {
    source: "hasp",
    code,
    codeDescription: { href: pageOf(code) },
    severity: SEVERITIES[severity],
    message: help === undefined ? message : `${message}\n${help}`,
    range: location === undefined ? START : positions.rangeOf(location),
    ...(related === undefined
      ? {}
      : {
          relatedInformation: related.map((each) => ({
            message: each.message,
            location: { uri: positions.addressOf(each.location.uri), range: positions.rangeOf(each.location) },
          })),
        }),
  };
}

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Groups a project's findings by file. Those without a place go to `fallback`, if there is such a file. */
export function findingsByFile(
  { diagnostics }: LanguageProject,
  fallback: string | undefined,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const placed = diagnostics.flatMap((finding) => {
    const uri = finding.location?.uri ?? fallback;
    return uri === undefined ? [] : [{ uri, finding }];
  });
  return new Map(
    [...groupBy(placed, ({ uri }) => uri)].map(([uri, each]) => [uri, each.map(({ finding }) => finding)]),
  );
}

/** Compares findings by identity. */
export function areSame(before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  return (
    before === after ||
    (before.length === after.length &&
      before.every(
        (finding, index) => finding === after[index] || JSON.stringify(finding) === JSON.stringify(after[index]),
      ))
  );
}
