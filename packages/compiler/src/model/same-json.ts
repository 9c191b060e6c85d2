import type { JsonValue } from "@hasp/schema";
import { isList } from "./json-kind.js";

/** True if two JSON values are the same, whatever the order of their keys. */
export function isSameJson(left: JsonValue, right: JsonValue): boolean {
  return isSame(left, right, (keys, others) => keys.length === others.length);
}

/** The same, the order of keys included: whether both are the same text of JSON. */
export function isSameJsonText(left: JsonValue, right: JsonValue): boolean {
  return isSame(left, right, isSameOrder);
}

function isSameOrder(keys: readonly string[], others: readonly string[]): boolean {
  return keys.length === others.length && keys.every((key, index) => key === others[index]);
}

function isSame(
  left: JsonValue,
  right: JsonValue,
  mayBeSame: (keys: readonly string[], others: readonly string[]) => boolean,
): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (isList(left) || isList(right)) {
    return (
      isList(left) &&
      isList(right) &&
      left.length === right.length &&
      left.every((item, index) => isSame(item, right[index] ?? null, mayBeSame))
    );
  }
  const keys = Object.keys(left);
  if (!mayBeSame(keys, Object.keys(right))) return false;
  for (const key of keys) {
    if (!Object.hasOwn(right, key) || !isSame(left[key] ?? null, right[key] ?? null, mayBeSame)) return false;
  }
  return true;
}
