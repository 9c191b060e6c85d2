import { basename } from "node:path";
import { Argument, Option } from "commander";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { sortDiagnostics } from "../../diagnostics/diagnostic-bag.js";
import { hasErrors } from "../../diagnostics/severity.js";
import { importDiagnostics } from "../../importers/source/diagnostics.js";
import type { Importer } from "../../importers/importer.js";
import type { ImportKind } from "../../importers/index.js";
import { importers } from "../../importers/index.js";
import type { ImportedConnection, ImportedSource, ImportedTool } from "../../importers/specs/imported-source.js";
import type { LoadedDocument } from "../../model/document.js";
import { ownMember } from "../../model/own.js";
import { slashPath } from "../../host/fs/slash-path.js";
import { visibleText } from "../../reporters/visible-text.js";
import { seconds } from "../shell/options.js";
import type { OnProgress } from "../../diagnostics/progress.js";
import type { CommandModule, Invocation, CommandResult } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { editorSchemaPath } from "../shell/editor-schema.js";
import { conflictQuestions } from "../import/ask-about-conflicts.js";
import { withKnownRefusals } from "../import/known-refusals.js";
import { importSummary } from "../import/import-summary.js";
import {
  movedSpecs,
  putShared,
  putSpec,
  specsGone,
  type PutSettings,
  type ImportedSpec,
} from "../import/write-imported-specs.js";
import type { ImportOptions } from "../import/import-options.js";
import { mcpConnection } from "../import/mcp-connection.js";
import { readImportSources, type Read as ReadOfSource } from "../import/read-import-source.js";
import { specFolder } from "../project/spec-folder.js";
import { writeConnections } from "../import/write-connection.js";
import { wantedBy } from "../import/wanted-names.js";

/** `hasp import <kind> [source]`: one spec per tool of the source. */
export const importTools: CommandModule = {
  configure(command) {
    command
      .addArgument(new Argument("<kind>", "what the source is").choices(Object.keys(importers)))
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
        "--command <line>",
        "mcp: start this server and connect over stdio; not a shell command; mcp-list: what calls start",
      )
      .option("--url <address>", "mcp: connect to this server over streamable HTTP; mcp-list: what calls connect to")
      .option(
        "--header <name=value...>",
        "mcp: send this header to --url; $NAME in the value is read from the environment",
      )
      .option("--env <name...>", "mcp, zod: pass these environment variables to the server or module")
      .option("--connection <name>", "the name of the connection that is added to the configuration")
      .option(
        "--connection-env <name>",
        "sql: the environment variable that holds the database's address",
        "DATABASE_URL",
      )
      .option("--schema <name...>", "sql: read these schemas (default: those that the role searches)")
      .option("--writes", "sql: also import tools that insert, update and delete")
      .option("--timeout <seconds>", "mcp, sql, zod: time limit for the source, in seconds", seconds, 60)
      .option("--check", "write nothing; fail if the source has changed since the import")
      .option("--update", "merge the source's changes with your edits, and keep your own keys and comments")
      .addOption(
        new Option("--ours", "with --update: keep your text where you and the source changed the same value").implies({
          update: true,
        }),
      )
      .addOption(
        new Option("--theirs", "with --update: take the source's text where you and the source changed the same value")
          .implies({ update: true })
          .conflicts("ours"),
      )
      .option("--force", "overwrite existing specs");
  },
  run: async (invocation) => runImport(invocation as Invocation<ImportOptions>),
};

