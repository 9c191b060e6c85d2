import type { JsonObject, JsonValue } from "@hasp/schema";
import { isObject } from "../model/json-kind.js";
import type { EntryReader } from "./entries/source-entry.js";

const HINTS: ReadonlySet<string> = new Set(["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]);

/** What MCP's annotations claim, in the words of a spec. A hint that only repeats a strict default suggests nothing. */
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
  const claims: [string, JsonValue][] = [];
  if (hints.get("readOnlyHint") === true) {
    // Read-only, not destructive, idempotent: the class entails them all.
    claims.push(["class", "READ_ONLY"]);
  } else {
    if (hints.get("destructiveHint") === false) claims.push(["isDestructive", false]);
    if (hints.get("idempotentHint") === true) claims.push(["isIdempotent", true]);
  }
  if (hints.get("openWorldHint") === false) claims.push(["isOpenWorld", false]);
  const suggested = claims.length === 0 ? undefined : { from: "annotations", ...Object.fromEntries(claims) };
  return { suggested, title: annotations["title"] };
}
