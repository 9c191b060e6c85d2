import type { JsonValue } from "@hasp/schema";
import { isList } from "./json-kind.js";

/** Whether two JSON values are the same, whatever the order of their keys. */
export function isSameJson(left: JsonValue, right: JsonValue): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (isList(left) || isList(right)) {
    return (
      isList(left) &&
      isList(right) &&
      left.length === right.length &&
      left.every((item, index) => isSameJson(item, right[index] ?? null))
    );
  }
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(right, key) || !isSameJson(left[key] ?? null, right[key] ?? null)) return false;
  }
  return true;
}

/** The same, the order of keys included: whether both are the same text of JSON. */
export function isSameJsonText(left: JsonValue, right: JsonValue): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (isList(left) || isList(right)) {
    return (
      isList(left) &&
      isList(right) &&
      left.length === right.length &&
      left.every((item, index) => isSameJsonText(item, right[index] ?? null))
    );
  }
  const keys = Object.keys(left);
  const rightKeys = Object.keys(right);
  if (keys.length !== rightKeys.length) return false;
  let index = 0;
  for (const key of keys) {
    if (key !== rightKeys[index] || !isSameJsonText(left[key] ?? null, right[key] ?? null)) return false;
    index += 1;
  }
  return true;
}
