import type { JsonArray, JsonObject, JsonValue, SchemaObject } from "@hasp/schema";

/** Whether a value that came from JSON is an object: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is a list. */
export function isList(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** Whether a schema is not a boolean one. */
export function isSchemaObject(schema: unknown): schema is SchemaObject {
  return typeof schema === "object" && schema !== null && !Array.isArray(schema);
}
