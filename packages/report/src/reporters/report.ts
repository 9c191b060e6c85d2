import type { JsonObject } from "@hasp/schema";
import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { RuleFacts } from "../../../compiler/src/model/plan.js";
import type { Paint } from "./paint.js";

/** One test that was run. */
export interface TestCase {
  readonly suite: string;
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped";
  readonly message: string;
}

/** A part of a report under a heading of its own, such as one list of a comparison. */
export interface ReportSection {
  readonly title: string;
  /** Findings of the report that belong here. */
  readonly diagnostics: readonly Diagnostic[];
  /** The text for an empty list. */
  readonly empty: string;
  /** Facts that are below the findings. */
  readonly lines: readonly string[];
}

/** The output of a command: its findings, and a summary for programs. */
export interface Report {
  readonly diagnostics: readonly Diagnostic[];
  /** The user's files by uri, as they were read; code frames are cut from them. */
  readonly sources: ReadonlyMap<string, string>;
  /** The rules that the project adds to hasp's own. */
  readonly rules?: readonly RuleFacts[];
  /** Parts with headings, for formats that have headings; findings that are in none come first. */
  readonly sections?: readonly ReportSection[];
  /** Counts for programs; the counts by severity are added to it. */
  readonly summary: JsonObject;
  /** Further keys at the top of the JSON format. */
  readonly data?: JsonObject;
  /** The tests of `hasp test`, for formats that list tests. */
  readonly cases?: readonly TestCase[];
  /** The work could not be done at all. */
  readonly couldNotCheck?: boolean;
}

/** The format and the place of a report. */
export interface ReportView {
  readonly paint: Paint;
  readonly columns: number;
  /** From the current folder to the project's root, `""` or with a slash at its end: so that a place can be clicked. */
  readonly prefix: string;
  /** True if the format for people prints notes rather than counts them. */
  readonly showsNotes: boolean;
}

/** One output format: a file of this folder, named like the format. */
export interface ReportFormat {
  /** Turns a report into text. Whatever is in a spec stays inert in it. */
  print(report: Report, view: ReportView): string;
  /** The start of every file in this format. Omitted where the format has no such mark. */
  readonly start?: RegExp;
  /** Set where GitHub reads the paths: there they start at the root of the checkout. */
  readonly hasCheckoutPaths?: true;
}

/** The number of findings of each severity. */
interface SeverityCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

/** Counts the findings by severity. */
export function countSeverities(diagnostics: readonly Diagnostic[]): SeverityCounts {
  const counts = { errors: 0, warnings: 0, infos: 0 };
  for (const { severity } of diagnostics) {
    if (severity === "error") counts.errors += 1;
    else if (severity === "warning") counts.warnings += 1;
    else counts.infos += 1;
  }
  return counts;
}
