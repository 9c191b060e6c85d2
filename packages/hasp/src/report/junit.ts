import type { Report, Reporter, TestCase } from "./report.js";
import { visibleText } from "./visible-text.js";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
// Line breaks keep their meaning in element text; other control characters are not allowed in XML at all.
const xml = (text: string): string => escaped(text.split("\n").map(visibleText).join("\n"));
const attribute = (text: string): string => escaped(visibleText(text));

/** JUnit XML: the tests that were run, or else a suite a file and a case a finding, of which only errors fail. */
export const junit: Reporter = (report, view) => {
  const suites = new Map<string, TestCase[]>();
  for (const testCase of report.cases ?? casesOf(report, view.prefix)) {
    const suite = suites.get(testCase.suite);
    if (suite === undefined) suites.set(testCase.suite, [testCase]);
    else suite.push(testCase);
  }
  const all = [...suites.values()].flat();
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="hasp" ${countsOf(all)}>`,
    ...[...suites].flatMap(([name, cases]) => [
      `  <testsuite name="${attribute(name)}" ${countsOf(cases)}>`,
      ...cases.flatMap(caseLines),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
};

function countsOf(cases: readonly TestCase[]): string {
  const count = (status: TestCase["status"]): number => cases.filter((testCase) => testCase.status === status).length;
  return `tests="${cases.length}" failures="${count("failed")}" skipped="${count("skipped")}"`;
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

/** Findings as tests. A clean run is one test that passed, for a report without any looks like one that failed. */
function casesOf({ diagnostics }: Report, prefix: string): readonly TestCase[] {
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
