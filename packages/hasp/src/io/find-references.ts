import type { JsonValue } from "@hasp/schema";
import { resolveReference } from "../phases/2-resolve/document-uri.js";

/**
 * Paths (or addresses) of the documents that anything in a value may refer to. It looks at every `$ref`, also where it
 * is plain data: a file too many does no harm, and which references count is for `resolve` to say.
 */
export function findReferencedDocuments(value: JsonValue, from: string): ReadonlySet<string> {
  const paths = new Set<string>();
  const waiting: JsonValue[] = [value];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    if (typeof current !== "object" || current === null) continue;
    for (const [key, item] of Object.entries(current)) {
      if ((key === "$ref" || key === "$dynamicRef") && typeof item === "string" && !item.startsWith("#")) {
        const target = resolveReference(item, from);
        if (target.kind === "document") paths.add(target.path);
      }
      waiting.push(item);
    }
  }
  return paths;
}
