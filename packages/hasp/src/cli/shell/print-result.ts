import { dropUndefined } from "@hasp/base/json";
import { basename, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { JsonValue } from "@hasp/schema";
import { type Diagnostic, printVisibleText } from "@hasp/base/diagnostics";
import { isWithin, toSlashPath } from "@hasp/project";
import { askPlugin } from "@hasp/project/session";
import {
  type FormatName,
  reportFormats,
  paintPlain,
  type Report,
  type ReportFormat,
  type ReportView,
  sortBySeverity,
} from "@hasp/report";
import {
  type CommandResult,
  type CommonOptions,
  isFailure,
  type OutputRequest,
  findFailureReason,
  refuse,
} from "./command.js";
import { cliDiagnostics } from "./diagnostics.js";
import { isFormat } from "./options.js";
import type { Terminal } from "./terminal.js";

/** Reports a usage error in the requested format. For people, commander has printed it already. */
export async function reportUsage(message: string, words: readonly string[], terminal: Terminal): Promise<void> {
  const [problem = "", ...hints] = message.replace(/^error: /u, "").split("\n");
  const said = problem === "(outputHelp)" ? "No command given." : problem;
  const hint = hints.join(" ").trim();
  await reportTo(
    terminal,
    words,
    cliDiagnostics("usage", undefined, { problem: hint === "" ? said : `${said} ${hint}` }),
  );
}

export async function reportBug(error: unknown, words: readonly string[], terminal: Terminal): Promise<void> {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = stack.split("\n").map(printVisibleText);
  terminal.error(
    `This is a bug in hasp, not in your specs. Nothing was written. Please report it with these lines:\n\n${lines.join("\n")}\n`,
  );
  await reportTo(terminal, words, cliDiagnostics("bug", undefined, { reason: lines[0] ?? "" }));
}

async function reportTo(terminal: Terminal, words: readonly string[], diagnostic: Diagnostic): Promise<void> {
  const format = formatIn(words);
  if (format === "pretty") return;
  const view = { paint: paintPlain, columns: terminal.columns, prefix: "", showsNotes: true };
  terminal.out(await reportText(format, refuse(diagnostic), view));
}

/** Finds the requested format, even if commander could not parse the line. */
function formatIn(words: readonly string[]): FormatName {
  const asked = words.flatMap((word, index) => {
    if (word === "--format") return words[index + 1] ?? [];
    return word.startsWith("--format=") ? word.slice("--format=".length) : [];
  });
  const [last = "pretty"] = asked.slice(-1);
  return Object.hasOwn(reportFormats, last) ? (last as FormatName) : "pretty";
}

const FILE_COLUMNS = 120;

export async function printResult(
  outcome: CommandResult,
  options: CommonOptions,
  folder: string,
  terminal: Terminal,
): Promise<CommandResult> {
  const root = outcome.root ?? folder;
  const view = (format: FormatMarks): ReportView => ({
    paint: terminal.paint,
    columns: terminal.columns,
    prefix: prefixOf(root, format, terminal),
    showsNotes:
      options.verbose === true || (options.failOn ?? []).some((each) => each !== "warning" && each !== "error"),
  });
  const fileView = (format: FormatMarks): ReportView => ({
    ...view(format),
    paint: paintPlain,
    columns: FILE_COLUMNS,
  });
  const config = options.config ?? terminal.environment["HASP_CONFIG"];
  const write: WriteText = (format, printed, textView) =>
    formatReport(format, printed, textView, { root, config: config && basename(config) });
  const withProblems = (problems: readonly Diagnostic[]): CommandResult =>
    problems.length === 0
      ? outcome
      : { ...outcome, diagnostics: [...outcome.diagnostics, ...problems], state: "unchecked" };
  try {
    const final = withProblems(await writeReports({ outcome, options, folder, view: fileView, write }));
    await printOn(terminal, final, options, view(await formatCalled(options.format)), write);
    return final;
  } catch (error) {
    if (!(error instanceof ReporterFailure)) throw error;
    const failed = withProblems(error.findings);
    await printOn(terminal, failed, { ...options, format: "pretty" }, view({}), write);
    return failed;
  }
}

/**
 * Returns the path to the project's root: from the starting folder, so that terminals can link places, or from the root
 * of the checkout for GitHub.
 */
function prefixOf(root: string, { hasCheckoutPaths }: FormatMarks, { folder, environment }: Terminal): string {
  const checkout = environment["GITHUB_WORKSPACE"] ?? "";
  const isForGitHub = hasCheckoutPaths === true && checkout !== "" && isWithin(checkout, root);
  const away = toSlashPath(isForGitHub ? checkout : folder, root);
  return away === "" ? "" : `${away}/`;
}

async function printOn(
  terminal: Terminal,
  outcome: CommandResult,
  options: CommonOptions,
  view: ReportView,
  write: WriteText,
): Promise<void> {
  const isQuiet = options.quiet === true;
  const shown = isQuiet
    ? outcome.diagnostics.filter((diagnostic) => isFailure(diagnostic, options))
    : outcome.diagnostics;
  const text = await write(options.format, { ...outcome, diagnostics: shown }, view);
  if (options.format !== "pretty") {
    terminal.out(text);
    return;
  }
  const reason = findFailureReason(outcome.diagnostics, options);
  if (outcome.product !== undefined) {
    terminal.out(outcome.product);
    terminal.error(text);
    if (!isQuiet && outcome.text !== undefined) terminal.error(outcome.text);
    if (reason !== undefined) terminal.error(`${reason}\n`);
    return;
  }
  terminal.out(text);
  const end = `${isQuiet ? "" : (outcome.text ?? "")}${reason === undefined ? "" : `${reason}\n`}`;
  if (end !== "") terminal.out(text === "" ? end : `\n${end}`);
}

interface ReportWriting {
  readonly outcome: CommandResult;
  readonly options: CommonOptions;
  readonly folder: string;
  view(format: FormatMarks): ReportView;
  readonly write: WriteText;
}

async function writeReports({ outcome, options, folder, view, write }: ReportWriting): Promise<readonly Diagnostic[]> {
  const { output = [] } = options;
  if (output.length === 0) return [];
  const { writeReport } = await import("@hasp/project/output");
  const read = new Set([...(outcome.sources ?? new Map()).keys()].map((uri) => resolve(outcome.root ?? folder, uri)));
  const problems: Diagnostic[] = [];
  for (const request of output) {
    const path = resolve(folder, request.path);
    // A typo must not overwrite a spec.
    if (read.has(path)) problems.push(cliDiagnostics("output-over-source", undefined, { path: request.path }));
    else {
      const format = await formatCalled(request.format);
      const fate = await writeReport(path, await fileText(request, outcome, view(format), write), (start) =>
        isEarlierReport(format, path, start),
      );
      if (fate.state === "occupied") {
        problems.push(cliDiagnostics("output-over-file", undefined, { path: request.path, format: request.format }));
      }
      if (fate.state === "failed") {
        problems.push(cliDiagnostics("cannot-write", undefined, { path: request.path, reason: fate.reason }));
      }
    }
  }
  return problems;
}

async function fileText(
  { format }: OutputRequest,
  outcome: CommandResult,
  view: ReportView,
  write: WriteText,
): Promise<string> {
  const text = await write(format, outcome, view);
  // The command's text is painted for the terminal.
  return format === "pretty"
    ? [text, stripVTControlCharacters(outcome.text ?? "")].filter((part) => part !== "").join("\n")
    : text;
}

/**
 * True if a file is an earlier report, which a new one may replace: by its beginning, or by the name of a text file for
 * formats without a mark.
 */
function isEarlierReport({ start: mark }: FormatMarks, path: string, start: string): boolean {
  return mark?.test(start) ?? /\.(?:txt|log)$/iu.test(path);
}

/** A format without its printer; unknown for plugins. */
type FormatMarks = Omit<ReportFormat, "print">;

async function formatCalled(name: string): Promise<FormatMarks> {
  return isFormat(name) ? reportFormats[name]() : {};
}

type WriteText = (format: string, outcome: CommandResult, view: ReportView) => Promise<string>;

class ReporterFailure extends Error {
  readonly findings: readonly Diagnostic[];

  constructor(findings: readonly Diagnostic[]) {
    super("A reporter failed.");
    this.findings = findings;
  }
}

async function formatReport(
  format: string,
  outcome: CommandResult,
  view: ReportView,
  project: Parameters<typeof askPlugin>[0],
): Promise<string> {
  if (isFormat(format)) return reportText(format, outcome, view);
  const report = JSON.parse(await reportText("json", outcome, view)) as JsonValue;
  const answer = await askPlugin(project, "print", { name: format, report }, (text) =>
    typeof text === "string" ? undefined : "a reporter returns a text.",
  );
  if ("findings" in answer) throw new ReporterFailure(answer.findings);
  return String(answer.value);
}

async function reportText(format: FormatName, outcome: CommandResult, view: ReportView): Promise<string> {
  const { print, describesRules } = await reportFormats[format]();
  const {
    diagnostics,
    repeated,
    sources = new Map(),
    summary = {},
    rules = [],
    comparison,
    data,
    cases,
    state,
  } = outcome;
  const { findEdit } = format === "json" ? await import("./find-edit.js") : {};
  const report: Report = dropUndefined({
    diagnostics: sortBySeverity(diagnostics),
    repeated: repeated && new Set(repeated),
    sources,
    summary,
    rules: describesRules && [...(await import("@hasp/project/built-in")).builtInPlugins.rules, ...rules],
    comparison,
    findEdit: findEdit && ((finding: Diagnostic) => findEdit(finding, sources)),
    data,
    cases,
    couldNotCheck: state === "unchecked",
  });
  return print(report, view);
}
