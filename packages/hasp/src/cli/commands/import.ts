import { mapMembers, toRecord } from "@hasp/base/json";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { printVisibleText } from "@hasp/base/diagnostics";
import { toSlashPath } from "@hasp/project";
import { CONNECTION_NAME, importers, importTools, type ImportKind, type ImportOptions } from "@hasp/import";
import { countImportedClaims } from "../approve/approve-imported.js";
import { isPluginName, pages, parseSeconds } from "../shell/options.js";
import { createConflictQuestions, importSummary } from "../project/import-texts.js";
import { createSession } from "../project/project.js";
import { type CommandResult, type Invocation } from "../shell/command.js";
import { parseConditions } from "../shell/selector.js";
import type { CommandGroup, Verb } from "../shell/verbs.js";

interface SourceWords {
  readonly summary: string;
  /** The words that name the source, such as "<file>"; without any, options name it. */
  readonly source?: string;
  /** Names conditions of `--only` and `--except` beside a tool's name. */
  readonly conditions?: readonly string[];
  /** Declares the options that this source alone takes. */
  readonly configure?: (command: Command) => Command;
}

const LIST = { source: "<file>" };

const SOURCES: { readonly [kind in ImportKind]: SourceWords } = {
  anthropic: { ...LIST, summary: "Import the tools of a list for Anthropic's API, in a file of JSON." },
  gemini: { ...LIST, summary: "Import the tools of a list for the Gemini API, in a file of JSON." },
  mcp: {
    summary: "Import the tools of an MCP server: its address, or the command to start it.",
    source: "<server>",
    configure: declareServer,
  },
  "mcp-list": {
    summary: "Import the answer of an MCP server to tools/list, in a file of JSON.",
    source: "<file> [server]",
    configure: declareServer,
  },
  openai: { ...LIST, summary: "Import the tools of a list for OpenAI's APIs, in a file of JSON." },
  openapi: {
    summary: "Import the operations of OpenAPI documents: a file, folder or https address.",
    source: "<document>",
    conditions: ["tag", "method"],
    configure: (command) =>
      declareConnection(command)
        .option("--url <address>", "the service's address, not the document's")
        .option("--max-pages <count>", "read lists up to this page, if they tell how to go on", pages)
        .addOption(
          new Option("--nullable <reading>", '3.0: does "nullable" need "type"?')
            .choices(["lenient", "strict"])
            .default("lenient"),
        ),
  },
  sql: {
    summary: "Import the tables and views of a Postgres database as tools.",
    configure: (command) =>
      declareConnection(command)
        .addOption(
          new Option("--env <name>", "the variable that holds the database's address")
            .argParser((name) => [name])
            .default(["DATABASE_URL"], "DATABASE_URL"),
        )
        .option("--schema <name...>", "read these schemas (default: the role's own)")
        .option("--writes", "also import tools that insert, update and delete"),
  },
  zod: {
    summary: "Import the tools that a module exports with Zod or another Standard Schema.",
    source: "<module>",
    configure: (command) =>
      command
        .option("--handlers", "create handlers that call the module's own functions")
        .option("--env <name...>", "pass these environment variables to the module"),
  },
};

export const importCommand: CommandGroup = {
  verbs: {
    ...mapMembers(SOURCES, (words, kind) => describeSource(kind, words)),
    plugin: {
      ...describeSource(undefined, { summary: "Import a file that an importer of a plugin reads.", source: "[file]" }),
      isDefault: true,
    },
  },
};

function describeSource(kind: string | undefined, { summary, source, conditions = [], configure }: SourceWords): Verb {
  return {
    summary,
    configure(command) {
      if (kind === undefined) command.addArgument(new Argument("<importer>").argParser(parseImporter));
      // Commander would miss the file before it has judged the importer, which may be a file.
      if (kind === undefined) command.hook("preAction", refuseWithoutFile);
      if (source !== undefined) command.arguments(source);
      declareSharedOptions(configure?.(command) ?? command, conditions);
    },
    run: (invocation) => runImport(invocation as Invocation<ImportOptions>, kind),
  };
}

