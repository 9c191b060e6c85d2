import type { JsonObject, JsonValue } from "@hasp/schema";

/** Returns a non-blank string; `undefined` for anything else. */
export function readString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Leaves out members that are undefined. */
export function createObject(members: { readonly [name: string]: JsonValue | undefined }): JsonObject {
  const entries = Object.entries(members);
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

export function omitKeys(value: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)));
}
