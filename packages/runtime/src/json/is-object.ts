import type { JsonObject } from "@hasp/schema";

/** Whether a JSON value is an object: neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
