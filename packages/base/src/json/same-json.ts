import { type JsonValue, isList, isStructured } from "./json-value.js";

/** Returns an own member of any value; `undefined` for what is no object. */
export function readOwnMember(value: JsonValue | undefined, key: string): JsonValue | undefined;
export function readOwnMember(value: unknown, key: PropertyKey): unknown;
export function readOwnMember(value: unknown, key: PropertyKey): unknown {
  return isStructured(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** True if JSON Schema takes two values for equal: to it, negative zero is zero. */
export function isEqualJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return isSame(left, right, (one, other) => one === other);
}

/** True if two JSON values are the same, whatever the order of their keys. */
export function isSameJson(left: JsonValue, right: JsonValue): boolean {
  return isSame(left, right, Object.is);
}

/** True if two JSON values also have the same order of keys. */
export function isSameJsonText(left: JsonValue, right: JsonValue): boolean {
  return isSame(left, right, Object.is, true);
}

function isSame(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  areSame: (left: unknown, right: unknown) => boolean,
  inOrder = false,
): boolean {
  if (areSame(left, right)) return true;
  if (!isStructured(left) || !isStructured(right)) return false;
  if (isList(left) || isList(right)) {
    return (
      isList(left) &&
      isList(right) &&
      left.length === right.length &&
      left.every((item, index) => isSame(item, right[index], areSame, inOrder))
    );
  }
  const keys = Object.keys(left);
  const others = Object.keys(right);
  if (keys.length !== others.length || (inOrder && keys.some((key, index) => key !== others[index]))) return false;
  for (const key of keys) {
    if (!Object.hasOwn(right, key) || !isSame(left[key], right[key], areSame, inOrder)) return false;
  }
  return true;
}

/** Returns values without those that print the same JSON as another. */
export function withoutTwins<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** True if JSON carries a value unchanged. JSON turns infinity into null, and negative zero into 0. */
export function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (isStructured(value)) return Object.values(value).every(isPlain);
  return value === null || typeof value === "string" || typeof value === "boolean";
}
