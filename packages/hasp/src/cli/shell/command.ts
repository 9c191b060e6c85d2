import type { JsonObject } from "@hasp/schema";
import type { Command } from "commander";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import type { CompileCache } from "../../../../compiler/src/context/compile-cache.js";
import type { RuleFacts } from "../../../../compiler/src/model/plan.js";
import type { ReportSection, TestCase } from "../../../../report/src/reporters/report.js";
import type { FailurePolicy } from "./exit-code.js";
import type { Terminal } from "./terminal.js";

export interface CommonOptions extends FailurePolicy {
  readonly cwd?: string;
  /** Relative to the folder. */
  readonly config?: string;
  /** A format of hasp's, or the name of a plugin's reporter. */
  readonly format: string;
  readonly quiet?: boolean;
  /** Print notes instead of counting them. */
  readonly verbose?: boolean;
  /** Count tokens with a tokenizer instead of estimating. */
  readonly exact?: boolean;
  /** Files that also receive the findings. */
  readonly output?: readonly OutputRequest[];
}

/** A report for `--output`; the path is relative to the working folder. */
export interface OutputRequest {
  /** A format of hasp's, or the name of a plugin's reporter. */
  readonly format: string;
  readonly path: string;
}

export interface Invocation<Options = object> {
  /** Words after the command's name; commander has checked their number. */
  readonly words: readonly string[];
  readonly options: CommonOptions & Options;
  /** Absolute path of the working folder: paths on the command line are relative to it. */
  readonly folder: string;
  /** Absolute path of the project's root. */
  readonly root: string;
  readonly terminal: Terminal;
  /** Shows interim findings of a running command, and returns them. `main` shows the result of `run`. */
  show(outcome: CommandResult): Promise<CommandResult>;
  /** Shared by several commands of one run. */
  readonly cache?: CompileCache;
}

/** The findings and outcome of a command; `main` shows it and decides the exit code. */
export interface CommandResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources?: ReadonlyMap<string, string>;
  /** The project's root if it is not the working folder. */
  readonly root?: string;
  readonly summary?: JsonObject;
  /** Further top-level keys of the JSON format. */
  readonly data?: JsonObject;
  /** The project's own rules. */
  readonly rules?: readonly RuleFacts[];
  /** Findings by heading, for formats with headings. */
  readonly sections?: readonly ReportSection[];
  /** Tests that were run, for formats that list tests. */
  readonly cases?: readonly TestCase[];
  /** Printed for people after the findings. */
  readonly text?: string;
  /** The requested output, such as a schema: alone on standard output; findings then go to standard error. */
  readonly product?: string;
  /** Printed for people on standard error, beside a product. */
  readonly aside?: string;
  /** Everything was printed by `show`. */
  readonly isShown?: boolean;
  /** Exit code 2 regardless of findings. */
  readonly couldNotCheck?: boolean;
  /** Exit code 1 without a finding: the command worked, and its answer is no. */
  readonly isFailed?: boolean;
  /** The command printed everything itself. */
  readonly isSaid?: boolean;
}

/** A command's declaration and implementation. Import working modules in `run` only. */
export interface CommandModule {
  /** Prints notes without `--verbose`, because they answer the question. */
  readonly showsNotes?: true;
  configure(command: Command): void;
  run(invocation: Invocation): Promise<CommandResult>;
}
