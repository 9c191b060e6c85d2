import type { JsonObject, Severity } from "@hasp/schema";
import type { Command } from "commander";
import { groupBy } from "@hasp/base/json";
import type { RuleGroup, RuleFacts } from "@hasp/compiler/model";
import type { Review } from "@hasp/catalogue";
import type { CompileCache } from "@hasp/compiler";
import { type Diagnostic, isError, pluralize } from "@hasp/base/diagnostics";
import { type ComparedCosts, countSeverities, type ReviewedFinding, type TestCase } from "@hasp/report";
import { toSlashPath } from "@hasp/project";
import type { Terminal } from "./terminal.js";

export interface CommonOptions extends FailurePolicy {
  readonly cwd?: string;
  /** Relative to the folder. */
  readonly config?: string;
  /** Relative to the folder. */
  readonly envFile?: string;
  /** A format of hasp's, or the name of a plugin's reporter. */
  readonly format: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly exact?: boolean;
  /** An option of commands that can run for every configuration in and below the folder. */
  readonly all?: boolean;
  readonly output?: readonly OutputRequest[];
}

/** A report for `--output`; the path is relative to the working folder. */
export interface OutputRequest {
  readonly format: string;
  readonly path: string;
}

export interface Invocation<Options = object> {
  /** Words after the command's name; commander has checked their number. */
  readonly words: readonly string[];
  readonly options: CommonOptions & Options;
  /** Absolute path of the working folder: paths on the command line are relative to it. */
  readonly folder: string;
  readonly root: string;
  readonly terminal: Terminal;
  /** When this project or round began, in milliseconds since the program started: 0 where it is the first. */
  readonly startedAt?: number;
  /** Shows interim findings of a running command, and returns them. `main` shows the result of `run`. */
  show(outcome: CommandResult): Promise<CommandResult>;
  /** Shared by several commands of one run. */
  readonly cache?: CompileCache;
}

/** The findings and outcome of a command; `main` shows it and decides the exit code. */
export interface CommandResult {
  readonly diagnostics: readonly ReviewedFinding[];
  /** Those that another command prints, so that terminals only count their warnings. */
  readonly repeated?: readonly Diagnostic[];
  readonly sources?: ReadonlyMap<string, string>;
  readonly root?: string;
  readonly summary?: JsonObject;
  /** Further top-level keys of the JSON format. */
  readonly data?: JsonObject;
  readonly rules?: readonly RuleFacts[];
  /** Costs of a comparison; its findings are among the others. */
  readonly comparison?: ComparedCosts;
  /** A change whose findings do not decide the exit code. */
  readonly review?: Review;
  /** Tests that were run, for formats that list tests. */
  readonly cases?: readonly TestCase[];
  /** Text for people after the findings; on standard error if there is a product. */
  readonly text?: string;
  /** The requested output, such as a schema: alone on standard output; findings then go to standard error. */
  readonly product?: string;
  /** "unchecked" is exit code 2, and "failed" at least 1, whatever the findings. Without it, the findings decide. */
  readonly state?: CommandState;
}

type CommandState = "failed" | "unchecked" | undefined;

/** Returns the result of a command that could not do its work. */
export function refuse(...diagnostics: readonly Diagnostic[]): CommandResult {
  return { diagnostics, state: "unchecked" };
}

/** Says that a build must follow: the command has changed what the generated files are made from. */
export function printNextBuild({ options, folder, terminal }: Invocation): string {
  const place = folder === terminal.folder ? "" : ` --cwd ${toSlashPath(terminal.folder, folder)}`;
  const config = options.config === undefined ? "" : ` --config ${options.config}`;
  return `\nNext: hasp build${place}${config}\n`;
}

/** A command's declaration and implementation. Import working modules in `run` only. */
export interface CommandModule extends CommandJob {
  configure(command: Command): void;
}

export interface CommandJob {
  /** Prints notes without `--verbose`, because they answer the question. */
  readonly showsNotes?: true;
  /** Works without a project, unlike the command without this option. */
  readonly standsAlone?: true;
  /** Returns an exit code if the command has printed everything itself. */
  run(invocation: Invocation): Promise<CommandResult | ExitCode>;
  /** Findings of a run for all configurations that a run for one of them cannot have. */
  findAmongAll?(invocation: Invocation): readonly Diagnostic[];
  /** Adds what follows from the joined result of a run for all configurations. */
  complete?(joined: CommandResult, invocation: Invocation): Promise<CommandResult>;
}

