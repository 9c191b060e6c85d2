import type { Diagnostic, Severity } from "@hasp/base/diagnostics";
import type { JsonObject } from "@hasp/base/json";
import type { ListCost } from "@hasp/compiler/diff";
import type { RuleFacts } from "@hasp/compiler/model";
import type { Paint } from "./paint.js";

export interface TestCase {
  readonly suite: string;
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped";
  readonly message: string;
}

/** A finding of a project, or the same one of several, in the review of a change. */
export interface ReviewedFinding extends Diagnostic {
  readonly projects?: readonly string[];
  /** Who last changed its file, according to git. */
  readonly by?: string;
  /** True if the base has it too. */
  readonly isOld?: true;
}

/** A comparison, besides its findings. */
export interface ComparedCosts {
  readonly costs: readonly ListCost[];
}

export interface Report {
  readonly diagnostics: readonly ReviewedFinding[];
  /** Those that another command prints. Terminals count their warnings, unless all notes are asked for. */
  readonly repeated?: ReadonlySet<Diagnostic>;
  /** The user's files by uri, for code frames. */
  readonly sources: ReadonlyMap<string, string>;
  /** The rules that findings may be of, for a format that describes them. */
  readonly rules?: readonly RuleFacts[];
  /** For formats with headings. */
  readonly comparison?: ComparedCosts;
  /** Counts for programs; the printer adds the counts by severity. */
  readonly summary: JsonObject;
  /** Further top-level keys of the JSON format. */
  readonly data?: JsonObject;
  readonly cases?: readonly TestCase[];
  /** Returns the edit that repairs a finding, for programs. */
  readonly findEdit?: (finding: Diagnostic) => JsonObject | undefined;
  readonly couldNotCheck?: boolean;
}

export interface ReportView {
  readonly paint: Paint;
  readonly columns: number;
  /** The path from the current folder to the project's root, `""` or with a trailing slash. */
  readonly prefix: string;
  /** True if formats for people and code scanning print notes rather than count or omit them. */
  readonly showsNotes: boolean;
}

/** An output format; its file has its name. */
export interface ReportFormat {
  /** Prints a report in which the text of specs stays inert. */
  print(report: Report, view: ReportView): string;
  /** The beginning of every file in this format, if it has a mark. */
  readonly start?: RegExp;
  /** True if it prints what rules ask for, and why. */
  readonly describesRules?: true;
  /** Paths start at the root of the checkout, for GitHub. */
  readonly hasCheckoutPaths?: true;
}

interface SeverityCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

const WORST_FIRST: readonly Severity[] = ["error", "warning", "info"];

/** The code of a claim that nobody has approved. A new project has many, which must not hide its errors. */
export const UNAPPROVED = "ledger/not-approved";

/**
 * Sorts findings by severity, the worst first, and claims that wait for an approval behind others of their severity.
 * Leaves the rest in its order.
 */
export function sortBySeverity<Finding extends Diagnostic>(diagnostics: readonly Finding[]): readonly Finding[] {
  return WORST_FIRST.flatMap((severity) => {
    const same = diagnostics.filter((each) => each.severity === severity);
    return [true, false].flatMap((isOther) => same.filter(({ code }) => (code !== UNAPPROVED) === isOther));
  });
}

export function countSeverities(diagnostics: readonly Diagnostic[]): SeverityCounts {
  const counts = { errors: 0, warnings: 0, infos: 0 };
  for (const { severity } of diagnostics) {
    if (severity === "error") counts.errors += 1;
    else if (severity === "warning") counts.warnings += 1;
    else counts.infos += 1;
  }
  return counts;
}
