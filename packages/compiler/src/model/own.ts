import type { JsonValue } from "@hasp/schema";

/** Returns the value of a record's own key, never an inherited one; `undefined` where it holds nothing there. */
export function own<Value>(record: { readonly [key: string]: Value } | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The same for a value that may be anything: what is not an object holds nothing. */
export function ownMember(value: JsonValue | undefined, key: string): JsonValue | undefined;
export function ownMember(value: unknown, key: PropertyKey): unknown;
export function ownMember(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
