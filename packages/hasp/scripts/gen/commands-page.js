import { importBuilt, importInner } from "./import-built.js";
import { code, page, table } from "./markdown.js";

/** Prints every command with its words and options, as the command line declares them. */
export async function commandsPage() {
  const { describeProgram } = await importBuilt("hasp", "cli/main.js");
  const { commands } = await importInner("hasp", "cli/commands.ts");
  // Naming every command loads every command; nothing is parsed and nothing runs.
  const program = await describeProgram(
    commands.map(({ name }) => name),
    silent,
    async () => {},
  );
  const help = program.createHelp();
  return page(
    "# The commands",
    "Exit codes: 0 clean, 1 findings or drift, 2 could not check. Findings and products go to standard output, progress to standard " +
      "error; where a product is asked for, such as a schema, the findings go to standard error too. This page is printed from the command line's own help.",
    table(
      ["command", ""],
      program.commands.map((command) => [`[hasp ${command.name()}](#hasp-${command.name()})`, command.description()]),
    ),
    "## Options of every command",
    optionsTable(help, program),
    program.commands.flatMap((command) => commandSection(help, command)),
  );
}

function commandSection(help, command) {
  const words = help
    .visibleArguments(command)
    .map((argument) => [code(argument.name()), help.argumentDescription(argument)]);
  return [
    `## hasp ${command.name()}`,
    command.description(),
    code(help.commandUsage(command)),
    ...(words.length === 0 ? [] : [table(["word", ""], words)]),
    ...(command.options.length === 0 ? [] : [optionsTable(help, command)]),
  ];
}

const optionsTable = (help, command) =>
  table(
    ["option", ""],
    command.options.map((option) => [code(option.flags), help.optionDescription(option)]),
  );

const silent = { out: () => {}, error: () => {} };
