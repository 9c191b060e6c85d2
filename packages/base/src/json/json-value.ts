/** The deepest nesting of data; more is refused before anything can run out of stack. */
const MAX_DATA_DEPTH = 256;

/** True if a value is an object as JSON has them: no array, no instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The second test takes objects of another realm, whose Object.prototype is not ours.
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** True for an object or a list: what JSON calls a structured value. */
export function isStructured(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function isObject(value: unknown): value is JsonObject {
  return isStructured(value) && !Array.isArray(value);
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

/** Returns the value of a record's own key; `undefined` if it inherits or lacks it. */
export function own<Value>(record: { readonly [key: string]: Value } | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** True for a list; unlike `Array.isArray`, it narrows read-only ones. */
export function isList<Value>(value: Value): value is Extract<Value, readonly unknown[]> {
  return Array.isArray(value);
}

/** Returns a value if it is an object, and an empty one for anything else. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns a value if it is a list, and an empty one for anything else. */
export function toList(value: unknown): JsonArray {
  return isList(value as JsonValue) ? (value as JsonArray) : [];
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
