import { groupBy } from "@hasp/base/json";
import type { Changes, CostChange, Finding, Place } from "./model.js";
import { printMarkdownCode, printMarkdownRow, printMarkdownTable, escapeMarkdown } from "@hasp/report";
import { pluralize } from "@hasp/base/diagnostics";

/** GitHub's limit for comments, in characters. */
export const LONGEST_COMMENT = 65_536;

/** Room for costs and the number of omitted findings. */
const KEPT_FREE = 8000;
const LONGEST_MESSAGE = 1000;
const LONGEST_NAME = 100;
const MOST_COSTS = 30;

export interface ReviewSettings {
  /** The path from the checkout's root to the project, with a trailing slash; or empty. */
  readonly prefix: string;
  /** The configuration, if it was named; others beside it have reviews of their own. */
  readonly config?: string | undefined;
  /** The tapes that a replay would refuse, by tool. */
  readonly tapes?: readonly { readonly file: string; readonly tool: string; readonly change: string }[];
  /** Returns the address of a line of the checkout. */
  readonly linkTo?: (path: string, line: number) => string;
}

const HEADINGS = {
  breaks: "Breaks callers",
  loosens: "Loosens safety",
  prompt: "Rewords what models read",
} as const;

/**
 * Writes a review for a pull request as Markdown: what a change breaks, loosens, rewords and costs. A hidden first line
 * identifies it for later reviews. Omits and counts findings beyond {@link LONGEST_COMMENT}.
 */
export function reviewMarkdown(changes: Changes, options: ReviewSettings): string {
  const { prefix, config } = options;
  const where = config === undefined ? "" : ` for ${printMarkdownCode(config.slice(-LONGEST_NAME))}`;
  const head = `${reviewMark({ prefix, config })}\n### hasp: what this change means${where}\n`;
  const base = printMarkdownCode(changes.base.slice(0, LONGEST_NAME));
  if ("refusal" in changes) {
    return `${head}\nNothing was compared with ${base}. ${escapeMarkdown(changes.refusal.slice(0, LONGEST_MESSAGE))}\n`;
  }
  let room = LONGEST_COMMENT - KEPT_FREE;
  const sections = changes.lists.flatMap(({ kind, findings }) => {
    if (findings.total === 0) return [];
    const rows: string[] = [];
    let shown = 0;
    for (const group of groupByCause(findings.listed)) {
      const row = groupRow(group, options);
      if (row.length + 1 > room) break;
      room -= row.length + 1;
      rows.push(row);
      shown += group.length;
    }
    const left = findings.total - shown;
    const table = rows.length === 0 ? [] : [printMarkdownTable(["", "tool", "where", "what"], rows)];
    const more = left === 0 ? [] : [`… and ${left} more: \`hasp diff\` lists all of them.`];
    return [[`#### ${HEADINGS[kind]}: ${findings.total}`, ...table, ...more].join("\n\n")];
  });
  const isUnproved = changes.lists.some(({ findings }) => findings.listed.some(({ may }) => may === true));
  const legend = isUnproved ? ["*Not proved*: no example was found, and no proof that there is none."] : [];
  const costs = [...costSection(changes.costs), ...tapeSection(options)];
  return `${[head.trimEnd(), `${verdict(changes)} Compared with ${base}.`, ...sections, ...legend, ...costs].join("\n\n")}\n`;
}

/** Groups findings at one place of a shared file, or with the same words, in the order of the first findings. */
function groupByCause(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const placeOf = ({ severity, code, place }: Finding): string => JSON.stringify([severity, code, place]);
  const tools = new Map<string, Set<string | undefined>>();
  for (const finding of findings) {
    const key = placeOf(finding);
    tools.set(key, (tools.get(key) ?? new Set()).add(finding.tool));
  }
  const keyOf = (finding: Finding): string => {
    const { severity, code, message, tool, place } = finding;
    const isShared = place !== undefined && (tools.get(placeOf(finding))?.size ?? 0) > 1;
    if (isShared) return placeOf(finding);
    // Tokens and lengths differ between tools.
    return JSON.stringify([severity, code, message.replaceAll(/\d+/gu, "#"), tool === undefined ? place : "of a tool"]);
  };
  return [...groupBy(findings, keyOf).values()];
}

/** Returns the first line of a review, by which later runs find it. */
export function reviewMark({ prefix, config = "" }: Pick<ReviewSettings, "prefix" | "config">): string {
  // Two hyphens would end the comment.
  return `<!-- hasp review ${encodeURIComponent(prefix + config).replaceAll("-", "%2D")} -->`;
}

function verdict({ lists }: Extract<Changes, { readonly lists: unknown }>): string {
  const [breaks = 0, loosens = 0, prompt = 0] = lists.map(({ findings }) => findings.total);
  if (breaks + loosens + prompt === 0) return NOTHING;
  if (breaks + loosens === 0) return "No caller breaks and nothing is looser, but models read different text.";
  const parts = [
    ...(breaks === 0 ? [] : [`${pluralize(breaks, "change")} may break callers`]),
    ...(loosens === 0 ? [] : [`${pluralize(loosens, "change")} may loosen safety`]),
  ];
  return `**${parts.join(", and ")}.**`;
}

