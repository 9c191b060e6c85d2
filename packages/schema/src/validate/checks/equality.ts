import { canonicalText } from "../../json/canonical-text.js";

/**
 * A scalar or text that two JSON values share exactly if JSON Schema calls them equal: numbers by value (`1` is `1.0`,
 * `-0` is `0`), objects whatever the order of their keys. To be kept in a `Set` or as a key of a `Map`.
 */
export function equalityKey(value: unknown): unknown {
  if (typeof value === "string") return `"${value}`;
  return typeof value === "object" && value !== null ? canonicalText(value) : value;
}
