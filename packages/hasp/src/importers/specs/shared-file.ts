import type { JsonObject, JsonValue } from "@hasp/schema";
import { digestOf } from "./imported-part.js";
import type { SharedFile } from "./imported-source.js";
import { validToolName } from "./tool-names.js";

/** The key of a shared file under which an import keeps where its definitions came from. */
export const SHARED_ORIGIN = "x-imported-from";

/** The one file with the definitions of a source; `undefined` if there are none. */
export function sharedFileOf(kind: string, source: string, definitions: JsonObject): SharedFile | undefined {
  const entries = Object.entries(definitions);
  if (entries.length === 0) return undefined;
  const digests = Object.fromEntries(entries.map(([name, schema]): [string, JsonValue] => [name, digestOf(schema)]));
  return {
    fileName: `${validToolName(source.replace(/\.[^.]*$/u, ""))}.schemas.yaml`,
    content: { $defs: definitions, [SHARED_ORIGIN]: { kind, source, digests } },
  };
}
