import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Found } from "@hasp/base/diagnostics";
import { isList, isObject } from "@hasp/base/json";
import { importDiagnostics } from "../source/diagnostics.js";
import { importEntries, type EntrySettings } from "./import-entries.js";
import type { ImportedSource, ImportSource } from "../source/importer.js";
import { readString } from "../source/json-values.js";
import type { SourceEntry } from "./source-entry.js";

export interface ToolListItem {
  readonly value: JsonValue;
  readonly pointer: string;
  /** The key of `value` that contains the name. */
  readonly nameKey?: string;
  /** Name of a tool that the provider runs, so that there is nothing to import. */
  readonly providerTool?: string | undefined;
}

interface FoundList {
  readonly list: readonly JsonValue[];
  readonly pointer: string;
}

interface ListSettings extends Omit<EntrySettings, "references"> {
  readonly shapes: string;
  list(document: JsonValue): readonly ToolListItem[] | undefined;
}

export function importToolList(source: ImportSource, settings: ListSettings): Found<ImportedSource> {
  const { document } = source;
  const list = settings.list(document.value);
  if (list === undefined || list.length === 0) {
    const location = document.locate("");
    const nothing =
      list === undefined
        ? importDiagnostics("no-list", location, { shapes: settings.shapes })
        : importDiagnostics("no-tools", location);
    return { value: { tools: [], refused: [] }, diagnostics: [nothing] };
  }
  const found: Diagnostic[] = [];
  const refused: string[] = [];
  const seen = new Set<string>();
  const entries: SourceEntry[] = [];
  const ignored: string[] = [];
  for (const [index, { value, pointer, nameKey = "name", providerTool }] of list.entries()) {
    const name = isObject(value) ? readString(value[nameKey]) : undefined;
    const label = providerTool ?? name ?? `entry ${index}`;
    if (providerTool === undefined && name !== undefined && !seen.has(name)) {
      seen.add(name);
      entries.push({ name, label, pointer, value });
      continue;
    }
    ignored.push(pointer);
    if (source.isWanted?.([label]) !== false) {
      refused.push(label);
      if (providerTool !== undefined) {
        found.push(importDiagnostics("provider-tool", document.locate(pointer), { name: providerTool }));
      } else if (name === undefined) found.push(importDiagnostics("not-a-tool", document.locate(pointer)));
      else found.push(importDiagnostics("name-twice", document.locate(`${pointer}/${nameKey}`), { name }));
    }
  }
  const { value, diagnostics } = importEntries(source, entries, { ...settings, references: "own" }, ignored);
  return { value: { ...value, refused: [...refused, ...value.refused] }, diagnostics: [...found, ...diagnostics] };
}

/** Finds a list: the document itself, or the value of one of these keys. */
export function findList(document: JsonValue, keys: readonly string[]): FoundList | undefined {
  if (isList(document)) return { list: document, pointer: "" };
  if (!isObject(document)) return undefined;
  for (const key of keys) {
    const list = document[key];
    if (isList(list)) return { list, pointer: `/${key}` };
  }
  return undefined;
}

export function listMembers({ list, pointer }: FoundList): readonly ToolListItem[] {
  return list.map((value, index) => ({ value, pointer: `${pointer}/${index}` }));
}

export const NO_PARAMETERS: JsonObject = { type: "object", properties: {} };