async function runImport(invocation: Invocation<ImportOptions>): Promise<CommandResult> {
  const { words, options, folder, root, terminal } = invocation;
  const place = specFolder(root, folder, options.out);
  if ("finding" in place) return { diagnostics: [place.finding], couldNotCheck: true };
  const out = place.path;
  const kind = words[0] as ImportKind;
  terminal.progress.report("Reading the source");
  const importer = await importers[kind]();
  const reads = await readImportSources(importer.reads, invocation);
  if (!("length" in reads)) return { ...reads, couldNotCheck: true };
  const names = new Set(reads.map(({ source }) => source.name));
  const taken = new Set<string>();
  const results: ImportOfSource[] = [];
  for (const read of reads) {
    const result = await importSource(read, { invocation, importer, kind, out, names, taken });
    for (const { tool } of result.states) taken.add(tool.name);
    results.push(result);
  }
  const diagnostics = results.flatMap((result) => result.diagnostics);
  const sources = new Map(reads.flatMap((read) => [...read.sources]));
  const total = results.reduce((sum, result) => sum + result.total, 0);
  if (total === 0) return { diagnostics: sortDiagnostics(diagnostics), sources, text: "", couldNotCheck: true };
  const config = options.config ?? terminal.environment["HASP_CONFIG"];
  const connections = await writeConnections(
    results.flatMap((result) => result.connections),
    { root, config: config === undefined ? undefined : basename(config), isCheck: options.check === true },
  );
  diagnostics.push(...connections.diagnostics);
  const states = results.flatMap((result) => result.states);
  const refused = results.flatMap((result) => result.refused);
  // A person is told how many exact translations there were; programs are given each.
  const isForPeople = options.format === "pretty" && options.output === undefined;
  const shown = isForPeople ? diagnostics.filter(({ severity }) => severity !== "info") : diagnostics;
  return {
    diagnostics: sortDiagnostics(shown),
    sources,
    summary: { tools: total, imported: states.length, refused },
    text: importSummary(states, refused, {
      out: visibleText(slashPath(folder, out) || "."),
      isCheck: options.check === true,
      isUnseen: options.check !== true && (await isUnseen(states, root, config)),
      connections,
      notes: diagnostics.length - shown.length,
      place: folder === terminal.folder ? "" : ` --cwd ${slashPath(terminal.folder, folder)}`,
    }),
  };
}

/** What one source came to. */
interface ImportOfSource {
  readonly states: readonly ImportedSpec[];
  readonly refused: readonly string[];
  readonly connections: readonly ImportedConnection[];
  readonly diagnostics: readonly Diagnostic[];
  /** How many tools it lists, of those that are wanted. */
  readonly total: number;
}

async function importSource(
  read: ReadOfSource,
  {
    invocation,
    importer,
    kind,
    out,
    names,
    taken,
  }: {
    readonly invocation: Invocation<ImportOptions>;
    readonly importer: Importer;
    readonly kind: ImportKind;
    readonly out: string;
    /** The names of all sources of this import. */
    readonly names: ReadonlySet<string>;
    /** The tools of the sources before. */
    readonly taken: ReadonlySet<string>;
  },
): Promise<ImportOfSource> {
  const { options, folder, root, terminal } = invocation;
  const { only, except } = options;
  const server = mcpConnection(options);
  const isPartial = only !== undefined || except !== undefined;
  const isWanted = isPartial ? wantedBy({ only, except }) : undefined;
  const source = {
    ...read.source,
    ...(isWanted === undefined ? {} : { isWanted }),
    settings: {
      ...(options.prefix === undefined ? {} : { prefix: options.prefix }),
      ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
      ...(options.connection === undefined ? {} : { connectionName: options.connection }),
      ...(server.settings === undefined ? {} : { server: server.settings }),
      withoutOutputs: !options.outputs,
    },
  };
  const unread = (read.unread ?? []).filter(({ name }) => isWanted?.([name]) !== false);
  terminal.progress.report("Importing tools");
  const { value: imported, diagnostics: found } = importer.read(source);
  const tools = imported.tools.filter(({ name }) => !taken.has(name));
  const doubles = imported.tools.filter(({ name }) => taken.has(name));
  const diagnostics = [
    ...doubles.map((tool) =>
      importDiagnostics("name-taken", tool.locate(), { tool: tool.name, source: source.name }, { tool: tool.name }),
    ),
    ...server.diagnostics,
    ...unread.map(({ name, reason }) =>
      importDiagnostics("unread-tool", undefined, { tool: name, reason }, { tool: name }),
    ),
    ...(options.check === true && tools.length > 0 ? withKnownRefusals(found, { out, prefix: options.prefix }) : found),
  ];
  const total = imported.tools.length + imported.refused.length + unread.length;
  if (total === 0) {
    if (isPartial && !hasErrors(found)) {
      diagnostics.push(
        only === undefined
          ? cliDiagnostics("none-matches", undefined, { variant: "except", except: (except ?? []).join(" ") })
          : cliDiagnostics("none-matches", undefined, { variant: "only", only: only.join(" ") }),
      );
    }
    return { diagnostics, states: [], refused: [], connections: [], total };
  }

  const header = [`yaml-language-server: $schema=${editorSchemaPath(root, out)}`];
  const settings: PutSettings = {
    out,
    header,
    options,
    folder,
    root,
    document: source.document,
    moved: new Map(
      [...(await movedSpecs(kind, out, tools))].filter(
        ([, spec]) => spec.source === source.name || !names.has(spec.source),
      ),
    ),
  };
  const questions = terminal.isInteractive ? conflictQuestions(terminal) : undefined;
  const put = await putAll(
    { ...imported, tools },
    questions === undefined ? settings : { ...settings, ask: questions.ask },
    terminal.progress.report,
  );
  questions?.end();
  diagnostics.push(...put.diagnostics);
  const refused = [
    ...unread.map(({ name }) => name),
    ...imported.refused,
    ...doubles.map(({ name }) => name),
    ...put.refused,
  ];
  if (!isPartial) diagnostics.push(...specsGone(source.name, { tools, refused }, settings));

  const named = diagnostics.map(withTool(source.document, tools));
  // What a server or a module answered is in no file of the user's; findings name the tool and the place in the answer.
  const isFile = importer.reads === "file" && source.address === undefined;
  const located = isFile ? named : named.map(withoutFile(source.document.uri));
  return { states: put.states, refused, connections: imported.connections ?? [], diagnostics: located, total };
}

