import type { JsonValue } from "@hasp/schema";

/** Copies a value through JSON; `undefined` if JSON cannot express it. */
export function jsonCopy(value: unknown): JsonValue | undefined {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
}
