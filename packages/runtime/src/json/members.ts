import type { JsonObject } from "@hasp/schema";

// Not from the package's entry: processes that load nothing of the schema package need them too.
export {
  decodeFragment,
  escapeToken,
  findValueAt,
  followReference,
  parsePointer,
  readReference,
  unescapeToken,
  writeReference,
} from "../../../schema/src/json/pointer.js";

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a list; unlike `Array.isArray`, it narrows read-only ones. */
export function isList<Value>(value: Value): value is Extract<Value, readonly unknown[]> {
  return Array.isArray(value);
}

/** Returns the value of an own key, never an inherited one. */
export function own<Value>(record: { readonly [key: string]: Value } | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
