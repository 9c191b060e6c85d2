import { FIELD_ENTRIES, TOOL_KEYS } from "@hasp/runtime/contract";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { readOwnMember } from "@hasp/base/json";
import type { FlatTool } from "@hasp/compiler";
import type { GeneratedNames } from "@hasp/compiler/layout";

/** Puts the keys of a module's spec in the runtime's order. */
export function sortModuleKeys<Entries extends { readonly [key: string]: unknown }>(entries: Entries): Entries {
  return Object.fromEntries(
    Object.keys(TOOL_KEYS).flatMap((key) => (key in entries ? [[key, entries[key]]] : [])),
  ) as Entries;
}

/** Lists the facts that are not strict, by group. A module leaves out the others. */
export function listStatedMetadata({ metadata }: FlatTool): JsonObject {
  const groups: { [group: string]: { [name: string]: JsonValue } } = {};
  for (const { group, name, field } of FIELD_ENTRIES) {
    const value = readOwnMember(metadata[group], name) as JsonValue;
    if (value !== field.strict) (groups[group] ??= {})[name] = value;
  }
  return groups;
}

export function nameMetadata({ camel }: GeneratedNames): string {
  return `${camel}Metadata`;
}
