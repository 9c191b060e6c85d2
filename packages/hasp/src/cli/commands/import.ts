import { basename } from "node:path";
import { Argument, InvalidArgumentError, Option } from "commander";
import { type Diagnostic, sortDiagnostics, printVisibleText } from "@hasp/base/diagnostics";
import { toSlashPath } from "@hasp/project";
import { CONNECTION_NAME, importers, type ImportKind } from "@hasp/import";
import { countImportedClaims } from "../approve/approve-imported.js";
import { isPluginName, pages, parseSeconds } from "../shell/options.js";
import { type ForeignRead, readForeignSource } from "../import/foreign-importer.js";
import type { ImportedSpec, ImportOptions } from "../import/put-settings.js";
import { importSource, type ImportOfSource } from "../import/import-source.js";
import { importSummary, writeConnections } from "../import/write-connection.js";
import { readImportSources } from "../import/read-import-source.js";
import { findSpecFolder } from "@hasp/project/session";
import { type CommandModule, type CommandResult, type Invocation, refuse } from "../shell/command.js";

export const importTools: CommandModule = {
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
        new Option("--ours", "with --update: keep your value if you and the source both changed it").implies({
          update: true,
        }),
      )
      .addOption(
        new Option("--theirs", "with --update: take the source's value if you and the source both changed it")
          .implies({ update: true })
          .conflicts("ours"),
      )
      .option("--force", "overwrite existing specs");
  },
  run: async (invocation) => runImport(invocation as Invocation<ImportOptions>),
};

function importKind(text: string): string {
  if (isKind(text) || isPluginName(text)) return text;
  throw new InvalidArgumentError(`Allowed choices are ${Object.keys(importers).join(", ")}.`);
}

function isKind(name: string): name is ImportKind {
  return Object.hasOwn(importers, name);
}

async function readBuiltinSource(
  kind: ImportKind,
  invocation: Invocation<ImportOptions>,
): Promise<ForeignRead | Pick<CommandResult, "diagnostics" | "sources">> {
  const importer = await importers[kind]();
  const reads = await readImportSources(importer.reads, invocation);
  return "length" in reads ? { importer, reads } : reads;
}

function connectionName(text: string): string {
  if (CONNECTION_NAME.test(text)) return text;
  throw new InvalidArgumentError('It must begin with a letter and have only letters, digits, "_" and "-", up to 64.');
}

async function runImport(invocation: Invocation<ImportOptions>): Promise<CommandResult> {
  const { words, options, folder, root, terminal } = invocation;
  const place = findSpecFolder(root, folder, options.out);
  if ("finding" in place) return refuse(place.finding);
  const out = place.path;
  const [kind = ""] = words;
  terminal.progress.wait("Reading the source");
  const read = isKind(kind) ? await readBuiltinSource(kind, invocation) : await readForeignSource(kind, invocation);
  if (!("reads" in read)) return { ...read, state: "unchecked" };
  const { importer, reads } = read;
  const names = new Set(reads.map(({ source }) => source.name));
  const taken = new Set<string>();
  const results: ImportOfSource[] = [];
  for (const read of reads) {
    const result = await importSource(read, { invocation, importer, kind, out, names, taken });
    for (const { tool } of result.states) taken.add(tool.name);
    results.push(result);
  }
  let diagnostics = results.flatMap((result) => result.diagnostics);
  const sources = new Map(reads.flatMap((read) => [...read.sources]));
  const total = results.reduce((sum, result) => sum + result.total, 0);
  if (total === 0) return { diagnostics: sortDiagnostics(diagnostics), sources, text: "", state: "unchecked" };
  const config = options.config ?? terminal.environment["HASP_CONFIG"];
  const connections = await writeConnections(
    results.flatMap((result) => result.connections),
    { root, config: config === undefined ? undefined : basename(config), isCheck: options.check === true },
  );
  diagnostics.push(...connections.diagnostics);
  const states = results.flatMap((result) => result.states);
  const refused = results.flatMap((result) => result.refused);
  const [{ source } = { source: undefined }] = reads;
  const handlers: string[] = [];
  if (options.handlers === true && options.check !== true && kind === "zod" && source !== undefined) {
    const { writeBridges } = await import("../import/write-bridges.js");
    const named = config === undefined ? undefined : basename(config);
    const bridges = await writeBridges(states, source, { root, folder, config: named, module: words[1] ?? "" });
    handlers.push(...bridges.created);
    // Such a handler parses the input with the module's own schema, which checks and changes it.
    const isDone = ({ code, tool = "" }: Diagnostic): boolean => PARSED.has(code) && bridges.bridged.has(tool);
    diagnostics = [...diagnostics.filter((finding) => !isDone(finding)), ...bridges.diagnostics];
  }
  // People get the number of exact translations; programs get each one.
  const isForPeople = options.format === "pretty" && options.output === undefined;
  const shown = isForPeople ? diagnostics.filter(({ severity }) => severity !== "info") : diagnostics;
  const open = options.check === true ? [] : states.filter(({ tool }) => tool.isOpen).map(({ tool }) => tool.name);
  const claims = await countImportedClaims(invocation, open);
  const at = folder === terminal.folder ? "" : ` --cwd ${toSlashPath(terminal.folder, folder)}`;
  const approval = { claims, command: `hasp approve --imported${at}` };
  return {
    diagnostics: sortDiagnostics(shown),
    sources,
    summary: { tools: total, imported: states.length, refused, ...(claims === 0 ? {} : { approval }) },
    text: importSummary(states, refused, {
      out: printVisibleText(toSlashPath(folder, out) || "."),
      isCheck: options.check === true,
      kept: results.flatMap((result) => result.kept),
      isUnseen: options.check !== true && (await isUnseen(states, root, config)),
      connections,
      handlers,
      notes: diagnostics.length - shown.length,
      place: at,
      approval,
    }),
  };
}

const PARSED: ReadonlySet<string> = new Set(["import/refinements", "import/transforms"]);

async function isUnseen(states: readonly ImportedSpec[], root: string, config: string | undefined): Promise<boolean> {
  if (states.length === 0) return false;
  const { findSpecPaths } = await import("@hasp/project/read");
  const paths = await findSpecPaths(root, config === undefined ? {} : { config: basename(config) });
  if (paths === undefined) return false;
  const covered = new Set(paths);
  return states.some(({ path }) => !covered.has(toSlashPath(root, path)));
}
