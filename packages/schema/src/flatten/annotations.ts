import { cloneJson } from "../bind/json-value.js";
import type { Bound } from "../bind/types.js";
import type { JsonValue } from "../json.js";

const TRUE_IF_ANY = new Set(["deprecated", "readOnly", "writeOnly"]);

/**
 * The annotations of a merged node: for each word, the nearest schema that has it wins (a schema itself before what it
 * refers to, that before its `allOf`, members in order). `deprecated`, `readOnly` and `writeOnly` hold if any says so.
 */
export function mergeAnnotations(bounds: readonly Bound[]): Map<string, JsonValue> {
  const merged = new Map<string, JsonValue>();
  for (const { annotations } of bounds) {
    for (const [keyword, value] of annotations) {
      if (!merged.has(keyword) || (value === true && TRUE_IF_ANY.has(keyword))) merged.set(keyword, cloneJson(value));
    }
  }
  return merged;
}
