import {
  type ComparedCosts,
  countComparison,
  escapeMarkdown,
  printMarkdownCode,
  printMarkdownRow,
  printMarkdownTable,
  printReview,
  type ReviewedFinding,
} from "@hasp/report";
import { pluralize } from "@hasp/base/diagnostics";

const LONGEST_REASON = 1000;
const LONGEST_NAME = 100;
const MOST_TAPES = 30;
const MOST_REFUSALS = 20;

/** A change of one project or of several. */
export interface Review extends ComparedCosts {
  readonly base: string;
  /** The findings of the comparison and of the specs. */
  readonly findings: readonly ReviewedFinding[];
  /** The tapes that a replay would refuse, by tool. */
  readonly tapes: readonly { readonly file: string; readonly tool: string; readonly change: string }[];
  /** The reasons why projects were not compared. */
  readonly refusals: readonly string[];
}

export interface ReviewSettings {
  /** The path from the checkout's root to the project, with a trailing slash; or empty. */
  readonly prefix: string;
  /** The configuration if it was named, since others beside it have reviews of their own; or `--all`. */
  readonly config?: string | undefined;
  /** Returns the address of a line of the checkout. */
  readonly linkTo?: (path: string, line: number) => string;
}

/** Writes a review for a pull request as Markdown. A hidden first line identifies it for later reviews. */
export function reviewMarkdown(review: Review, settings: ReviewSettings): string {
  const { prefix, config } = settings;
  const where = config === undefined || config === ALL ? "" : ` for ${printMarkdownCode(config.slice(-LONGEST_NAME))}`;
  const base = printMarkdownCode(review.base.slice(0, LONGEST_NAME));
  const head = `${reviewMark({ prefix, config })}\n### hasp: what this change means${where}`;
  const isCompared = config === ALL || review.refusals.length === 0;
  const refusals = review.refusals
    .slice(0, MOST_REFUSALS)
    .map((reason) => `Not compared with ${base}: ${escapeMarkdown(reason.slice(0, LONGEST_REASON))}`);
  return printReview(
    { diagnostics: review.findings, comparison: review },
    { ...settings, showsNotes: false },
    {
      head: [head, ...(isCompared ? [`${verdict(review)} Compared with ${base}.`] : []), ...refusals],
      tail: printTapes(review, prefix),
    },
  );
}

/** The name of a review of all configurations; no file has this name. */
export const ALL = "--all";

/** Returns the first line of a review, by which later runs find it. */
export function reviewMark({ prefix, config = "" }: Pick<ReviewSettings, "prefix" | "config">): string {
  // Two hyphens would end the comment.
  return `<!-- hasp review ${encodeURIComponent(prefix + config).replaceAll("-", "%2D")} -->`;
}

function verdict({ findings }: Review): string {
  const { breaks, loosens, prompt } = countComparison(findings);
  if (breaks + loosens + prompt === 0) return NOTHING;
  if (breaks + loosens === 0) return "No caller breaks and nothing is looser, but models read different text.";
  const parts = [
    ...(loosens === 0 ? [] : [`${pluralize(loosens, "change")} may loosen safety`]),
    ...(breaks === 0 ? [] : [`${pluralize(breaks, "change")} may break callers`]),
  ];
  return `**${parts.join(", and ")}.**`;
}

const NOTHING =
  "Nothing that affects callers, safety or the prompt has changed in specs, settings and approvals. Code is not compared.";

function printTapes({ tapes }: Review, prefix: string): readonly string[] {
  if (tapes.length === 0) return [];
  const rows = tapes.slice(0, MOST_TAPES).map(({ file, tool, change }) => {
    const name = printMarkdownCode(`${prefix}${file}`.slice(-300));
    return printMarkdownRow([name, tool === "" ? "" : printMarkdownCode(tool), escapeMarkdown(change.slice(0, 200))]);
  });
  return [
    `#### Outdated tapes: ${tapes.length}`,
    printMarkdownTable(["tape", "tool", "what changed"], rows),
    ...(tapes.length > MOST_TAPES ? [`… and ${tapes.length - MOST_TAPES} more.`] : []),
    "A replay refuses these calls. Record them again.",
  ];
}
