import { Argument, InvalidArgumentError, Option } from "commander";
import { printVisibleText } from "@hasp/base/diagnostics";
import { toSlashPath } from "@hasp/project";
import { CONNECTION_NAME, importers, importTools, type ImportOptions } from "@hasp/import";
import { countImportedClaims } from "../approve/approve-imported.js";
import { isPluginName, pages, parseSeconds } from "../shell/options.js";
import { createConflictQuestions, importSummary } from "../project/import-texts.js";
import { createSession } from "../project/project.js";
import { type CommandModule, type CommandResult, type Invocation } from "../shell/command.js";

export const importCommand: CommandModule = {
  configure(command) {
    command
      .addArgument(
        new Argument("<kind>", "the kind of source, or an importer of a plugin")
          .choices(Object.keys(importers))
          .argParser(importKind),
      )
      .argument(
        "[source]",
        "the file, folder, https address or module; a server is named by --command or --url, a database by --connection-env",
      )
      .option("--out <folder>", "where to put the specs (default: specs in the project's root)")
      .option(
        "--only <name...>",
        "import only these tools, by the source's names; * matches any characters; openapi: also tag:<tag> and method:<method>",
      )
      .option("--except <name...>", "leave these tools out; selected as with --only")
      .option("--prefix <text>", "put this text before the name of every tool")
      .option("--no-outputs", "leave out what the tools return")
      .option("--base-url <address>", "openapi: the service's address, instead of the one in the document")
      .option(
        "--max-pages <count>",
        "openapi: read lists up to this page, if the document shows how they continue",
        pages,
      )
      .addOption(
        new Option(
          "--nullable <reading>",
          'openapi: what "nullable: true" without a "type" means in 3.0: null, or nothing by the letter',
        )
          .choices(["lenient", "strict"])
          .default("lenient"),
      )
      .option(
        "--command <line>",
        "mcp: start this server (no shell is used) and connect over stdio; mcp-list: the server that calls start",
      )
      .option(
        "--url <address>",
        "mcp: connect to this server over Streamable HTTP; mcp-list: the server that calls connect to",
      )
      .option(
        "--header <name=value...>",
        "mcp: send this header to --url; $NAME in the value is read from the environment",
      )
      .option("--env <name...>", "mcp, zod: pass these environment variables to the server or module")
      .option("--connection <name>", "the name of the connection that is added to the configuration", connectionName)
      .option(
        "--connection-env <name>",
        "sql: the environment variable that holds the database's address",
        "DATABASE_URL",
      )
      .option("--schema <name...>", "sql: read these schemas (default: those that the role searches)")
      .option("--writes", "sql: also import tools that insert, update and delete")
      .option("--handlers", "zod: create handlers that call the module's own functions")
      .option("--timeout <seconds>", "mcp, sql, zod: time limit for the source, in seconds", parseSeconds, 60)
      .option("--check", "write nothing; fail if the source has changed since the import")
      .option("--update", "merge the source's changes with your edits, and keep your own keys and comments")
      .addOption(
        new Option("--prefer <side>", "with --update: whose value to take where you and the source both changed it")
          .choices(["ours", "theirs"])
          .implies({ update: true }),
      )
      .option("--force", "overwrite existing specs");
  },
  run: runImport,
};

function importKind(text: string): string {
  if (Object.hasOwn(importers, text) || isPluginName(text)) return text;
  throw new InvalidArgumentError(`Allowed choices are ${Object.keys(importers).join(", ")}.`);
}

function connectionName(text: string): string {
  if (CONNECTION_NAME.test(text)) return text;
  throw new InvalidArgumentError('It must begin with a letter and have only letters, digits, "_" and "-", up to 64.');
}

async function runImport(invocation: Invocation<ImportOptions>): Promise<CommandResult> {
  const { words, options, folder, terminal } = invocation;
  const [kind = "", named] = words;
  terminal.progress.wait("Reading the source");
  const questions = terminal.isInteractive ? createConflictQuestions(terminal) : undefined;
  const { value, diagnostics, texts } = await importTools({
    session: createSession(invocation),
    folder,
    kind,
    named,
    options,
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
