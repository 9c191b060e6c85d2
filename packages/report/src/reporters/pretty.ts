import {
  type Diagnostic,
  printVisibleLines,
  printVisibleText,
  pluralize,
  joinList,
  nameSome,
} from "@hasp/base/diagnostics";
import { groupBy, indexBy } from "@hasp/base/json";
import { findList } from "@hasp/compiler/diff";
import { type CauseGroup, groupByCause } from "./causes.js";
import { printCodeFrame } from "./code-frame.js";
import type { Look } from "./paint.js";
import {
  type Report,
  type ReportFormat,
  type ReportView,
  type ReviewedFinding,
  countSeverities,
  UNAPPROVED,
} from "./report.js";

const SHOWN_PER_CODE = 20;

/** More claims than these become one line, where other findings would be lost among them. */
const MOST_CLAIMS = 3;
const NAMED_TOOLS = 5;

/** The worst comes last, next to the prompt. */
const SEVERITIES: readonly Diagnostic["severity"][] = ["info", "warning", "error"];

const LOOKS: Readonly<Record<Diagnostic["severity"], Look>> = { error: "error", warning: "warning", info: "info" };

/**
 * For people: findings by severity and file with code frames, and a summary line. Only counts notes, and warnings that
 * another command prints, unless asked.
 */
export const pretty: ReportFormat = { print };

function print({ diagnostics, ...report }: Report, view: ReportView): string {
  const linesOf = lineReader(report);
  const old = view.showsNotes ? [] : diagnostics.filter(({ isOld, severity }) => isOld && severity === "warning");
  const shown = diagnostics.filter(
    (each) =>
      view.showsNotes ||
      each.severity === "error" ||
      (each.severity === "warning" && each.isOld !== true && !report.repeated?.has(each)),
  );
  const blocks = SEVERITIES.flatMap((severity) =>
    severityBlocks(
      shown.filter((diagnostic) => diagnostic.severity === severity),
      linesOf,
      view,
    ),
  );
  const end = countLine(diagnostics, shown, view);
  if (end !== "") blocks.push(end);
  if (old.length > 0) blocks.push(view.paint("faint", `Already in the base: ${pluralize(old.length, "warning")}.`));
  return blocks.length === 0 ? "" : `${blocks.join("\n\n")}\n`;
}

function severityBlocks(diagnostics: readonly ReviewedFinding[], linesOf: LineReader, view: ReportView): string[] {
  const blocks: string[] = [];
  const claims = claimsToSum(diagnostics);
  const causes = indexBy(
    groupByCause(diagnostics.filter((each) => findList(each) !== undefined)),
    ({ first }) => first,
  );
  const { shown, hidden } = withoutRepetition(
    diagnostics.filter((each) => !claims.includes(each) && (findList(each) === undefined || causes.has(each))),
  );
  for (const [uri, findings] of groupBy(shown, ({ location }) => location?.uri)) {
    if (uri !== undefined) blocks.push(view.paint("place", printVisibleText(view.prefix + uri)));
    for (const finding of findings) {
      const block = findingBlock(finding, linesOf, view) + printOthers(causes.get(finding), view);
      blocks.push(indent(block, uri === undefined ? "" : "  "));
    }
  }
  for (const [code, count] of hidden) {
    blocks.push(view.paint("faint", `… and ${count} more ${code} (all are in --format json)`));
  }
  const [first] = claims;
  if (first !== undefined) blocks.push(sumClaims(first.severity, claims, view));
  return blocks;
}

/** Names the other tools and projects with the cause of a change. */
function printOthers(cause: CauseGroup | undefined, { paint }: ReportView): string {
  const { tools = [], projects = [], extent = "" } = cause ?? {};
  if (extent === "") return "";
  const names = [...new Set(tools.length > 0 ? tools : projects)].map(printVisibleText);
  return paint("faint", `\n  One cause, ${extent}: ${joinList(nameSome(names, NAMED_TOOLS))}`);
}

/** Returns the claims that one line replaces, because findings of another kind stand beside them. */
function claimsToSum(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const claims = diagnostics.filter(({ code }) => code === UNAPPROVED);
  return claims.length > MOST_CLAIMS && claims.length < diagnostics.length ? claims : [];
}

