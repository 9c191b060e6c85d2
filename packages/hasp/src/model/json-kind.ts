import type { JsonArray, JsonObject, JsonValue } from "@hasp/schema";

/** Whether a value that came from JSON is an object: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is a list. */
export function isList(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}
