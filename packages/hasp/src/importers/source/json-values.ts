import type { JsonObject, JsonValue } from "@hasp/schema";

/** A text that says something; `undefined` for all else. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The entries of an object without those that have no value: an object to which keys are given conditionally. */
export function objectOf(entries: readonly (readonly [string, JsonValue | undefined])[]): JsonObject {
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined));
}
