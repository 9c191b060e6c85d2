import type { JsonObject } from "@hasp/schema";

/** True for a JSON value that is neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
