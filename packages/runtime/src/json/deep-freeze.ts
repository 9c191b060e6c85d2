import type { JsonSchema } from "@hasp/schema";
import { copyJson } from "./copy-json.js";

/** Freezes a value deeply and returns it. A value that is already frozen counts as deeply frozen. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) {
    const member: unknown = value[key];
    if (typeof member === "object" && Object.hasOwn(value, key)) deepFreeze(member);
  }
  return value;
}

/** Returns a frozen schema: a tool's must not change after it was built. */
export function frozenSchema(schema: JsonSchema): JsonSchema {
  return Object.isFrozen(schema) ? schema : (deepFreeze(copyJson(schema)) as JsonSchema);
}