/** Names the tool in whose entry of the source a finding stands. */
function withTool(
  { uri, value }: LoadedDocument,
  tools: readonly ImportedTool[],
): (diagnostic: Diagnostic) => Diagnostic {
  const places = tools.map((tool) => ({ name: tool.name, location: tool.locate() }));
  return (diagnostic) => {
    const { tool, location } = diagnostic;
    if (tool !== undefined || location?.uri !== uri) return diagnostic;
    const found = places.find(
      (place) => place.location.uri === uri && `${location.pointer}/`.startsWith(`${place.location.pointer}/`),
    );
    const [, list = "", index = ""] = location.pointer.split("/");
    const entries = ownMember(value, list);
    const name =
      found?.name ?? (Array.isArray(entries) ? ownMember(entries[Number(index)] ?? null, "name") : undefined);
    return typeof name === "string" ? { ...diagnostic, tool: name } : diagnostic;
  };
}

/** A finding about a document that is no file, with its place in words. */
function withoutFile(uri: string): (diagnostic: Diagnostic) => Diagnostic {
  return (diagnostic) => {
    const { location, related: _related, tool, message, ...others } = diagnostic;
    if (location?.uri !== uri) return diagnostic;
    const place = [
      ...(tool === undefined ? [] : [`tool "${tool}"`]),
      ...(location.pointer === "" ? [] : [location.pointer]),
    ];
    const prefix = place.length === 0 ? "" : `${place.join(", ")}: `;
    return { ...others, ...(tool === undefined ? {} : { tool }), message: `${prefix}${message}` };
  };
}

/** Writes the definitions and then the specs, or compares them with those that are there. */
async function putAll(
  { tools, shared }: ImportedSource,
  settings: PutSettings,
  onProgress: OnProgress,
): Promise<{
  readonly states: readonly ImportedSpec[];
  readonly refused: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const diagnostics: Diagnostic[] = shared === undefined ? [] : [...(await putShared(shared, tools, settings))];
  const states: ImportedSpec[] = [];
  const refused: string[] = [];
  for (let start = 0; start < tools.length; start += AT_ONCE) {
    const some = tools.slice(start, start + AT_ONCE);
    onProgress("Writing specs", start, tools.length);
    const results = await Promise.all(some.map(async (tool) => ({ tool, ...(await putSpec(tool, settings)) })));
    for (const { tool, state, path, diagnostics: found } of results) {
      if (state === undefined) refused.push(tool.name);
      else states.push({ tool, state, path });
      diagnostics.push(...found);
    }
  }
  return { states, refused, diagnostics };
}

/** Whether the configuration does not cover one of the specs, so that no build sees it. */
async function isUnseen(states: readonly ImportedSpec[], root: string, config: string | undefined): Promise<boolean> {
  if (states.length === 0) return false;
  const { findSpecPaths } = await import("../../host/project/read-project.js");
  const paths = await findSpecPaths(root, config === undefined ? {} : { config: basename(config) });
  if (paths === undefined) return false;
  const covered = new Set(paths);
  return states.some(({ path }) => !covered.has(slashPath(root, path)));
}

/** So many specs are written at a time. */
const AT_ONCE = 32;
