import { cloneJson } from "../json/json-value.js";
import type { Annotations, Bound } from "../resolve/types.js";
import type { JsonValue } from "../json/json.js";

const TRUE_IF_ANY = new Set(["deprecated", "readOnly", "writeOnly"]);

/**
 * Merges the annotations of a node. The nearest schema that has a keyword wins (a schema itself before what it refers
 * to, that before its `allOf`, members in order). `deprecated`, `readOnly` and `writeOnly` hold if any says so.
 */
export function mergeAnnotations(bounds: readonly Bound[]): Annotations {
  const [only] = bounds;
  if (only !== undefined && bounds.length === 1) {
    return only.annotations.map((entry) => (typeof entry[1] === "object" ? [entry[0], cloneJson(entry[1])] : entry));
  }
  const merged = new Map<string, JsonValue>();
  for (const { annotations } of bounds) {
    for (const [keyword, value] of annotations) {
      if (!merged.has(keyword) || (value === true && TRUE_IF_ANY.has(keyword))) merged.set(keyword, cloneJson(value));
    }
  }
  return [...merged];
}
