import type { JsonValue } from "@hasp/schema";
import { resolveReference } from "../../phases/2-resolve/document-uri.js";

/**
 * The paths (or addresses) of the documents that anything in a value may refer to. It looks at every `$ref`, also where
 * it is plain data: a file too many does no harm, and which references count is for `resolve` to say. That also refuses
 * what an `$id` would make lead elsewhere.
 */
export function findReferences(value: JsonValue, from: string): ReadonlySet<string> {
  const paths = new Set<string>();
  const waiting: JsonValue[] = [value];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    if (typeof current !== "object" || current === null) continue;
    const members = current as { readonly [key: string]: JsonValue };
    for (const key of Object.keys(members)) {
      const item = members[key];
      if (typeof item === "object") waiting.push(item);
      else if ((key === "$ref" || key === "$dynamicRef") && typeof item === "string" && !item.startsWith("#")) {
        const target = resolveReference(item, from);
        if (target.kind === "document") paths.add(target.path);
      }
    }
  }
  return paths;
}
