import type { Changes, CostChange, Finding } from "./model.js";
import { markdownCode, markdownRow, markdownTable, markdownText } from "../../report/src/reporters/markdown.js";
import { pluralize } from "../../compiler/src/text/words.js";

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
  const head = `${reviewMark(options.prefix)}\n### hasp: what this change means\n`;
  const base = markdownCode(changes.base.slice(0, LONGEST_NAME));
  if ("refusal" in changes) {
    return `${head}\nNothing was compared with ${base}. ${markdownText(changes.refusal.slice(0, LONGEST_MESSAGE))}\n`;
  }
  let room = LONGEST_COMMENT - KEPT_FREE;
  const sections = changes.lists.map(({ kind, empty, findings }) => {
    const rows: string[] = [];
    for (const finding of findings.listed) {
      const row = findingRow(finding, options.prefix);
      if (row.length + 1 > room) break;
      room -= row.length + 1;
      rows.push(row);
    }
    const left = findings.total - rows.length;
    const table = markdownTable(["", "tool", "where", "what"], rows);
    const body = findings.total === 0 ? markdownText(empty) : rows.length === 0 ? "" : table;
    const more = left === 0 ? "" : `\n\n… and ${left} more: \`hasp diff\` lists all of them.`;
    return `#### ${HEADINGS[kind]}: ${findings.total === 0 ? "nothing" : findings.total}\n\n${body}${more}`;
  });
  return `${[head.trimEnd(), `${verdict(changes)} Compared with ${base}.`, ...sections, costSection(changes.costs)].join("\n\n")}\n`;
}

/** Returns the first line of a review, by which a later one finds it. */
export function reviewMark(prefix: string): string {
  // Two hyphens would end the comment.
  return `<!-- hasp review ${encodeURIComponent(prefix).replaceAll("-", "%2D")} -->`;
}

function verdict({ lists }: Extract<Changes, { readonly lists: unknown }>): string {
  const [breaks = 0, loosens = 0, prompt = 0] = lists.map(({ findings }) => findings.total);
  if (breaks + loosens + prompt === 0) return "Nothing that affects callers, safety or the prompt has changed.";
  if (breaks + loosens === 0) return "No caller breaks and nothing is looser, but models read different text.";
  const parts = [
    ...(breaks === 0 ? [] : [`${pluralize(breaks, "change")} may break callers`]),
    ...(loosens === 0 ? [] : [`${pluralize(loosens, "change")} may loosen safety`]),
  ];
  return `**${parts.join(", and ")}.**`;
}

const SIGNS: { readonly [severity in Finding["severity"]]: string } = { error: "❌", warning: "⚠️", info: "" };

function findingRow({ severity, message, help, tool, place, may }: Finding, prefix: string): string {
  const where = place === undefined ? "" : markdownCode(`${prefix}${place.uri}:${place.line}`.slice(-300));
  const text = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
  const what = [
    `${may === true ? "*Not proved:* " : ""}${markdownText(text)}`,
    ...(help === undefined ? [] : [markdownText(help.slice(0, LONGEST_MESSAGE))]),
  ].join("<br>");
  return markdownRow([SIGNS[severity], tool === undefined ? "" : markdownCode(tool), where, what]);
}

function costSection(costs: readonly CostChange[]): string {
  const changed = costs.filter(({ isOther }) => isOther);
  if (changed.length === 0) {
    return "#### Costs: nothing\n\nEvery list has the same bytes as before, so prompt caches stay valid.";
  }
  const rows = changed.slice(0, MOST_COSTS).map(({ toolset, dialect, before, after }) => {
    const difference = after - before;
    const change = difference === 0 ? "0" : `${difference > 0 ? "+" : "−"}${Math.abs(difference)}`;
    const name = markdownCode(toolset.slice(0, LONGEST_NAME));
    return markdownRow([name, markdownCode(dialect), `${before}`, `${after}`, change]);
  });
  const more = changed.length > MOST_COSTS ? `\n\n… and ${changed.length - MOST_COSTS} more lists.` : "";
  const table = markdownTable(["toolset", "dialect", "tokens before:", "after:", "change:"], rows);
  return `#### Costs\n\n${table}${more}\n\nTokens in every request that sends the list; its prompt cache starts over.`;
}
