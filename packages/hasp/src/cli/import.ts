import { basename, dirname, relative, resolve, sep } from "node:path";
import { Argument, InvalidArgumentError } from "commander";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { sortDiagnostics } from "../diagnostics/diagnostic-bag.js";
import { importDiagnostics } from "../importers/diagnostics.js";
import type { ImportKind } from "../importers/index.js";
import { importers } from "../importers/index.js";
import type { ImportedTool } from "../importers/specs/imported-source.js";
import { staysWithin } from "../io/read-inside.js";
import { visibleText } from "../report/visible-text.js";
import type { CommandModule, Invocation, Outcome } from "./command.js";
import { cliDiagnostics } from "./diagnostics.js";
import { editorSchemaPath } from "./editor-schema.js";
import { importSummary } from "./import-summary.js";
import { movedSpecs, nameAtSource, putShared, putSpec, specsGone, type PutSettings, type PutState } from "./put-imported.js";
import { readImportSource } from "./read-import-source.js";

/** The options of `hasp import`. */
export interface ImportOptions {
  readonly out: string;
  readonly only?: readonly string[];
  readonly command?: string;
  readonly url?: string;
  readonly header?: readonly string[];
  readonly env?: readonly string[];
  readonly timeout: number;
  readonly check?: boolean;
  readonly update?: boolean;
  readonly force?: boolean;
}

/** `hasp import <kind> [source]`: one spec per tool of the source. */
export const importTools: CommandModule = {
  configure(command) {
    command
      .addArgument(new Argument("<kind>", "what the source is").choices(Object.keys(importers)))
      .argument("[source]", "the file or module; a server is named by --command or --url")
      .option("--out <folder>", "where the specs go", "specs")
      .option("--only <name...>", "these tools alone, by the source's names; * stands for any characters")
      .option("--command <line>", "mcp: start this server and speak with it over stdio; it is no shell line")
      .option("--url <address>", "mcp: speak with this server over streamable HTTP")
      .option("--header <name=value...>", "mcp: send this with each request to --url; $NAME in the value is read from the environment")
      .option("--env <name...>", "mcp, zod: let the server or module see these variables of the environment")
      .option("--timeout <seconds>", "mcp, zod: so long the server or module may take in all", seconds, 60)
      .option("--check", "write nothing; fail if the source says anything else than when it was imported")
      .option("--update", "take over what the source has changed; your own keys and comments stay")
      .option("--force", "write over specs that are there already");
  },
  run: async (invocation) => runImport(invocation as Invocation<ImportOptions>),
};

async function runImport(invocation: Invocation<ImportOptions>): Promise<Outcome> {
  const { words, options, folder, terminal } = invocation;
  const out = resolve(folder, options.out);
  if (!staysWithin(folder, out)) return { diagnostics: [cliDiagnostics("out-outside", undefined, { out: options.out })], couldNotCheck: true };
  const kind = words[0] as ImportKind;
  const importer = await importers[kind]();
  const read = await readImportSource(importer.reads, invocation);
  if (!("source" in read)) return { ...read, couldNotCheck: true };
  const { source, sources, unread = [] } = read;
  const { only } = options;
  const { value: all, diagnostics: found } = importer.read(only === undefined ? source : { ...source, isWanted: wantedBy(only) });
  const { tools } = all;
  const refused = [...unread.map(({ name }) => name), ...all.refused];
  const diagnostics: Diagnostic[] = [
    ...unread.map(({ name, reason }) => importDiagnostics("unread-tool", undefined, { tool: name, reason }, { tool: name })),
    ...found,
  ];
  if (tools.length === 0 && refused.length === 0) {
    if (only !== undefined && !found.some(({ severity }) => severity === "error")) diagnostics.push(cliDiagnostics("none-matches", undefined, { only }));
    return { diagnostics: sortDiagnostics(diagnostics), sources, text: "", couldNotCheck: true };
  }

  const config = options.config ?? terminal.environment["HASP_CONFIG"];
  const root = config === undefined ? folder : dirname(resolve(folder, config));
  const settings: PutSettings = { out, header: [`yaml-language-server: $schema=${editorSchemaPath(folder, out)}`], options, folder, root, document: source.document, moved: await movedSpecs(kind, out, tools) };
  if (all.shared !== undefined) diagnostics.push(...(await putShared(all.shared, tools, settings)));
  const states: Put[] = [];
  for (let start = 0; start < tools.length; start += AT_ONCE) {
    const some = tools.slice(start, start + AT_ONCE);
    const results = await Promise.all(some.map(async (tool) => ({ tool, ...(await putSpec(tool, settings)) })));
    for (const { tool, state, diagnostics: found } of results) {
      if (state === undefined) refused.push(tool.name);
      else states.push({ tool, state });
      diagnostics.push(...found);
    }
  }
  if (only === undefined) diagnostics.push(...specsGone(source.name, { tools, refused }, settings));

  const { findSpecPaths } = await import("../io/read-project.js");
  const covered = states.length === 0 || options.check === true ? undefined : await findSpecPaths(root, config === undefined ? {} : { config: basename(config) });
  const isUnseen = covered !== undefined && states.some(({ tool }) => !covered.includes(pathFrom(root, settings.moved.get(nameAtSource(tool))?.path ?? resolve(out, tool.fileName))));
  const notes = diagnostics.filter(({ severity }) => severity === "info");
  const shown = options.format === "pretty" ? diagnostics.filter(({ severity }) => severity !== "info") : diagnostics;
  return {
    diagnostics: sortDiagnostics(shown),
    sources,
    summary: { tools: tools.length + unread.length + all.refused.length, imported: states.length, refused },
    text: importSummary(states, refused, {
      out: visibleText(options.out),
      isCheck: options.check === true,
      isUnseen,
      notes: options.format === "pretty" ? notes.length : 0,
      place: folder === terminal.folder ? "" : ` --cwd ${pathFrom(terminal.folder, folder)}`,
    }),
    couldNotCheck: false,
  };
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 3600)) throw new InvalidArgumentError("It must be a number of seconds up to 3600.");
  return value;
}

/** So many specs are written at a time. */
const AT_ONCE = 32;

/** A tool and what became of its spec. */
export interface Put {
  readonly tool: ImportedTool;
  readonly state: PutState;
}

/** Whether one of a tool's names is asked for; `*` stands for any characters. */
function wantedBy(only: readonly string[]): (names: readonly string[]) => boolean {
  const patterns = only.map((text) => text.split("*"));
  return (names) => names.some((name) => patterns.some((parts) => matches(name, parts)));
}

/** Whether the parts stand in the name one after the other, the first at its beginning and the last at its end. */
function matches(name: string, parts: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const next = name.indexOf(part, at);
    if (next === -1) return false;
    at = next + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

function pathFrom(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}
