import { groupBy } from "@hasp/base/json";
import type { Report, ReportFormat, ReportView, TestCase } from "./report.js";
import { printVisibleLines, printVisibleText } from "@hasp/base/diagnostics";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
const xml = (text: string): string => escaped(printVisibleLines(text));
const attribute = (text: string): string => escaped(printVisibleText(text));

/**
 * JUnit XML: the tests, and a suite per file with a case per finding. Only errors fail. Follows the schema of Jenkins'
 * xUnit plugin, the strictest reader.
 */
export const junit: ReportFormat = {
  start: /^<\?xml[^>]*>\s*<testsuites name="hasp"/u,
  print,
};

function print(report: Report, view: ReportView): string {
  const all = [...(report.cases ?? []), ...casesOf(report, view.prefix)];
  const suites = groupBy(all, ({ suite }) => suite);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="hasp" tests="${all.length}" failures="${countOf(all, "failed")}">`,
    ...[...suites].flatMap(([name, cases]) => [
      `  <testsuite name="${attribute(name)}" ${countsOf(cases)}>`,
      ...cases.flatMap(caseLines),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

function countOf(cases: readonly TestCase[], status: TestCase["status"]): number {
  return cases.filter((testCase) => testCase.status === status).length;
}

function countsOf(cases: readonly TestCase[]): string {
  return `tests="${cases.length}" failures="${countOf(cases, "failed")}" skipped="${countOf(cases, "skipped")}"`;
}

function caseLines({ suite, name, status, message }: TestCase): readonly string[] {
  const open = `    <testcase name="${attribute(name)}" classname="${attribute(suite)}"`;
  if (status === "passed" && message === "") return [`${open} />`];
  const body = {
    passed: `<system-out>${xml(message)}</system-out>`,
    failed: `<failure message="${attribute(message)}">${xml(message)}</failure>`,
    skipped: `<skipped message="${attribute(message)}" />`,
  }[status];
  return [`${open}>`, `      ${body}`, "    </testcase>"];
}

const TESTED: ReadonlySet<string> = new Set(["cli/test-failed", "cli/test-skipped"]);

/** Converts findings to tests. A clean run is one passed test, because an empty report looks like a failed run. */
function casesOf({ diagnostics: all, cases }: Report, prefix: string): readonly TestCase[] {
  const diagnostics = cases === undefined ? all : all.filter(({ code }) => !TESTED.has(code));
  if (diagnostics.length === 0 && (cases ?? []).length > 0) return [];
  if (diagnostics.length === 0) return [{ suite: "project", name: "no findings", status: "passed", message: "" }];
  return diagnostics.map(({ code, severity, message, location, help }) => {
    const start = location?.range.start;
    const text = help === undefined ? message : `${message}\n${help}`;
    return {
      suite: location === undefined ? "project" : prefix + location.uri,
      name: start === undefined ? code : `${code} at ${start.line}:${start.column}`,
      status: severity === "error" ? "failed" : "passed",
      message: severity === "error" ? text : `${severity}: ${text}`,
    };
  });
}
