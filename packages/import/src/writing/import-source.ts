import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject } from "@hasp/schema";
import { isPrivateHost } from "@hasp/compiler/handlers";
import { findSecret } from "@hasp/compiler/model";
import { type Diagnostic, hasErrors } from "@hasp/base/diagnostics";
import type { LoadedDocument } from "@hasp/compiler/model";
import { dropUndefined, readOwnMember } from "@hasp/base/json";
import { matchesPattern } from "@hasp/runtime/contract";
import { toWarnings } from "../importers/translation/definition-stock.js";
import type { ImportedConnection, ImportedTool, Importer } from "../importers/source/importer.js";
import { importDiagnostics } from "../importers/source/diagnostics.js";
import { createToolName } from "../importers/specs/names.js";
import { splitCommand } from "../sources/split-command.js";
import { findEditorSchemaPath } from "@hasp/project/session";
import { findMovedSpecs, findSpecsGone } from "./import-records.js";
import { keepBuildable } from "./keep-buildable.js";
import type { ImportOptions, ImportRequest, ToolConditions } from "../sources/import-request.js";
import { isWebAddress } from "../sources/read-import-source.js";
import type { ImportedSpec, PutSettings } from "./put-settings.js";
import { sourceDiagnostics } from "../sources/source-diagnostics.js";
import { putAll } from "./put-specs.js";
import type { Read as ReadOfSource } from "../sources/read-import-source.js";

/**
 * Reports import failures of tools without a spec as warnings: in a comparison with an earlier import they are nothing
 * new. A tool with a spec that can no longer be read stays an error.
 */
function withKnownRefusals(
  found: readonly Diagnostic[],
  { out, prefix = "" }: { readonly out: string; readonly prefix?: string | undefined },
): readonly Diagnostic[] {
  return found.flatMap((diagnostic) => {
    const { tool } = diagnostic;
    const hasSpec = tool !== undefined && existsSync(resolve(out, `${createToolName(prefix + tool)}.tool.yaml`));
    return hasSpec ? [diagnostic] : toWarnings([diagnostic]);
  });
}

interface McpSettings {
  readonly settings: JsonObject | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the connection to a server, with `--env` or `--header`. Secrets stay in the environment. */
function mcpConnection({ server, env = [], header = [] }: Partial<ImportOptions>): McpSettings {
  if (server === undefined) return { settings: undefined, diagnostics: [] };
  if (findSecret(server) !== undefined) {
    return { settings: undefined, diagnostics: [importDiagnostics("secret-in-source", undefined)] };
  }
  if (!isWebAddress(server)) {
    const settings = { command: [...(splitCommand(server) ?? [])], ...(env.length === 0 ? {} : { env: [...env] }) };
    return { settings, diagnostics: [] };
  }
  const diagnostics: Diagnostic[] = [];
  const address = new URL(server);
  if (address.username !== "" || address.search !== "") {
    diagnostics.push(importDiagnostics("address-cut", undefined, { part: address.search === "" ? "user" : "query" }));
  }
  const headers: { [name: string]: JsonObject } = {};
  let auth: JsonObject | undefined;
  for (const text of header) {
    const [, name = "", value = ""] = /^([^=\s]+)=(.*)$/u.exec(text) ?? [];
    const [, scheme = "", variable] = /^(Bearer +)?\$([A-Za-z_][A-Za-z0-9_]*)$/u.exec(value) ?? [];
    if (variable === undefined) diagnostics.push(importDiagnostics("header-left-out", undefined, { header: name }));
    else if (scheme === "") headers[name] = { env: variable };
    else if (name.toLowerCase() === "authorization") auth = { bearer: { env: variable } };
    else diagnostics.push(importDiagnostics("header-left-out", undefined, { header: name }));
  }
  const settings: JsonObject = {
    url: `${address.origin}${address.pathname === "/" ? "" : address.pathname}`,
    ...(isPrivateHost(server) ? { allowPrivateAddresses: true } : {}),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...dropUndefined({ auth }),
  };
  return { settings, diagnostics };
}

/** Selects tools: every property of `only` matches, and none of `except`. `*` stands for any characters. */
function wantedBy({ only = {}, except = {} }: ImportOptions): (names: readonly string[]) => boolean {
  return (names) => {
    const matches = (patterns: readonly string[]): boolean =>
      names.some((name) => patterns.some((pattern) => matchesPattern(pattern, name)));
    return listPatterns(only).every(matches) && !listPatterns(except).some(matches);
  };
}

/** Lists the patterns of each property, in the words of a source. */
function listPatterns(conditions: ToolConditions): readonly (readonly string[])[] {
  return Object.entries(conditions).map(([property, patterns = []]) =>
    property === "tool" ? patterns : patterns.map((pattern) => `${property}:${pattern}`),
  );
}

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
    const entries = readOwnMember(value, list);
    const name =
      found?.name ?? (Array.isArray(entries) ? readOwnMember(entries[Number(index)] ?? null, "name") : undefined);
    return typeof name === "string" ? { ...diagnostic, tool: name } : diagnostic;
  };
}

