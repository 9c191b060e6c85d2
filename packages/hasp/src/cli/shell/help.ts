import { type Command, Help, type HelpConfiguration } from "commander";
import { wrapWords } from "@hasp/report";

/** The width of help in wide terminals and in pipes. */
export const HELP_COLUMNS = 80;

/** The hidden command whose help describes the options of every command. */
export const COMMON_OPTIONS = "options";

interface ListedCommand {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
}

/** Makes help fit one screen: lists the commands by group, and names the options of every command in two lines. */
export function describeHelp(
  commands: readonly ListedCommand[],
  groups: { readonly [group: string]: string },
): HelpConfiguration {
  return {
    formatItem: itemBelow,
    formatHelp(command: Command, helper: Help) {
      const columns = helper.helpWidth ?? HELP_COLUMNS;
      const wrapped = (text: string): string => `${wrapWords(text.split(" "), columns).join("\n")}\n`;
      if (command.parent === null) {
        const list = columns < HELP_COLUMNS ? listBelow(commands, groups, columns) : listBeside(commands, groups);
        return `${wrapped("Usage: hasp <command> [options]")}${list}${wrapped(
          'More: "hasp <command> --help", "hasp help options". Exit codes: 0 clean, 1 findings or drift, 2 could not check.',
        )}`;
      }
      const own = Help.prototype.formatHelp.call(this, command, helper);
      if (command.name() === COMMON_OPTIONS) return own;
      const common = findProgram(command).options.map(({ long }) => long);
      return `${own}\n${wrapped(`Of every command (hasp help options): ${common.join(" ")}`)}`;
    },
  };
}

function findProgram(command: Command): Command {
  return command.parent === null ? command : findProgram(command.parent);
}

function listBeside(commands: readonly ListedCommand[], groups: { readonly [group: string]: string }): string {
  const longest = (words: readonly string[]): number => Math.max(...words.map((word) => word.length));
  const groupWidth = longest(Object.values(groups)) + 2;
  const nameWidth = longest(commands.map(({ name }) => name)) + 2;
  return commands
    .map(({ name, group, summary }, index) => {
      const heading = commands[index - 1]?.group === group ? "" : (groups[group] ?? "");
      return `${heading.padEnd(groupWidth)}${name.padEnd(nameWidth)}${summary}\n`;
    })
    .join("");
}

function listBelow(
  commands: readonly ListedCommand[],
  groups: { readonly [group: string]: string },
  columns: number,
): string {
  const items = Object.entries(groups).map(([group, heading]) => [
    heading,
    ...commands
      .filter((each) => each.group === group)
      .flatMap(({ name, summary }) => [`  ${name}`, ...indent(summary, columns)]),
  ]);
  return `${items.flat().join("\n")}\n`;
}

/** Prints an entry of the help with its description beside it, or below it in a narrow terminal. */
function itemBelow(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? HELP_COLUMNS;
  if (width >= HELP_COLUMNS || description === "") {
    return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
  }
  return [`  ${term}`, ...indent(description, width)].join("\n");
}

function indent(text: string, columns: number): readonly string[] {
  return wrapWords(text.split(" "), columns - 6).map((line) => `      ${line}`);
}
