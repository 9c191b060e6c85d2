import { type Diagnostic, joinList, pluralize, printVisibleText, nameSome } from "@hasp/base/diagnostics";
import { findList, isUnproved } from "@hasp/compiler/diff";
import { type CauseGroup, groupByCause } from "./causes.js";
import { createComparisonLists, printCosts } from "./comparison.js";
import {
  countSeverities,
  type Report,
  type ReportFormat,
  type ReportView,
  type ReviewedFinding,
  sortBySeverity,
} from "./report.js";

/** GitHub's limit for comments, in characters. */
export const LONGEST_COMMENT = 65_536;

/** Room for costs and the number of omitted findings. */
const KEPT_FREE = 8000;
const LONGEST_MESSAGE = 1000;
const LONGEST_NAME = 100;
const LONGEST_PLACE = 300;
const MOST_NAMES = 8;
const MOST_COSTS = 10;

/** For pull-request comments and job summaries: what a change means, and what was found, each with a heading. */
export const markdown: ReportFormat = { start: /^### hasp: /u, hasCheckoutPaths: true, print };

function print(report: Report, view: ReportView): string {
  const { errors, warnings, infos } = countSeverities(report.diagnostics);
  const title = `### hasp: ${pluralize(errors, "error")}, ${pluralize(warnings, "warning")}, ${pluralize(infos, "note")}`;
  return printReview(report, view, { head: [title], showsEmpty: true });
}

type ReviewView = Pick<ReportView, "prefix" | "showsNotes"> & {
  /** Returns the address of a line of the checkout. */
  readonly linkTo?: (path: string, line: number) => string;
};

interface ReviewFrame {
  readonly head: readonly string[];
  /** Blocks after the costs. */
  readonly tail?: readonly string[];
  /** True to name lists without findings. */
  readonly showsEmpty?: boolean;
}

/**
 * Prints a review as Markdown: what loosens, breaks, is wrong, is reworded and costs, and the number of findings that
 * the base has too. Omits and counts findings beyond {@link LONGEST_COMMENT}.
 */
export function printReview(
  { diagnostics, comparison }: Pick<Report, "diagnostics" | "comparison">,
  view: ReviewView,
  { head, tail = [], showsEmpty = false }: ReviewFrame,
): string {
  let room = LONGEST_COMMENT - KEPT_FREE;
  const printFindings = (findings: readonly ReviewedFinding[]): readonly string[] => {
    const rows: string[] = [];
    let left = findings.length;
    for (const cause of groupByCause(sortBySeverity(findings))) {
      const row = printCause(cause, view);
      room -= row.length + 1;
      if (room < 0) break;
      rows.push(row);
      left -= cause.findings.length;
    }
    const table = rows.length === 0 ? [] : [printMarkdownTable(["", "tool", "where", "what"], rows)];
    return left === 0 ? table : [...table, `… and ${left} more: \`--format json\` lists all of them.`];
  };
  const specs = diagnostics.filter(
    (each) => findList(each) === undefined && (view.showsNotes || each.severity !== "info"),
  );
  const others = specs.filter(({ isOld }) => isOld !== true);
  const old = specs.length - others.length;
  const lists = comparison === undefined ? [] : createComparisonLists(diagnostics);
  const [loosens = [], breaks = [], prompt = []] = lists.map(({ title, empty, found }): readonly string[] => {
    if (found.length === 0) return showsEmpty ? [`#### ${title}: nothing`, empty] : [];
    const unproved = found.filter(({ code }) => isUnproved(code)).length;
    return [
      `#### ${title}: ${found.length}${unproved === 0 ? "" : `, ${unproved} of them unproved`}`,
      ...printFindings(found),
    ];
  });
  const heading = comparison === undefined || others.length === 0 ? [] : [`#### Found in the specs: ${others.length}`];
  const costs = nameSome(printCosts(comparison?.costs ?? []), MOST_COSTS);
  const blocks = [
    ...head,
    ...loosens,
    ...breaks,
    ...heading,
    ...printFindings(others),
    ...prompt,
    ...(costs.length === 0 ? [] : ["#### Costs", costs.map((line) => `- ${escapeMarkdown(line)}`).join("\n")]),
    ...tail,
    ...(old === 0 ? [] : [`Already in the base: ${pluralize(old, "finding")}. \`hasp check\` lists all.`]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function printCause(
  { first, findings, message, tools, projects, extent, place, definition }: CauseGroup,
  view: ReviewView,
): string {
  const { severity, code, help, by } = first;
  const isOneMessage = findings.every((each) => each.message.endsWith(message));
  const subjects = new Set(tools.length > 0 ? tools : projects);
  const names = Array.from(subjects, (name) => printMarkdownCode(name.slice(0, LONGEST_NAME)));
  const cause = definition === undefined || place === undefined ? "" : `${definition} in ${place.uri}: `;
  const isGroup = extent !== "";
  const count = names.length > 1 ? pluralize(tools.length, "tool") : (names[0] ?? "");
  // The row's second column tells how many tools there are.
  const heading = [
    ...(`${cause}${extent}` === count ? [] : [`**${escapeMarkdown(cause)}${extent}.**`]),
    ...(isOneMessage ? [] : [`For ${names[0] ?? "the first"}:`]),
  ];
  const what = [
    ...(isGroup && heading.length > 0 ? [heading.join(" ")] : []),
    `${isUnproved(code) ? "*Not proved:* " : ""}${printMessage(message)} ${printMarkdownCode(code)}`,
    ...(help === undefined ? [] : [printMessage(help)]),
    ...(by === undefined
      ? []
      : [`File last changed by ${escapeMarkdown(by.slice(0, LONGEST_NAME))}, according to git.`]),
    ...(isGroup ? [joinList(nameSome(names, MOST_NAMES))] : []),
  ];
  return printMarkdownRow([
    severity === "info" ? "note" : severity,
    tools.length === 0 ? "" : count,
    printPlace(place, view),
    what.join("<br>"),
  ]);
}

function printPlace(place: Diagnostic["location"], { prefix, linkTo }: ReviewView): string {
  if (place === undefined) return "";
  const path = `${prefix}${place.uri}`;
  const { line } = place.range.start;
  const text = printMarkdownCode(`${path}:${line}`.slice(-LONGEST_PLACE));
  return linkTo === undefined || path.length > LONGEST_PLACE ? text : `[${text}](${linkTo(path, line)})`;
}

/** Escapes a message, with its JSON values, and what stands between backticks, as code. */
function printMessage(message: string): string {
  const text = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 0 ? escapeMarkdown(part) : printMarkdownCode(part.replace(/^`|`$/gu, ""))))
    .join("");
}

/** A JSON object with at most one level of nesting, or words between backticks that a table takes. */
const CODE = /(\{"(?:[^{}[\]\n]|\{[^{}\n]*\}|\[[^[\]\n]*\])*\}|`[^`|\n]+`)/u;

/**
 * Escapes a text for a table cell, heading or list item on GitHub. Backslashes do not keep GitHub from linking URLs,
 * addresses, mentions and issues; an empty comment in the middle does.
 */
export function escapeMarkdown(text: string): string {
  return printVisibleText(text)
    .replaceAll(/[\\`*_{}[\]<>|~!&$]|^\s*[-+=]|^\s*\d+(?=[.)])/g, (match) =>
      /\d/.test(match) ? `${match}<!-- -->` : match.replace(/.$/, "\\$&"),
    )
    .replaceAll(/:(?=\/\/)|(?<=mailto|xmpp):|www(?=\.)|[@#]|\bGH(?=-\d)/giu, (match) => `${match}<!-- -->`);
}

export function printMarkdownCode(text: string): string {
  return `\`${printVisibleText(text).replaceAll(/[`|]/g, "'")}\``;
}

/** Prints a table of {@link printMarkdownRow} rows. A heading with a final colon aligns to the right. */
export function printMarkdownTable(headings: readonly string[], rows: readonly string[]): string {
  const marks = headings.map((heading) => (heading.endsWith(":") ? "--:" : "---"));
  const titles = headings.map((heading) => heading.replace(/:$/u, ""));
  return [printMarkdownRow(titles), `|${marks.join("|")}|`, ...rows].join("\n");
}

export function printMarkdownRow(cells: readonly string[]): string {
  return ["|", ...cells.map((cell) => (cell === "" ? "|" : `${cell} |`))].join(" ");
}
