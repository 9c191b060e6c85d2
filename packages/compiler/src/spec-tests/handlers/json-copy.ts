import type { JsonValue } from "@hasp/schema";

/** A value as JSON carries it; `undefined` for what JSON has no words for. */
export function jsonCopy(value: unknown): JsonValue | undefined {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
}