const NOTHING =
  "Nothing that affects callers, safety or the prompt has changed in specs, settings and approvals. Code is not compared.";

const SIGNS: { readonly [severity in Finding["severity"]]: string } = { error: "❌", warning: "⚠️", info: "" };

const MOST_NAMES = 30;

function groupRow(findings: readonly Finding[], options: ReviewSettings): string {
  const [first] = findings;
  if (first === undefined) return "";
  const { severity, message, help, place, may } = first;
  const tools = [...new Set(findings.flatMap(({ tool }) => tool ?? []))];
  const isOnePlace = findings.every((each) => isSamePlace(each.place, place));
  const isOneMessage = findings.every((each) => each.message === message);
  const cause = isOnePlace && place?.definition !== undefined ? `${place.definition} in ${place.uri}: ` : "";
  const names = tools.map((name) => printMarkdownCode(name.slice(0, LONGEST_NAME)));
  const listed =
    names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), `… and ${names.length - MOST_NAMES} more`] : names;
  const isGroup = tools.length > 1;
  const what = [
    ...(isGroup
      ? [
          `**${escapeMarkdown(cause)}${pluralize(tools.length, "tool")}.**${isOneMessage ? "" : ` For ${names[0] ?? ""}:`}`,
        ]
      : []),
    `${may === true ? "*Not proved:* " : ""}${messageText(message)}`,
    ...(help === undefined ? [] : [messageText(help)]),
    ...(isGroup ? [listed.join(", ")] : []),
  ].join("<br>");
  return printMarkdownRow([
    SIGNS[severity],
    isGroup ? `${tools.length} tools` : (names[0] ?? ""),
    isOnePlace ? whereText(place, options) : "",
    what,
  ]);
}

function isSamePlace(place: Place | undefined, other: Place | undefined): boolean {
  return place?.uri === other?.uri && place?.line === other?.line;
}

function whereText(place: Place | undefined, { prefix, linkTo }: ReviewSettings): string {
  if (place === undefined) return "";
  const path = `${prefix}${place.uri}`;
  const text = printMarkdownCode(`${path}:${place.line}`.slice(-LONGEST_PLACE));
  return linkTo === undefined || path.length > LONGEST_PLACE ? text : `[${text}](${linkTo(path, place.line)})`;
}

const LONGEST_PLACE = 300;

/** Escapes a message, with its JSON values as code. */
function messageText(message: string): string {
  const text = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
  return text
    .split(JSON_VALUE)
    .map((part, index) => (index % 2 === 0 ? escapeMarkdown(part) : printMarkdownCode(part)))
    .join("");
}

/** A JSON object with at most one level of nesting. */
const JSON_VALUE = /(\{"(?:[^{}[\]\n]|\{[^{}\n]*\}|\[[^[\]\n]*\])*\})/u;

function tapeSection({ tapes = [], prefix }: ReviewSettings): readonly string[] {
  if (tapes.length === 0) return [];
  const rows = tapes.slice(0, MOST_COSTS).map(({ file, tool, change }) => {
    const name = printMarkdownCode(`${prefix}${file}`.slice(-300));
    return printMarkdownRow([name, tool === "" ? "" : printMarkdownCode(tool), escapeMarkdown(change.slice(0, 200))]);
  });
  const more = tapes.length > MOST_COSTS ? `\n\n… and ${tapes.length - MOST_COSTS} more.` : "";
  const table = printMarkdownTable(["tape", "tool", "what changed"], rows);
  return [
    `#### Outdated tapes: ${tapes.length}\n\n${table}${more}\n\nA replay refuses these calls. Record them again.`,
  ];
}

function costSection(costs: readonly CostChange[]): readonly string[] {
  const changed = costs.filter(({ isOther }) => isOther);
  if (changed.length === 0) return [];
  const rows = changed.slice(0, MOST_COSTS).map(({ toolset, dialect, before, after }) => {
    const difference = after - before;
    const change = difference === 0 ? "0" : `${difference > 0 ? "+" : "−"}${Math.abs(difference)}`;
    const name = printMarkdownCode(toolset.slice(0, LONGEST_NAME));
    return printMarkdownRow([name, printMarkdownCode(dialect), `${before}`, `${after}`, change]);
  });
  const more = changed.length > MOST_COSTS ? `\n\n… and ${changed.length - MOST_COSTS} more lists.` : "";
  const table = printMarkdownTable(["toolset", "dialect", "tokens before:", "after:", "change:"], rows);
  return [
    `#### Costs\n\n${table}${more}\n\nTokens in every request that sends the list; its prompt cache starts over.`,
  ];
}
