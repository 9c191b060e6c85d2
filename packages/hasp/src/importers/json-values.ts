import type { JsonArray, JsonObject, JsonValue } from "@hasp/schema";

/** Whether a value of a source is an object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value of a source is a list. */
export function isList(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** A text that says something; `undefined` for all else. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The entries of an object without those that have no value: an object to which keys are given conditionally. */
export function objectOf(entries: readonly (readonly [string, JsonValue | undefined])[]): JsonObject {
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined));
}
