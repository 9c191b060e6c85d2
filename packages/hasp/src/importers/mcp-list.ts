import type { JsonValue } from "@hasp/schema";
import type { Diagnostic, Found } from "../diagnostics/diagnostic.js";
import { importDiagnostics } from "./diagnostics.js";
import { importEntries } from "./import-entries.js";
import type { Importer, ImportSource } from "./importer.js";
import { isList, isObject, textOf } from "./json-values.js";
import { readAnnotations } from "./mcp-annotations.js";
import { namedEntries, restOf, translateInput, type EntryReader, type SourceEntry } from "./source-entry.js";
import type { ImportedSource } from "./specs/imported-source.js";
import type { SourceTool } from "./specs/source-tool.js";
import { JSON_SCHEMA } from "./translation/schema-dialect.js";

/**
 * Reads the result of MCP's `tools/list`, or a bare array of its tools. What the annotations claim becomes `suggested`,
 * which nothing reads: a spec that was imported is as strict as one that says nothing.
 */
export const importMcpList: Importer = { reads: "file", read: (source) => readMcpTools(source, "mcp-list") };

/** The same for any kind of source that has MCP's tools. */
export function readMcpTools(source: ImportSource, kind: string): Found<ImportedSource> {
  const { document } = source;
  const list = toolsOf(document.value);
  const nothing = (name: "no-list" | "no-tools", pointer: string): Found<ImportedSource> => ({
    value: { tools: [], refused: [] },
    diagnostics: [importDiagnostics(name, document.locate(pointer), undefined)],
  });
  if (list === undefined) return nothing("no-list", "");
  if (list.tools.length === 0) return nothing("no-tools", list.pointer);
  const found: Diagnostic[] = [];
  const entries = namedEntries(list.tools, list.pointer, (diagnostic) => found.push(diagnostic), document);
  const { value, diagnostics } = importEntries(source, entries, { kind, dialect: JSON_SCHEMA, references: "own", read: readTool });
  return { value, diagnostics: [...found, ...diagnostics] };
}

function toolsOf(value: JsonValue): { readonly tools: readonly JsonValue[]; readonly pointer: string } | undefined {
  if (isList(value)) return { tools: value, pointer: "" };
  if (!isObject(value)) return undefined;
  const { tools, result } = value;
  if (isList(tools)) return { tools, pointer: "/tools" };
  // A whole JSON-RPC answer, as a log holds it.
  return isObject(result) && isList(result["tools"]) ? { tools: result["tools"], pointer: "/result/tools" } : undefined;
}

const TOOL_KEYS: ReadonlySet<string> = new Set(["name", "title", "description", "inputSchema", "outputSchema", "annotations"]);

function readTool({ value }: SourceEntry, reader: EntryReader): SourceTool | undefined {
  if (!isObject(value)) return undefined;
  const { inputSchema, outputSchema, annotations } = value;
  const { name, note, locate, translate } = reader;
  if (inputSchema === undefined) {
    note("no-schema", locate(""), { tool: name });
    return undefined;
  }
  const input = translateInput(inputSchema, "/inputSchema", reader);
  const output = outputSchema === undefined || outputSchema === null ? undefined : translate(outputSchema, { role: "output", pointer: "/outputSchema" });
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
