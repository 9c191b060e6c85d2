import type { JsonObject } from "@hasp/schema";
import type { Command } from "commander";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import type { CompileCache } from "../../../../compiler/src/context/compile-cache.js";
import type { RuleFacts } from "../../../../compiler/src/model/plan.js";
import type { ReportSection, TestCase } from "../../../../report/src/reporters/report.js";
import type { FailurePolicy } from "./exit-code.js";
import type { Terminal } from "./terminal.js";

/** The options that every command takes. */
export interface CommonOptions extends FailurePolicy {
  /** The folder to work in. */
  readonly cwd?: string;
  /** The configuration file, relative to the folder. */
  readonly config?: string;
  /** A name of hasp's own, or of a plugin's reporter. */
  readonly format: string;
  readonly quiet?: boolean;
  /** Print notes, which are otherwise counted. */
  readonly verbose?: boolean;
  /** Count tokens with a tokenizer instead of estimating. */
  readonly exact?: boolean;
  /** Files that the findings are written to as well. */
  readonly output?: readonly OutputRequest[];
}

/** A report that `--output` asks for; the path is relative to the folder to work in. */
export interface OutputRequest {
  /** A name of hasp's own, or of a plugin's reporter. */
  readonly format: string;
  readonly path: string;
}

/** One run of a command. */
export interface Invocation<Options = object> {
  /** The positional words after the command's name; commander has checked how many there are. */
  readonly words: readonly string[];
  readonly options: CommonOptions & Options;
  /** Absolute path of the folder to work in: paths on the command line are relative to it. */
  readonly folder: string;
  /** Absolute path of the project's root: the folder of the configuration, where there is one. */
  readonly root: string;
  readonly terminal: Terminal;
  /**
   * Shows what was found so far, for a command that keeps running. The result of `run` is shown in any case. Returns what was
   * shown.
   */
  show(outcome: CommandResult): Promise<CommandResult>;
  /** Given where several commands of one run compile the same project. */
  readonly cache?: CompileCache;
}

/** What a command found and made; `main` shows it and decides the exit code. */
export interface CommandResult {
  readonly diagnostics: readonly Diagnostic[];
  /** The user's files by uri, for code frames. */
  readonly sources?: ReadonlyMap<string, string>;
  /** The project's root where it is not the folder to work in. */
  readonly root?: string;
  readonly summary?: JsonObject;
  /** Further keys at the top of the JSON format. */
  readonly data?: JsonObject;
  /** The rules that the project adds to hasp's own. */
  readonly rules?: readonly RuleFacts[];
  /** Findings by heading, for formats that have headings. */
  readonly sections?: readonly ReportSection[];
  /** The tests that were run, for formats that list tests. */
  readonly cases?: readonly TestCase[];
  /** For people, after the findings. */
  readonly text?: string;
  /**
   * What was asked for, such as a schema: alone on standard output, so that it can be piped; findings go to standard
   * error.
   */
  readonly product?: string;
  /** For people, beside a product: on standard error after the findings. */
  readonly aside?: string;
  /** All of it was shown already; nothing is left to print. */
  readonly isShown?: boolean;
  /** The work could not be done at all: exit code 2 whatever was found. */
  readonly couldNotCheck?: boolean;
  /** What was asked for was done, and its answer is no: exit code 1 without a finding. */
  readonly isFailed?: boolean;
  /** Everything was printed while the command ran; nothing is printed at its end. */
  readonly isSaid?: boolean;
}

/** One command: its words and options, and what it does. Modules that do the work are imported in `run`. */
export interface CommandModule {
  /** Its notes answer what was asked for, so that they are printed without `--verbose`. */
  readonly showsNotes?: true;
  /** Declares arguments and options. */
  configure(command: Command): void;
  run(invocation: Invocation): Promise<CommandResult>;
}
