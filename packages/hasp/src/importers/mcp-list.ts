import type { Found } from "../diagnostics/diagnostic.js";
import { isObject } from "../model/json-kind.js";
import type { Importer } from "./importer.js";
import type { ImportSource } from "./source/import-source.js";
import { textOf } from "./source/json-values.js";
import { readAnnotations } from "./mcp-annotations.js";
import { restOf, translateInput, type EntryReader, type SourceEntry } from "./entries/source-entry.js";
import type { ImportedSource } from "./specs/imported-source.js";
import type { SourceTool } from "./specs/source-tool.js";
import { importToolList, listIn, membersOf } from "./entries/tool-list.js";
import { JSON_SCHEMA } from "./translation/schema-dialect.js";

/**
 * Reads the result of MCP's `tools/list`, or a bare array of its tools. Annotation claims become `suggested`, which has
 * no effect: an imported spec is as strict as one without claims.
 */
export const importMcpList: Importer = { reads: "file", read: (source) => readMcpTools(source, "mcp-list") };

/** Creates the same importer for any kind of source with MCP tools. */
export function readMcpTools(source: ImportSource, kind: string): Found<ImportedSource> {
  return importToolList(source, {
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
    read: readTool,
  });
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
