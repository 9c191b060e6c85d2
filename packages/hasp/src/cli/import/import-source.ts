import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { hasErrors } from "../../../../compiler/src/diagnostics/severity.js";
import type { Importer } from "../../../../import/src/importers/importer.js";
import { importDiagnostics } from "../../../../import/src/importers/source/diagnostics.js";
import type { ImportedConnection } from "../../../../import/src/importers/specs/imported-source.js";
import type { Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { editorSchemaPath } from "../shell/editor-schema.js";
import { conflictQuestions } from "./ask-about-conflicts.js";
import type { ImportOptions } from "./import-options.js";
import { withKnownRefusals } from "./known-refusals.js";
import { mcpConnection } from "./mcp-connection.js";
import { withoutFile, withTool } from "./place-findings.js";
import { putAll } from "./write/put-all.js";
import type { Read as ReadOfSource } from "./read-import-source.js";
import { wantedBy } from "./wanted-names.js";
import { movedSpecs, specsGone } from "./write/moved-specs.js";
import type { ImportedSpec, PutSettings } from "./write/put-settings.js";

export interface ImportOfSource {
  readonly states: readonly ImportedSpec[];
  readonly refused: readonly string[];
  readonly connections: readonly ImportedConnection[];
  readonly diagnostics: readonly Diagnostic[];
  /** The number of wanted tools in the source. */
  readonly total: number;
}

/** Imports one source: reads its tools, and writes or compares their specs. */
export async function importSource(
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
    readonly kind: string;
    readonly out: string;
    readonly names: ReadonlySet<string>;
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
      ...(options.maxPages === undefined ? {} : { maxPages: options.maxPages }),
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
  // Answers of servers and modules are no user's files; findings name the tool and the place in the answer.
  const isFile = importer.reads === "file" && source.address === undefined;
  const located = isFile ? named : named.map(withoutFile(source.document.uri));
  return { states: put.states, refused, connections: imported.connections ?? [], diagnostics: located, total };
}
