import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Found } from "@hasp/base/diagnostics";
import { HINTS } from "@hasp/compiler/model";
import { createConnectionName } from "./specs/names.js";
import { toObject, toList, isObject } from "@hasp/base/json";
import type { ImportedConnection, ImportedSource, Importer, ImportSource } from "./source/importer.js";
import { omitKeys, readString } from "./source/json-values.js";
import { type EntryReader, type SourceEntry, translateInput, translateOutput } from "./entries/source-entry.js";
import type { SourceTool } from "./specs/source-tool.js";
import { findList, importToolList, listMembers } from "./entries/tool-list.js";
import { JSON_SCHEMA } from "./translation/schema-dialect.js";
import { entailedBy, isLooser } from "@hasp/runtime/contract";

/** Reads a result of MCP's `tools/list`, or a bare array of tools. Annotations become `suggested`, without effect. */
export const importMcpList: Importer = { reads: "file", read: (source) => readMcpTools(source, "mcp-list") };

export function readMcpTools(source: ImportSource, kind: string): Found<ImportedSource> {
  const { server, connectionName = createConnectionName(lastPart(source.name), "server") } = source.settings ?? {};
  const { value, diagnostics } = importToolList(source, {
    kind,
    dialect: JSON_SCHEMA,
    shapes: `the result of MCP's "tools/list" ({ "tools": [...] }) or a bare array of such tools`,
    list(document) {
      // A complete JSON-RPC response, as found in logs.
      const result = isObject(document) && isObject(document["result"]) ? document["result"] : undefined;
      const inside = result && findList(result, ["tools"]);
      const found =
        inside === undefined ? findList(document, ["tools"]) : { ...inside, pointer: `/result${inside.pointer}` };
      return found && listMembers(found);
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

/** Returns the last part of a name. Servers are often named like "@scope/name" or "name.tools.json". */
function lastPart(name: string): string {
  return (name.split("/").at(-1) ?? "").replace(/(?:\.tools)?\.json$/u, "");
}

function variablesOf({ env, headers, auth }: JsonObject): ImportedConnection["variables"] {
  const named = (secret: JsonValue | undefined): string | undefined =>
    isObject(secret) ? readString(secret["env"]) : undefined;
  return [
    ...toList(env)
      .flatMap((name) => readString(name) ?? [])
      .map((name) => ({ name, holds: "what the server reads" })),
    ...Object.entries(toObject(headers)).flatMap(([header, secret]) => {
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
  const { annotations } = value;
  const input = translateInput(value["inputSchema"], "/inputSchema", reader);
  if (input === undefined) return undefined;
  const { suggested, title } = readAnnotations(annotations, reader);
  return {
    name: reader.name,
    title: [value["title"], title].find((text) => readString(text) !== undefined),
    description: value["description"],
    input,
    output: translateOutput(value["outputSchema"], "/outputSchema", reader),
    suggested,
    rest: omitKeys(value, TOOL_KEYS),
    facts: isObject(annotations) ? { annotations } : undefined,
  };
}

/** Converts claims of MCP annotations to spec fields. Skips hints that only repeat a strict default. */
function readAnnotations(
  annotations: JsonValue | undefined,
  { note, locate }: EntryReader,
): { readonly suggested: JsonObject | undefined; readonly title: JsonValue | undefined } {
  if (!isObject(annotations)) return { suggested: undefined, title: undefined };
  const hints = new Map<string, boolean>();
  for (const [name, value] of Object.entries(annotations)) {
    if (HINTS.has(name) && typeof value === "boolean") hints.set(name, value);
    else if (name !== "title") note("unknown-hint", locate(`/annotations/${name}`), { name });
  }
  // The class entails some hints: read-only, not destructive, idempotent.
  const isReader = hints.get("readOnlyHint") === true;
  const entailed = isReader ? entailedBy("READ_ONLY") : {};
  const claims: [string, JsonValue][] = isReader ? [["class", "READ_ONLY"]] : [];
  for (const [hint, { name, field }] of HINTS) {
    const value = hints.get(hint);
    if (value === undefined || Object.hasOwn(entailed, name) || !isLooser(field, value, field.strict)) continue;
    claims.push([name, value]);
  }
  const suggested = claims.length === 0 ? undefined : { from: "annotations", ...Object.fromEntries(claims) };
  return { suggested, title: annotations["title"] };
}
