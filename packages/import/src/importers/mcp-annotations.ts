import { entailedBy, FIELD_ENTRIES, isLooser, type FieldEntry } from "@hasp/runtime";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { isObject } from "../../../compiler/src/model/json-kind.js";
import type { EntryReader } from "./entries/source-entry.js";

const HINTS: ReadonlyMap<string, FieldEntry> = new Map(
  FIELD_ENTRIES.flatMap((entry) => (entry.field.hint === undefined ? [] : [[`${entry.field.hint}Hint`, entry]])),
);

/** Converts claims of MCP annotations to spec fields. Skips hints that only repeat a strict default. */
export function readAnnotations(
  annotations: JsonValue | undefined,
  { note, locate }: EntryReader,
): { readonly suggested: JsonObject | undefined; readonly title: JsonValue | undefined } {
  if (!isObject(annotations)) return { suggested: undefined, title: undefined };
  const hints = new Map<string, boolean>();
  for (const [name, value] of Object.entries(annotations)) {
    if (HINTS.has(name) && typeof value === "boolean") hints.set(name, value);
    else if (name !== "title") note("unknown-hint", locate(`/annotations/${name}`), { name });
  }
  // The class entails read-only, not destructive and idempotent.
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
