import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Found } from "../../../compiler/src/diagnostics/diagnostic.js";
import { connectionNameOf } from "./connections/connection-name.js";
import { isList, isObject } from "../../../compiler/src/model/json-kind.js";
import type { Importer } from "./importer.js";
import type { ImportSource } from "./source/import-source.js";
import { textOf } from "./source/json-values.js";
import { readAnnotations } from "./mcp-annotations.js";
import { restOf, translateInput, type EntryReader, type SourceEntry } from "./entries/source-entry.js";
import type { ImportedConnection, ImportedSource } from "./specs/imported-source.js";
import type { SourceTool } from "./specs/source-tool.js";
import { importToolList, listIn, membersOf } from "./entries/tool-list.js";
import { JSON_SCHEMA } from "./translation/schema-dialect.js";

/**
 * Reads the result of MCP's `tools/list`, or a bare array of its tools. Annotations become `suggested`, which has no
 * effect.
 */
export const importMcpList: Importer = { reads: "file", read: (source) => readMcpTools(source, "mcp-list") };

/** Imports MCP tools from any kind of source. With a known server, the tools need no code. */
export function readMcpTools(source: ImportSource, kind: string): Found<ImportedSource> {
  const { server, connectionName = connectionNameOf(lastPart(source.name), "server") } = source.settings ?? {};
  const { value, diagnostics } = importToolList(source, {
    kind,
    dialect: JSON_SCHEMA,
    shapes: `the result of MCP's "tools/list" ({ "tools": [...] }) or a bare array of such tools`,
    list(document) {
      // A complete JSON-RPC response, as found in logs.
      const result = isObject(document) && isObject(document["result"]) ? document["result"] : undefined;
      const inside = result === undefined ? undefined : listIn(result, ["tools"]);
      const found =
        inside === undefined ? listIn(document, ["tools"]) : { ...inside, pointer: `/result${inside.pointer}` };
      return found && membersOf(found);
    },
    read: (entry, reader) => {
      const tool = readTool(entry, reader);
      if (tool === undefined || server === undefined) return tool;
      return { ...tool, handler: { mcp: { connection: connectionName, tool: tool.name } } };
    },
  });
  if (server === undefined || value.tools.length === 0) return { value, diagnostics };
  const connection = { name: connectionName, settings: { mcp: server }, comments: [], variables: variablesOf(server) };
  return { value: { ...value, connections: [connection] }, diagnostics };
}

/** Servers are often named after a package, such as "@scope/name" or "name.tools.json". */
function lastPart(name: string): string {
  return (name.split("/").at(-1) ?? "").replace(/(?:\.tools)?\.json$/u, "");
}

function variablesOf({ env, headers, auth }: JsonObject): ImportedConnection["variables"] {
  const named = (secret: JsonValue | undefined): string | undefined =>
    isObject(secret) ? textOf(secret["env"]) : undefined;
  return [
    ...(isList(env) ? env : [])
      .flatMap((name) => textOf(name) ?? [])
      .map((name) => ({ name, holds: "what the server reads" })),
    ...Object.entries(isObject(headers) ? headers : {}).flatMap(([header, secret]) => {
      const name = named(secret);
      return name === undefined ? [] : [{ name, holds: `the header ${header}` }];
    }),
    ...[isObject(auth) ? named(auth["bearer"]) : undefined].flatMap((name) =>
      name === undefined ? [] : [{ name, holds: "the bearer token" }],
    ),
  ];
}

const TOOL_KEYS: ReadonlySet<string> = new Set([
  "name",
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
]);

function readTool({ value }: SourceEntry, reader: EntryReader): SourceTool | undefined {
  if (!isObject(value)) return undefined;
  const { inputSchema, outputSchema, annotations } = value;
  const { name, note, locate, translate } = reader;
  if (inputSchema === undefined) {
    note("no-schema", locate(""), { tool: name, keyword: "inputSchema" });
    return undefined;
  }
  const input = translateInput(inputSchema, "/inputSchema", reader);
  const output =
    outputSchema === undefined || outputSchema === null
      ? undefined
      : translate(outputSchema, { role: "output", pointer: "/outputSchema" });
  if (input === undefined) return undefined;
  const { suggested, title } = readAnnotations(annotations, reader);
  return {
    name,
    title: [value["title"], title].find((text) => textOf(text) !== undefined),
    description: value["description"],
    input,
    output,
    suggested,
    rest: restOf(value, TOOL_KEYS),
    facts: isObject(annotations) ? { annotations } : undefined,
  };
}
