import { relative, resolve, sep } from "node:path";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { ownVersion } from "../io/own-version.js";
import { formats } from "../report/formats.js";
import type { ReportView } from "../report/report.js";
import { countSeverities } from "../report/report.js";
import { visibleText } from "../report/visible-text.js";
import type { CommandModule, CommonOptions, Outcome } from "./command.js";
import { commands } from "./commands.js";
import type { Terminal } from "./terminal.js";
import { processTerminal } from "./terminal.js";

/** 0: clean. 1: findings or drift. 2: could not check. */
export type ExitCode = 0 | 1 | 2;

/** Runs the command line. Never throws: a mistake of ours is printed as one and gives 2. */
export async function main(words: readonly string[], terminal: Terminal = processTerminal()): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  try {
    const program = await describeProgram(words, terminal, async (command, options, positional) => {
      const folder = resolve(terminal.folder, options.cwd ?? ".");
      const outcome = await command.run({ words: positional, options, folder, terminal });
      await printOutcome(outcome, options, folder, terminal);
      exitCode = exitCodeOf(outcome, options);
    });
    await program.parseAsync([...words], { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has printed its message: help that was asked for, or a wrong word on the command line.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    terminal.error(bugReport(error));
    return 2;
  }
}

type Action = (command: CommandModule, options: CommonOptions, positional: readonly string[]) => Promise<void>;

/** The whole command line as commander knows it. Only a command that is named on the line is loaded. */
export async function describeProgram(words: readonly string[], terminal: Terminal, action: Action): Promise<Command> {
  const program = new Command("hasp")
    .description("The fail-closed compiler for agent tools.")
    .exitOverride()
    .showHelpAfterError("(add --help for the options)")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.error(text) })
    .version(ownVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .option("--cwd <folder>", "work in this folder instead of the current one")
    .option("--config <file>", "the configuration file, instead of hasp.config.* in the folder")
    .addOption(
      new Option("--format <name>", "how findings are printed").choices(Object.keys(formats)).default("pretty"),
    )
    .option("--quiet", "print errors only")
    .option("--exact", "count tokens with the tokenizer o200k (install gpt-tokenizer) instead of estimating")
    .option("--max-warnings <count>", "fail if there are more warnings than these", wholeNumber);
  program.addHelpText("after", "\nExit codes: 0 clean, 1 findings or drift, 2 could not check.");

  for (const entry of commands) {
    const command = program.command(entry.name).description(entry.summary);
    if (!words.includes(entry.name)) continue;
    const module = await entry.load();
    module.configure(command);
    command.action(async () => action(module, command.optsWithGlobals<CommonOptions>(), command.args));
  }
  return program;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

async function printOutcome(outcome: Outcome, options: CommonOptions, folder: string, terminal: Terminal): Promise<void> {
  const reporter = await formats[options.format]();
  const isPretty = options.format === "pretty";
  const isQuiet = options.quiet === true;
  const root = outcome.root ?? folder;
  const away = relative(terminal.folder, root).split(sep).join("/");
  const view: ReportView = { paint: terminal.paint, columns: terminal.columns, prefix: away === "" ? "" : `${away}/` };
  const diagnostics = isQuiet ? outcome.diagnostics.filter(({ severity }) => severity === "error") : outcome.diagnostics;
  const text = reporter(
    {
      diagnostics,
      sources: outcome.sources ?? new Map(),
      summary: outcome.summary ?? {},
      ...(outcome.sections === undefined ? {} : { sections: outcome.sections }),
      ...(outcome.data === undefined ? {} : { data: outcome.data }),
      ...(outcome.cases === undefined ? {} : { cases: outcome.cases }),
    },
    view,
  );
  if (isPretty && outcome.product !== undefined) {
    terminal.out(outcome.product);
    terminal.error(text);
    if (!isQuiet && outcome.aside !== undefined) terminal.error(outcome.aside);
    return;
  }
  terminal.out(text);
  if (isPretty && !isQuiet && outcome.text !== undefined) terminal.out(text === "" ? outcome.text : `\n${outcome.text}`);
}

function exitCodeOf(outcome: Outcome, options: CommonOptions): ExitCode {
  if (outcome.couldNotCheck === true) return 2;
  const { errors, warnings } = countSeverities(outcome.diagnostics);
  return errors > 0 || (options.maxWarnings !== undefined && warnings > options.maxWarnings) ? 1 : 0;
}

function bugReport(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = stack.split("\n").map(visibleText).join("\n");
  return `This is a bug in hasp, not in your specs. Nothing was written. Please report it with these lines:\n\n${lines}\n`;
}