/** 0: clean. 1: findings or drift. 2: could not check. */
export type ExitCode = 0 | 1 | 2;

interface FailurePolicy {
  readonly maxWarnings?: number;
  /** Fail on findings of this severity or worse, or of this group of rules. */
  readonly failOn?: readonly (Severity | RuleGroup)[];
}

/** Chooses the exit code of an outcome. A crashed rule gives 2, because its findings are unknown. */
export function chooseExitCode(
  { diagnostics, state }: Pick<CommandResult, "diagnostics" | "state">,
  policy: FailurePolicy,
): ExitCode {
  if (
    state === "unchecked" ||
    diagnostics.some(({ code }) => code === "check/rule-crashed" || code.startsWith("plugin/")) ||
    isCheckOfNothing(diagnostics)
  ) {
    return 2;
  }
  return state === "failed" ||
    diagnostics.some((diagnostic) => isFailure(diagnostic, policy)) ||
    hasTooManyWarnings(diagnostics, policy)
    ? 1
    : 0;
}

/** Joins what several results report beside findings; the worst state counts. */
export function joinResults(results: readonly CommandResult[]): Omit<CommandResult, "diagnostics"> {
  return {
    sources: new Map(results.flatMap(({ sources = [] }) => [...sources])),
    ...joinComparisons(results),
    cases: results.flatMap(({ cases = [] }) => cases),
    state: (["unchecked", "failed"] as const).find((each) => results.some(({ state }) => state === each)),
  };
}

function joinComparisons(results: readonly CommandResult[]): Pick<CommandResult, "comparison" | "review"> {
  const [comparisons, reviews] = [
    results.flatMap(({ comparison }) => comparison ?? []),
    results.flatMap(({ review }) => review ?? []),
  ];
  const [first] = reviews;
  const costs = comparisons.flatMap((each) => each.costs);
  return {
    ...(comparisons.length === 0 ? {} : { comparison: { costs } }),
    ...(first && {
      review: {
        base: first.base,
        findings: mergeFindings(reviews.flatMap(({ findings }) => findings)),
        costs: reviews.flatMap((each) => each.costs),
        tapes: reviews.flatMap(({ tapes }) => tapes),
        refusals: reviews.flatMap(({ refusals }) => refusals),
      },
    }),
  };
}

/** Merges what several projects find in a file that they share. */
export function mergeFindings(findings: readonly ReviewedFinding[]): readonly ReviewedFinding[] {
  const same = groupBy(findings, (finding) => JSON.stringify({ ...finding, projects: undefined }));
  return [...same.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const projects = [first, ...others].flatMap((each) => each.projects ?? []);
    return others.length === 0 ? [first] : [{ ...first, projects }];
  });
}

/** True if the only finding is an empty tool list. */
function isCheckOfNothing(diagnostics: readonly Diagnostic[]): boolean {
  const errors = diagnostics.filter(isError);
  return errors.length > 0 && errors.every(({ code }) => code === "resolve/no-tools");
}

export function isFailure({ severity, code }: Diagnostic, { failOn = [] }: FailurePolicy): boolean {
  if (severity === "error") return true;
  return failOn.some(
    (each) => each === severity || (each === "info" && severity === "warning") || code.startsWith(`${each}/`),
  );
}

/** Explains why a run without errors fails; `undefined` if it does not. */
export function findFailureReason(diagnostics: readonly Diagnostic[], policy: FailurePolicy): string | undefined {
  const { errors, warnings } = countSeverities(diagnostics);
  if (errors > 0) return undefined;
  const failures = diagnostics.filter((diagnostic) => isFailure(diagnostic, policy)).length;
  if (failures > 0) {
    return `Failed: ${pluralize(failures, "finding")} matched by --fail-on ${(policy.failOn ?? []).join(" --fail-on ")}.`;
  }
  return hasTooManyWarnings(diagnostics, policy)
    ? `Failed: ${pluralize(warnings, "warning")}, and --max-warnings allows ${String(policy.maxWarnings)}.`
    : undefined;
}

function hasTooManyWarnings(diagnostics: readonly Diagnostic[], { maxWarnings }: FailurePolicy): boolean {
  return maxWarnings !== undefined && countSeverities(diagnostics).warnings > maxWarnings;
}
