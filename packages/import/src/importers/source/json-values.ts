import { pickMembers } from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";

/** Returns a non-blank string; `undefined` for anything else. */
export function readString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function omitKeys(value: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return pickMembers(value, (key) => !keys.has(key));
}
