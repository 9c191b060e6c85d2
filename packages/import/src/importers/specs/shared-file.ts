import type { JsonObject, JsonValue } from "@hasp/schema";
import { digestOf } from "./imported-part.js";
import type { SharedFile } from "./imported-source.js";
import { validToolName } from "./tool-names.js";

export const SHARED_ORIGIN = "x-imported-from";

export function sharedFileName(source: string): string {
  return `${validToolName(source.replace(/\.[^.]*$/u, ""))}.schemas.yaml`;
}

/** Returns `undefined` if there are no definitions. */
export function sharedFileOf(kind: string, source: string, definitions: JsonObject): SharedFile | undefined {
  const entries = Object.entries(definitions);
  if (entries.length === 0) return undefined;
  const digests = Object.fromEntries(entries.map(([name, schema]): [string, JsonValue] => [name, digestOf(schema)]));
  return {
    fileName: sharedFileName(source),
    content: { $defs: definitions, [SHARED_ORIGIN]: { kind, source, digests } },
  };
}