function withoutFile(uri: string): (diagnostic: Diagnostic) => Diagnostic {
  return (diagnostic) => {
    const { location, related: _related, tool, message, ...others } = diagnostic;
    if (location?.uri !== uri) return diagnostic;
    const place = [
      ...(tool === undefined ? [] : [`tool "${tool}"`]),
      ...(location.pointer === "" ? [] : [location.pointer]),
    ];
    const prefix = place.length === 0 ? "" : `${place.join(", ")}: `;
    return { ...others, ...dropUndefined({ tool }), message: `${prefix}${message}` };
  };
}

export interface ImportOfSource {
  readonly states: readonly ImportedSpec[];
  readonly refused: readonly string[];
  /** Those refused tools whose specs stay as they were. */
  readonly kept: readonly string[];
  readonly connections: readonly ImportedConnection[];
  readonly diagnostics: readonly Diagnostic[];
  readonly total: number;
}

export async function importSource(
  read: ReadOfSource,
  {
    request,
    importer,
    out,
    names,
    taken,
  }: {
    readonly request: ImportRequest;
    readonly importer: Importer;
    readonly out: string;
    readonly names: ReadonlySet<string>;
    readonly taken: ReadonlySet<string>;
  },
): Promise<ImportOfSource> {
  const { session, kind, options, folder, ask } = request;
  const { root, config } = session;
  const { only, except } = options;
  const isOfApi = kind === "openapi";
  const server = mcpConnection(isOfApi ? {} : options);
  const isPartial = only !== undefined || except !== undefined;
  const isWanted = isPartial ? wantedBy(options) : undefined;
  const source = {
    ...read.source,
    isWanted,
    settings: {
      prefix: options.prefix,
      baseUrl: isOfApi ? options.url : undefined,
      nullable: options.nullable ?? "lenient",
      maxPages: options.maxPages,
      connectionName: options.connection,
      server: server.settings,
      withoutOutputs: !options.outputs,
    },
  };
  const unread = (read.unread ?? []).filter(({ name }) => isWanted?.([name]) !== false);
  session.onProgress("Importing tools");
  const { value: whole, diagnostics: findings } = importer.read(source);
  const doubles = whole.tools.filter(({ name }) => taken.has(name));
  const moved = new Map(
    [...(await findMovedSpecs(kind, out, whole.tools))].filter(
      ([, spec]) => spec.source === source.name || !names.has(spec.source),
    ),
  );
  const { value: imported, diagnostics: found } = await keepBuildable(
    { value: { ...whole, tools: whole.tools.filter(({ name }) => !taken.has(name)) }, diagnostics: findings },
    { root, config, out, kind, source: source.name, moved },
  );
  const { tools } = imported;
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
  const total = whole.tools.length + whole.refused.length + unread.length;
  if (total === 0) {
    if (isPartial && !hasErrors(found)) {
      const [variant, conditions] =
        only === undefined ? (["except", except ?? {}] as const) : (["only", only] as const);
      const patterns = listPatterns(conditions).flat().join(" ");
      diagnostics.push(sourceDiagnostics("none-matches", undefined, { variant, patterns }));
    }
    return { diagnostics, states: [], refused: [], kept: [], connections: [], total };
  }

  const header = [`yaml-language-server: $schema=${findEditorSchemaPath(root, out)}`];
  const settings: PutSettings = {
    out,
    header,
    options,
    folder,
    root,
    document: source.document,
    moved,
    ask,
  };
  const put = await putAll(imported, settings, session.onProgress);
  diagnostics.push(...put.diagnostics);
  const refused = [
    ...unread.map(({ name }) => name),
    ...imported.refused,
    ...doubles.map(({ name }) => name),
    ...put.refused,
  ];
  if (!isPartial) diagnostics.push(...findSpecsGone(source.name, { tools, refused }, settings));

  const named = diagnostics.map(withTool(source.document, tools));
  // Answers of servers and modules are not files; findings name the tool and the place in the answer.
  const isFile = importer.reads === "file" && source.address === undefined;
  const located = isFile ? named : named.map(withoutFile(source.document.uri));
  const connections = imported.connections ?? [];
  return { states: put.states, refused, kept: put.kept, connections, diagnostics: located, total };
}
