import { type JsonValue, isList } from "./json-value.js";

/** Returns an own member of any value; `undefined` for what is no object. */
export function readOwnMember(value: JsonValue | undefined, key: string): JsonValue | undefined;
export function readOwnMember(value: unknown, key: PropertyKey): unknown;
export function readOwnMember(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** True if two JSON values are the same, whatever the order of their keys. */
export function isSameJson(left: JsonValue, right: JsonValue): boolean {
  return isSame(left, right, (keys, others) => keys.length === others.length);
}

/** True if two JSON values also have the same order of keys. */
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

/** True if JSON carries a value unchanged. JSON turns infinity into null, and negative zero into 0. */
export function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value === "object" && value !== null) return Object.values(value).every(isPlain);
  return value === null || typeof value === "string" || typeof value === "boolean";
}
