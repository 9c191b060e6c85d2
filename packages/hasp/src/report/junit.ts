import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { Reporter } from "./report.js";
import { countSeverities } from "./report.js";
import { visibleText } from "./visible-text.js";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
// Line breaks keep their meaning in element text; other control characters are not allowed in XML at all.
const xml = (text: string): string => escaped(text.split("\n").map(visibleText).join("\n"));
const attribute = (text: string): string => escaped(visibleText(text));

/** JUnit XML: a suite a file, a case a finding; only errors count as failures. A clean run is one passed case. */
export const junit: Reporter = (report, view) => {
  const { errors } = countSeverities(report.diagnostics);
  const suites = new Map<string, Diagnostic[]>();
  for (const diagnostic of report.diagnostics) {
    const name = diagnostic.location === undefined ? "project" : view.prefix + diagnostic.location.uri;
    const suite = suites.get(name);
    if (suite === undefined) suites.set(name, [diagnostic]);
    else suite.push(diagnostic);
  }
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
  const total = Math.max(1, report.diagnostics.length);
  lines.push(`<testsuites name="hasp" tests="${total}" failures="${errors}">`);
  if (suites.size === 0) {
    lines.push('  <testsuite name="project" tests="1" failures="0">', '    <testcase name="no findings" />', "  </testsuite>");
  }
  for (const [name, findings] of suites) {
    const failures = countSeverities(findings).errors;
    lines.push(`  <testsuite name="${attribute(name)}" tests="${findings.length}" failures="${failures}">`);
    for (const { code, severity, message, location, help } of findings) {
      const start = location?.range.start;
      const place = start === undefined ? "" : ` at ${start.line}:${start.column}`;
      const text = help === undefined ? message : `${message}\n${help}`;
      lines.push(`    <testcase name="${attribute(code + place)}" classname="${attribute(name)}">`);
      lines.push(
        severity === "error"
          ? `      <failure type="${attribute(code)}" message="${attribute(message)}">${xml(text)}</failure>`
          : `      <system-out>${xml(`${severity}: ${text}`)}</system-out>`,
        "    </testcase>",
      );
    }
    lines.push("  </testsuite>");
  }
  lines.push("</testsuites>");
  return `${lines.join("\n")}\n`;
};