function sumClaims(severity: Diagnostic["severity"], claims: readonly Diagnostic[], { paint }: ReportView): string {
  const tools = [...new Set(claims.flatMap(({ tool }) => tool ?? []))].map(printVisibleText);
  const names = nameSome(tools, NAMED_TOOLS);
  const head = `${paint(LOOKS[severity], severity)}  Nobody has approved ${claims.length} claims of ${joinList(names)}.`;
  const help = `${paint("good", "help")}  Once nothing else is wrong, run: hasp approve --reason "why it is safe"`;
  return `${head}  ${paint("faint", UNAPPROVED)}\n  ${help}`;
}

/** Returns `2 errors and 1 warning in 2 files`, or nothing. */
function countLine(diagnostics: readonly Diagnostic[], shown: readonly Diagnostic[], { paint }: ReportView): string {
  const counts = countSeverities(diagnostics);
  const parts: string[] = [];
  if (counts.errors > 0) parts.push(paint("error", pluralize(counts.errors, "error")));
  if (counts.warnings > 0) parts.push(paint("warning", pluralize(counts.warnings, "warning")));
  if (counts.infos > 0) parts.push(paint("info", pluralize(counts.infos, "note")));
  if (parts.length === 0) return "";
  const files = new Set(diagnostics.flatMap((diagnostic) => diagnostic.location?.uri ?? []));
  const fixable = diagnostics.filter(({ fix }) => fix !== undefined).length;
  const hidesWarnings = countSeverities(shown).warnings < counts.warnings;
  const remedies = [
    ...(shown.length === diagnostics.length ? [] : [`; --verbose prints ${hidesWarnings ? "all" : "notes"}`]),
    ...(fixable === 0 ? [] : [`; "hasp check --fix" can fix ${fixable === 1 ? "one" : fixable}`]),
  ];
  return joinList(parts) + (files.size > 1 ? ` in ${files.size} files` : "") + paint("faint", remedies.join(""));
}

function findingBlock(finding: Diagnostic, linesOf: LineReader, view: ReportView): string {
  const { location } = finding;
  const position = location === undefined ? "" : `${location.range.start.line}:${location.range.start.column}  `;
  const head = `${position}${view.paint(LOOKS[finding.severity], finding.severity === "info" ? "note" : finding.severity)}`;
  const block = [`${head}  ${marked(finding.message)}  ${view.paint("faint", printVisibleText(finding.code))}`];
  const lines = location && linesOf(location.uri);
  if (location !== undefined && lines !== undefined && finding.severity !== "info") {
    block.push(indent(printCodeFrame(lines, location.range, view.columns - 6, view.paint), "  "));
  }
  for (const related of finding.related ?? []) {
    const { uri, range } = related.location;
    const where = `${printVisibleText(view.prefix + uri)}:${range.start.line}:${range.start.column}`;
    block.push(`  ${marked(related.message)} ${view.paint("faint", `(${where})`)}`);
  }
  if (finding.help !== undefined) {
    block.push(indent(`${view.paint("good", "help")}  ${marked(finding.help)}`, "  "));
  }
  return block.join("\n");
}

/** Puts each further line behind a bar, so that a line break in a spec cannot forge a line of the report. */
function marked(text: string): string {
  return printVisibleLines(text).replaceAll("\n", "\n  │ ");
}

type LineReader = (uri: string) => readonly string[] | undefined;

/** Splits each text into lines at most once: a file with a thousand findings is common in a first run. */
function lineReader(report: Pick<Report, "sources">): LineReader {
  const known = new Map<string, readonly string[] | undefined>();
  return (uri) => {
    if (!known.has(uri)) known.set(uri, report.sources.get(uri)?.split(/\r\n|\n|\r/));
    return known.get(uri);
  };
}

function withoutRepetition(diagnostics: readonly Diagnostic[]): {
  readonly shown: readonly Diagnostic[];
  readonly hidden: ReadonlyMap<string, number>;
} {
  const seen = new Map<string, number>();
  const shown = diagnostics.filter(({ code }) => {
    const count = (seen.get(code) ?? 0) + 1;
    seen.set(code, count);
    return count <= SHOWN_PER_CODE;
  });
  const hidden = new Map<string, number>();
  for (const [code, count] of seen) if (count > SHOWN_PER_CODE) hidden.set(code, count - SHOWN_PER_CODE);
  return { shown, hidden };
}

function indent(text: string, by: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? line : by + line))
    .join("\n");
}
