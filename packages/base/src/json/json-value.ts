/** The deepest nesting of data; more is refused before anything can run out of stack. */
const MAX_DATA_DEPTH = 256;

/** True if a value is an object as JSON has them: no array, no instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The second test takes objects of another realm, whose Object.prototype is not ours.
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Finds out why a value is not JSON, with the place relative to the value; `undefined` if it is JSON. */
export function explainNotJson(
  value: unknown,
  depth = 0,
): { readonly keys: readonly string[]; readonly what: string } | undefined {
  if (depth > MAX_DATA_DEPTH) return { keys: [], what: `nested deeper than ${MAX_DATA_DEPTH} levels` };
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : { keys: [], what: String(value) };
    case "object": {
      if (value === null) return undefined;
      if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index++) {
          const why = explainNotJson(value[index], depth + 1);
          if (why !== undefined) return { keys: [String(index), ...why.keys], what: why.what };
        }
        return undefined;
      }
      if (!isPlainObject(value)) return { keys: [], what: "an instance of a class" };
      for (const key of Object.keys(value)) {
        const why = explainNotJson(value[key], depth + 1);
        if (why !== undefined) return { keys: [key, ...why.keys], what: why.what };
      }
      return undefined;
    }
    default:
      return { keys: [], what: `a value of type ${typeof value}` };
  }
}

export function isEqualJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqualJson(item, right[index] as JsonValue))
    );
  }
  if (Array.isArray(right)) return false;
  const keys = Object.keys(left);
  const other = right as { readonly [key: string]: JsonValue };
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) && isEqualJson((left as typeof other)[key] as JsonValue, other[key] as JsonValue),
    )
  );
}

/** Returns the value of a record's own key; `undefined` if it inherits or lacks it. */
export function own<Value>(record: { readonly [key: string]: Value } | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** True for a list; unlike `Array.isArray`, it narrows read-only ones. */
export function isList<Value>(value: Value): value is Extract<Value, readonly unknown[]> {
  return Array.isArray(value);
}

export interface MutableRecord {
  [key: string]: JsonValue;
}

export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;

export type JsonArray = readonly JsonValue[];

/** A JSON object. Own enumerable string keys only; `__proto__` is a key like any other. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Prints JSON text that equal values share: sorted keys, numbers by value, without `undefined` members. */
export function canonicalText(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  let members = "";
  for (const key of Object.keys(value).toSorted()) {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined) continue;
    members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${canonicalText(member)}`;
  }
  return `{${members}}`;
}
