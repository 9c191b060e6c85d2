import { resolve } from "node:path";
import { Command, CommanderError } from "commander";
import { projectDiagnostics } from "@hasp/project/read";
import { isFolder, readOwnVersion } from "@hasp/project";
import {
  type CommandJob,
  type CommandModule,
  type CommandResult,
  type CommonOptions,
  type ExitCode,
  chooseExitCode,
  refuse,
} from "./shell/command.js";
import { commands, GROUPS } from "./commands.js";
import { enterProject } from "./project/enter-project.js";
import { runAll } from "./project/run-all.js";
import { COMMON_OPTIONS, describeHelp, HELP_COLUMNS } from "./shell/help.js";
import { addCommonOptions, readEnvFile } from "./shell/options.js";
import { printResult, reportBug, reportUsage } from "./shell/print-result.js";
import { type Terminal, createProcessTerminal } from "./shell/terminal.js";

export type { ExitCode } from "./shell/command.js";

/** Runs the command line. Never throws: prints our own mistakes as bugs and returns 2. */
export async function main(words: readonly string[], terminal: Terminal = createProcessTerminal()): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  let refusal = "";
  const printed = { ...terminal, error: (text: string) => void (refusal += text) };
  try {
    const program = await describeProgram(words, printed, async (command, options, positional, standsAlone) => {
      const folder = resolve(terminal.folder, options.cwd ?? ".");
      const shown = command.showsNotes === true ? { ...options, verbose: true } : options;
      const show = (outcome: CommandResult): Promise<CommandResult> => printResult(outcome, shown, folder, terminal);
      const run = async (): Promise<CommandResult | ExitCode> => {
        if (!isFolder(folder)) return refuse(projectDiagnostics("no-project", undefined, { root: folder }));
        if (options.envFile !== undefined) {
          const read = await readEnvFile(folder, options.envFile);
          if ("finding" in read) return refuse(read.finding);
          terminal.define(read.variables);
        }
        const common = { words: positional, options, folder, terminal, show };
        if (options.all === true) return runAll(command, { ...common, root: folder });
        const found = standsAlone ? { root: folder } : enterProject(common);
        if ("finding" in found) return refuse(found.finding);
        return command.run({ ...common, root: found.root });
      };
      const outcome = await run();
      exitCode = typeof outcome === "number" ? outcome : chooseExitCode(await show(outcome), options);
    });
    await program.parseAsync([...words], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) await reportBug(error, words, terminal);
    // Commander has printed the help.
    else if (error.exitCode === 0) return 0;
    else {
      const { describeRenamed } = await import("./renamed.js");
      const renamed = describeRenamed(error.message, words);
      terminal.error(renamed === undefined ? refusal : `error: ${renamed}\n`);
      await reportUsage(renamed ?? error.message, words, terminal);
    }
    return 2;
  } finally {
    terminal.progress.end();
  }
}

type Action = (
  command: CommandJob,
  options: CommonOptions,
  positional: readonly string[],
  standsAlone: boolean,
) => Promise<void>;

/** Describes the whole command line to commander. Loads only the command that the line names. */
export async function describeProgram(
  words: readonly string[],
  terminal: Pick<Terminal, "out" | "error"> & Partial<Pick<Terminal, "columns">>,
  action: Action,
): Promise<Command> {
  const helpWidth = Math.min(terminal.columns ?? HELP_COLUMNS, HELP_COLUMNS);
  const program = new Command("hasp")
    .description("The fail-closed compiler for agent tools.")
    .exitOverride()
    .showHelpAfterError("(add --help for the options)")
    .configureHelp(describeHelp(commands, GROUPS))
    .configureOutput({
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.error(text),
    })
    .version(readOwnVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help");
  addCommonOptions(program);
  const common = program.command(COMMON_OPTIONS, { hidden: true }).description("The options that every command takes.");
  addCommonOptions(common.action(() => common.help()));

  for (const entry of commands) {
    for (const name of [entry.name, ...(entry.aliases ?? [])]) {
      const command = program.command(name, { hidden: name !== entry.name }).description(entry.summary);
      if (!words.includes(name)) continue;
      const module = await entry.load();
      const addJob = (own: Command, each: CommandModule): void => {
        each.configure(own);
        own.action(async () => {
          const options = own.optsWithGlobals<CommonOptions>();
          const job = Object.entries(entry.jobs ?? {}).find(([option]) => Object.hasOwn(options, option));
          const chosen: CommandJob = (await job?.[1]()) ?? each;
          await action(chosen, options, own.args, entry.standsAlone ?? chosen.standsAlone ?? false);
        });
      };
      if ("run" in module) addJob(command, module);
      else {
        for (const [verb, { summary, isDefault = false, ...each }] of Object.entries(module.verbs)) {
          addJob(command.command(verb, { isDefault }).description(summary), each);
        }
      }
    }
  }
  return program;
}