function declareSharedOptions(command: Command, conditions: readonly string[]): void {
  const what = ["get_*", ...conditions.map((each) => `${each}:<${each}>`)].join(", ");
  const others = toRecord(conditions, (each) => `<${each}>`);
  const parse = parseConditions({ tool: "<name>", ...others }, "tool");
  command
    .addOption(new Option("--only <what...>", `these tools only: ${what}`).argParser(parse))
    .addOption(new Option("--except <what...>", "not these tools; one that matches is enough").argParser(parse))
    .option("--prefix <text>", "put this before the name of every tool")
    .option("--no-outputs", "leave out what the tools return")
    .option("--out <folder>", "where to put the specs (default: specs)")
    .option("--check", "write nothing; fail if the source has changed")
    .option("--update", "merge the source's changes with your edits")
    .addOption(new Option("--prefer <side>", "at conflicts").choices(["ours", "theirs"]).implies({ update: true }))
    .option("--force", "overwrite existing specs")
    .option("--timeout <seconds>", "time limit for the source", parseSeconds, 60);
}

function declareServer(command: Command): Command {
  return declareConnection(command)
    .option("--header <name=value...>", "send this header; $NAME comes from the environment")
    .option("--env <name...>", "pass these environment variables to the command");
}

function declareConnection(command: Command): Command {
  return command.option("--connection <name>", "the connection's name in the configuration", connectionName);
}

function refuseWithoutFile(command: Command): void {
  if (command.args.length < 2) command.error("error: missing required argument 'file'");
}

function parseImporter(text: string): string {
  if (isPluginName(text)) return text;
  throw new InvalidArgumentError(`Allowed choices are ${Object.keys(importers).join(", ")}.`);
}

function connectionName(text: string): string {
  if (CONNECTION_NAME.test(text)) return text;
  throw new InvalidArgumentError('It must begin with a letter and have only letters, digits, "_" and "-", up to 64.');
}

async function runImport(invocation: Invocation<ImportOptions>, known?: string): Promise<CommandResult> {
  const { words, options, folder, terminal } = invocation;
  const [kind = "", ...sources] = known === undefined ? words : [known, ...words];
  const [named, server] = kind === "mcp" ? [undefined, ...sources] : sources;
  terminal.progress.wait("Reading the source");
  const questions = terminal.isInteractive ? createConflictQuestions(terminal) : undefined;
  const { value, diagnostics, texts } = await importTools({
    session: createSession(invocation),
    folder,
    kind,
    named,
    options: { ...options, server },
    onReading: (what) => {
      if (options.quiet !== true) terminal.error(`Reading ${printVisibleText(what)}\n`);
    },
    ask: questions?.ask,
  });
  questions?.end();
  if (value === undefined) return { diagnostics, sources: texts, state: "unchecked" };
  const { states, refused, total } = value;
  // People get the number of exact translations; programs get each one.
  const isForPeople = options.format === "pretty" && options.output === undefined;
  const shown = isForPeople ? diagnostics.filter(({ severity }) => severity !== "info") : diagnostics;
  const open = options.check === true ? [] : states.filter(({ tool }) => tool.isOpen).map(({ tool }) => tool.name);
  const claims = await countImportedClaims(invocation, open);
  const at = folder === terminal.folder ? "" : ` --cwd ${toSlashPath(terminal.folder, folder)}`;
  const approval = { claims, command: `hasp approve --imported${at}` };
  return {
    diagnostics: shown,
    sources: texts,
    summary: { tools: total, imported: states.length, refused, ...(claims === 0 ? {} : { approval }) },
    text: importSummary(value, {
      out: printVisibleText(toSlashPath(folder, value.out) || "."),
      isCheck: options.check === true,
      notes: diagnostics.length - shown.length,
      place: at,
      approval,
      environment: terminal.environment,
    }),
  };
}
